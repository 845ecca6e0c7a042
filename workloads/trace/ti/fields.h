// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of one line of a SimGrid time-independent trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/trace/format/event.h"
#include "workloads/trace/ti/error.h"
#include "workloads/trace/ti/line.h"

namespace fabrictwin::trace::ti {

/// The form of a datatype in a trace file: so many elements of a type; if it is one element, that has the same size.
struct Datatype {
  v1::TraceDatatype type = v1::BYTE;
  uint32_t elements = 0;
};

/// Reads the fields of a line in order. The first error is kept; after it every field reads as zero. `what` names a
/// field in errors. Not thread-safe.
class Fields {
 public:
  /// `line` must outlive this.
  explicit Fields(std::string_view line);

  /// The values that a rank field allows.
  enum class RankForm : uint8_t {
    kRank,
    kOrAnySource,  ///< A rank or kAnySource.
    kOrProcNull,   ///< A rank or kTiProcNull.
    kOrUnnamed,    ///< A rank or either of these; SMPI's number for both is kTiProcNull.
  };

  /// The number of fields left.
  size_t left() const { return starts_.size() - next_; }
  /// Whether the remaining fields are zeros except for the last one, which may be anything.
  bool zeros_and_one() const;
  bool ends_in_blank() const { return line_.ends_with(' '); }
  /// The first error.
  std::optional<Error> take_error() { return std::move(error_); }
  bool failed() const { return error_.has_value(); }

  /// Reports an error in the field that was read last; `unsupported` is as in Error.
  void fail(std::string message, bool unsupported = false);

  /// These functions read the next field: any text, or an integer.
  std::string_view word(std::string_view what);
  int64_t integer(std::string_view what);
  /// Reads a number that is finite and not negative.
  double real(std::string_view what);
  /// Reads a number of elements; some recorders write counts as "1e+06".
  uint64_t count(std::string_view what);
  /// Reads one of `ranks`, or another value that `form` allows.
  int32_t rank(std::string_view what, uint32_t ranks, RankForm form = RankForm::kRank);
  /// Reads a tag, or kAnyTag.
  int32_t tag(bool any_tag = false);
  /// Reads a datatype by its number in SMPI.
  Datatype datatype(std::string_view what);
  /// Reads an amount of flop at 1 Gflop/s.
  Time duration(std::string_view what);
  /// Reads one count for each rank.
  std::vector<uint64_t> counts(uint32_t ranks, std::string_view what);
  /// Reports an error if fields are left.
  void end();

  /// Shortens a field for an error message.
  static std::string shorten(std::string_view text);

 private:
  /// Reads plain decimal notation with up to six digits after the point, which is a whole number of femtoseconds;
  /// doubles could not hold large ones exactly. Takes the field only if it has this form.
  std::optional<Time> exact_duration();

  std::string_view line_;
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> ends_;
  size_t next_ = 0;
  int32_t last_column_ = 1;
  std::optional<Error> error_;
};

}  // namespace fabrictwin::trace::ti
