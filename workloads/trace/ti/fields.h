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

#include "workloads/trace/ti_error.h"
#include "workloads/trace/ti_line.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// What an element of a datatype is in a trace file: so many elements of a type, which has its size if it is 1.
struct TiDatatype {
  v1::TraceDatatype type = v1::BYTE;
  uint32_t elements = 0;
};

/// Walks over the fields of a line. The first mistake is kept; after it every field reads as zero. `what` names a field
/// in mistakes. Not thread-safe.
class TiFields {
 public:
  /// `line` must outlive this.
  explicit TiFields(std::string_view line);

  /// What a rank may be.
  enum class RankForm : uint8_t {
    kRank,
    kOrAnySource,  ///< Or kAnySource.
    kOrProcNull,   ///< Or kTiProcNull.
    kOrUnnamed,    ///< Or either; the number that SMPI has for both is kTiProcNull.
  };

  /// How many fields are left.
  size_t left() const { return starts_.size() - next_; }
  /// Whether the fields that are left are zeros but for the last one, which may be anything.
  bool zeros_and_one() const;
  bool ends_in_blank() const { return line_.ends_with(' '); }
  /// The first mistake.
  std::optional<TiError> take_error() { return std::move(error_); }
  bool failed() const { return error_.has_value(); }

  /// A mistake in the field that was read last; `unsupported` as in TiError.
  void fail(std::string message, bool unsupported = false);

  /// The next field, as each of these takes it: any text, a whole number.
  std::string_view word(std::string_view what);
  int64_t integer(std::string_view what);
  /// Finite and not negative.
  double real(std::string_view what);
  /// A number of elements; some recorders write counts as "1e+06".
  uint64_t count(std::string_view what);
  /// One of `ranks`, or what `form` allows besides.
  int32_t rank(std::string_view what, uint32_t ranks, RankForm form = RankForm::kRank);
  /// A tag, or kAnyTag.
  int32_t tag(bool any_tag = false);
  /// A datatype by SMPI's number of it.
  TiDatatype datatype(std::string_view what);
  /// An amount of flop at 1 Gflop/s.
  Time duration(std::string_view what);
  /// One count for each rank.
  std::vector<uint64_t> counts(uint32_t ranks, std::string_view what);
  /// Nothing may be left.
  void end();

  /// What of a field fits into a message.
  static std::string shorten(std::string_view text);

 private:
  /// Plain decimal notation with up to six digits behind the point is a whole number of femtoseconds; doubles could not
  /// hold the large ones. Takes the field only if it is such a number.
  std::optional<Time> exact_duration();

  std::string_view line_;
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> ends_;
  size_t next_ = 0;
  int32_t last_column_ = 1;
  std::optional<TiError> error_;
};

}  // namespace fabrictwin
