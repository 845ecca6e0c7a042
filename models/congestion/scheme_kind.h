// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scheme of congestion management is to an experiment: its message, and what makes it.
#pragma once

#include <google/protobuf/descriptor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cosim/experiment/tenants.h"
#include "models/congestion/scheme.h"

namespace fabrictwin::congestion {

/// The kind whose message is field kCase of v1::Congestion, of type Message. Implementations are immutable and
/// thread-safe. The checked values, Experiment::congestion_spec, are a std::shared_ptr<const Scheme>.
template <v1::Congestion::SchemeCase kCase, typename Message>
class SchemeKindOf : public experiment::CongestionCheck {
 public:
  v1::Congestion::SchemeCase kind() const final { return kCase; }

  std::any check(const v1::Congestion& congestion, experiment::FieldChecker& fields) const final {
    const auto* field = v1::Congestion::descriptor()->FindFieldByNumber(kCase);
    const auto& message = static_cast<const Message&>(congestion.GetReflection()->GetMessage(congestion, field));
    return make(message, experiment::MessageReader(message, "congestion." + field->name(), fields));
  }

 private:
  /// Makes the scheme of checked values; mistakes are added to the diagnostics of `reader`.
  virtual std::shared_ptr<const Scheme> make(const Message& message, const experiment::MessageReader& reader) const = 0;
};

/// A share above 0, at most 1, in an optional field of type double; its default is the one that is stated.
double check_share(const experiment::MessageReader& reader, std::string_view name, double value);
/// A number from `least` to `most` in such a field; its default is `by_default`.
double check_real(const experiment::MessageReader& reader, std::string_view name, double value, double least,
                  double most, double by_default);
/// A rate above zero. A size, or a time, that is not zero.
int64_t check_rate(const experiment::MessageReader& reader, std::string_view name);
int64_t check_size(const experiment::MessageReader& reader, std::string_view name);
/// Such a size; nothing, after a diagnostic, if it is zero or no size.
std::optional<int64_t> check_positive(const experiment::MessageReader& reader, std::string_view name);
int64_t check_time(const experiment::MessageReader& reader, std::string_view name);
/// Such a time; nothing, after a diagnostic, if it is too short, too long or no time.
std::optional<int64_t> check_some_time(const experiment::MessageReader& reader, std::string_view name);
/// What packets carry, in bytes: at most 1024.
int32_t check_telemetry(const experiment::MessageReader& reader, std::string_view name);

/// Two fields whose values are in the wrong order.
struct Disorder {
  std::string_view low_name;
  std::string low;  ///< As texts say it.
  std::string_view high_name;
  std::string high;
  std::string_view why;  ///< Why they have an order.
  bool equal = true;     ///< They may be equal.
};
/// Adds a diagnostic at a field of the two that is written, with what to write for either.
void complain_of_order(const experiment::MessageReader& reader, const Disorder& disorder);

/// Sizes in two fields, the first of which must not be above the second, and why not. One that is missing has been told
/// of.
void check_order(const experiment::MessageReader& reader, std::string_view low_name, std::optional<int64_t> low,
                 std::string_view high_name, std::optional<int64_t> high, std::string_view why);

/// Queue lengths in bytes at which sources stop and go on.
struct StopAndResume {
  int64_t stop = 0;
  int64_t resume = 0;
};
/// The fields `stop` and `resume`.
StopAndResume check_stop(const experiment::MessageReader& reader);

}  // namespace fabrictwin::congestion
