// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// TIMELY: Mittal et al., "TIMELY: RTT-based congestion control for the datacenter", SIGCOMM 2015. docs/models/timely.md
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "models/congestion/round_trips.h"
#include "models/congestion/scheme_kind.h"

namespace fabrictwin::congestion {
namespace {

/// Increases in a row after which increases are larger.
constexpr int32_t kHyperAfter = 5;

struct TimelySpec {
  double low = 0;  ///< Times in femtoseconds, rates in bits per second.
  double high = 0;
  double gain = 0;
  double decrease = 0;
  double least_round_trip = 0;
  double additive_increase = 0;
  double hyper_increase = 0;
  double least_rate = 0;
};

class TimelyFlow final : public FlowControl {
 public:
  TimelyFlow(const TimelySpec& spec, const Path& path) : FlowControl(path), spec_(spec) {}

  void acknowledged(const Feedback& feedback) override {
    if (!trips_.over(feedback)) return;
    const auto round_trip = static_cast<double>(feedback.round_trip);
    if (last_ == 0) {
      last_ = round_trip;
      return;
    }
    difference_ += spec_.gain * (round_trip - last_ - difference_);
    last_ = round_trip;
    const double gradient = difference_ / spec_.least_round_trip;
    if (round_trip > spec_.high) {
      decrease(1 - spec_.high / round_trip);
    } else if (round_trip < spec_.low || gradient <= 0) {
      increase();
    } else {
      decrease(gradient);
    }
  }

 private:
  void increase() {
    rate_ += increases_++ < kHyperAfter ? spec_.additive_increase : spec_.hyper_increase;
    rate_ = std::min(rate_, static_cast<double>(path_.line_rate));
  }
  void decrease(double by) {
    rate_ = std::max(rate_ * (1 - spec_.decrease * by), spec_.least_rate);
    increases_ = 0;
  }

  const TimelySpec& spec_;
  RoundTrips trips_;
  double last_ = 0;  ///< The last round-trip time, and the smoothed difference between two.
  double difference_ = 0;
  int32_t increases_ = 0;  ///< In a row.
};

class Timely final : public Scheme {
 public:
  explicit Timely(const TimelySpec& spec) : spec_(spec) {}

  std::string_view name() const override { return "timely"; }
  int64_t least_rate() const override { return static_cast<int64_t>(spec_.least_rate); }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<TimelyFlow>(spec_, path);
  }

 private:
  TimelySpec spec_;
};

class TimelyKind final : public SchemeKindOf<v1::Congestion::kTimely, v1::Timely> {
  std::shared_ptr<const Scheme> make(const v1::Timely& message,
                                     const experiment::MessageReader& reader) const override {
    const std::optional<int64_t> low = check_some_time(reader, "low");
    const std::optional<int64_t> high = check_some_time(reader, "high");
    if (low.has_value() && high.has_value() && *low > *high) {
      complain_of_order(reader, {.low_name = "low",
                                 .low = to_string(Time::from_fs(*low)),
                                 .high_name = "high",
                                 .high = to_string(Time::from_fs(*high)),
                                 .why = "rates increase below low and decrease above high"});
    }
    return std::make_shared<const Timely>(
        TimelySpec{.low = static_cast<double>(low.value_or(1)),
                   .high = static_cast<double>(high.value_or(1)),
                   .gain = check_share(reader, "gain", message.gain()),
                   .decrease = check_share(reader, "decrease", message.decrease()),
                   .least_round_trip = static_cast<double>(check_time(reader, "least_round_trip")),
                   .additive_increase = static_cast<double>(check_rate(reader, "additive_increase")),
                   .hyper_increase = static_cast<double>(check_rate(reader, "hyper_increase")),
                   .least_rate = static_cast<double>(check_rate(reader, "least_rate"))});
  }
};

}  // namespace

const experiment::CongestionCheck& timely() {
  static const TimelyKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion
