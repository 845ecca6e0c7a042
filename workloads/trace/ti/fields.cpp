// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/format/text_source.h"

namespace fabrictwin::trace::ti {
namespace {

// MPI_ANY_SOURCE as SMPI records it, which is also its MPI_PROC_NULL, and as its replay accepts it (SimGrid 3.32).
constexpr int64_t kSmpiAnySource = kTiProcNull;
constexpr int64_t kSmpiReplayAnySource = -555;
// SMPI's MPI_ANY_TAG.
constexpr int64_t kSmpiAnyTag = -444;
constexpr double kFsPerNs = 1e6;
// Larger integers are not exact in the decimal notation that recorders use.
constexpr double kMaxExact = 9007199254740992.0;

// Indexed by the type numbers that SimGrid 3.32's recorder writes on 64-bit Linux. No program can use the others.
constexpr std::array<Datatype, 60> kDatatypes = {{
    {v1::DOUBLE, 1},         // MPI_DOUBLE
    {v1::INT, 1},            // MPI_INT
    {v1::CHAR, 1},           // MPI_CHAR
    {v1::SHORT, 1},          // MPI_SHORT
    {v1::LONG, 1},           // MPI_LONG
    {v1::FLOAT, 1},          // MPI_FLOAT
    {v1::BYTE, 1},           // MPI_BYTE
    {v1::LONG_LONG, 1},      // MPI_LONG_LONG
    {v1::CHAR, 1},           // MPI_SIGNED_CHAR
    {v1::CHAR, 1},           // MPI_UNSIGNED_CHAR
    {v1::SHORT, 1},          // MPI_UNSIGNED_SHORT
    {v1::UNSIGNED, 1},       // MPI_UNSIGNED
    {v1::UNSIGNED_LONG, 1},  // MPI_UNSIGNED_LONG
    {v1::LONG_LONG, 1},      // MPI_UNSIGNED_LONG_LONG
    {v1::DOUBLE, 2},         // MPI_LONG_DOUBLE
    {v1::INT, 1},            // MPI_WCHAR
    {v1::BYTE, 1},           // MPI_C_BOOL
    {v1::CHAR, 1},           // MPI_INT8_T
    {v1::SHORT, 1},          // MPI_INT16_T
    {v1::INT, 1},            // MPI_INT32_T
    {v1::LONG, 1},           // MPI_INT64_T
    {v1::BYTE, 1},           // MPI_UINT8_T
    {v1::SHORT, 1},          // MPI_UINT16_T
    {v1::UNSIGNED, 1},       // MPI_UINT32_T
    {v1::UNSIGNED_LONG, 1},  // MPI_UINT64_T
    {v1::DOUBLE, 1},         // MPI_C_FLOAT_COMPLEX
    {v1::DOUBLE, 2},         // MPI_C_DOUBLE_COMPLEX
    {v1::DOUBLE, 4},         // MPI_C_LONG_DOUBLE_COMPLEX
    {v1::LONG, 1},           // MPI_AINT
    {v1::LONG, 1},           // MPI_OFFSET
    {v1::DOUBLE, 1},         // MPI_FLOAT_INT
    {v1::DOUBLE, 2},         // MPI_LONG_INT
    {v1::DOUBLE, 2},         // MPI_DOUBLE_INT
    {v1::DOUBLE, 1},         // MPI_SHORT_INT
    {v1::DOUBLE, 1},         // MPI_2INT
    {v1::DOUBLE, 1},         // MPI_2FLOAT
    {v1::DOUBLE, 2},         // MPI_2DOUBLE
    {v1::DOUBLE, 2},         // MPI_2LONG
    {v1::FLOAT, 1},          // MPI_REAL
    {v1::FLOAT, 1},          // MPI_REAL4
    {v1::DOUBLE, 1},         // MPI_REAL8
    {v1::DOUBLE, 2},         // MPI_REAL16
    {v1::DOUBLE, 1},         // MPI_COMPLEX8
    {v1::DOUBLE, 2},         // MPI_COMPLEX16
    {v1::DOUBLE, 4},         // MPI_COMPLEX32
    {v1::INT, 1},            // MPI_INTEGER1, of 4 bytes there
    {v1::SHORT, 1},          // MPI_INTEGER2
    {v1::INT, 1},            // MPI_INTEGER4
    {v1::LONG, 1},           // MPI_INTEGER8
    {v1::DOUBLE, 2},         // MPI_INTEGER16
    {v1::DOUBLE, 4},         // MPI_LONG_DOUBLE_INT
    {v1::BYTE, 1},           // MPI_CXX_BOOL
    {},
    {},
    {},
    {},
    {},
    {v1::BYTE, 1},  // MPI_PACKED
    {},
    {v1::LONG_LONG, 1},  // MPI_COUNT
}};
// A derived datatype of the program.
constexpr int64_t kMadeByProgram = -1;

}  // namespace

Fields::Fields(std::string_view line) : line_(line) {
  size_t at = 0;
  while (true) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at == line.size()) break;
    const size_t begin = at;
    while (at < line.size() && line[at] != ' ' && line[at] != '\t') ++at;
    starts_.push_back(static_cast<uint32_t>(begin));
    ends_.push_back(static_cast<uint32_t>(at));
  }
}

bool Fields::zeros_and_one() const {
  for (size_t i = next_; i + 1 < starts_.size(); ++i) {
    if (line_.substr(starts_[i], ends_[i] - starts_[i]) != "0") return false;
  }
  return left() > 0;
}

void Fields::fail(std::string message, bool unsupported) {
  if (!error_) error_ = Error{last_column_, std::move(message), unsupported};
}

std::string_view Fields::word(std::string_view what) {
  if (next_ == starts_.size()) {
    last_column_ = static_cast<int32_t>(line_.size()) + 1;
    fail(fmt::format("{} is missing", what));
    return {};
  }
  last_column_ = static_cast<int32_t>(starts_[next_]) + 1;
  const std::string_view text = line_.substr(starts_[next_], ends_[next_] - starts_[next_]);
  ++next_;
  return text;
}

int64_t Fields::integer(std::string_view what) {
  const std::string_view text = word(what);
  if (failed()) return 0;
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    fail(fmt::format("{} is not a whole number: '{}'", what, shorten(text)));
    return 0;
  }
  return value;
}

double Fields::real(std::string_view what) {
  const std::string_view text = word(what);
  if (failed()) return 0;
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(fmt::format("{} is not a number: '{}'", what, shorten(text)));
    return 0;
  }
  if (value < 0) fail(fmt::format("{} is negative", what));
  return value < 0 ? 0 : value;
}

uint64_t Fields::count(std::string_view what) {
  const double value = real(what);
  if (value != std::floor(value) || value > kMaxExact) {
    fail(fmt::format("{} is not a number of elements", what));
    return 0;
  }
  return static_cast<uint64_t>(value);
}

int32_t Fields::rank(std::string_view what, uint32_t ranks, RankForm form) {
  const int64_t value = integer(what);
  if (failed()) return 0;
  const bool source = form == RankForm::kOrAnySource || form == RankForm::kOrUnnamed;
  if ((form == RankForm::kOrProcNull || form == RankForm::kOrUnnamed) && value == kTiProcNull) return kTiProcNull;
  if (source && (value == kSmpiAnySource || value == kSmpiReplayAnySource)) return format::kAnySource;
  if (value < 0 || value >= int64_t{ranks}) {
    fail(fmt::format("{} is rank {}, but the trace has ranks 0 to {}", what, value, ranks - 1));
    return 0;
  }
  return static_cast<int32_t>(value);
}

int32_t Fields::tag(bool any_tag) {
  const int64_t value = integer("the tag");
  if (any_tag && value == kSmpiAnyTag) return format::kAnyTag;
  if (value < 0 || value > std::numeric_limits<int32_t>::max()) {
    fail(fmt::format("tag {} is not supported: tags are 0 to {}", value, std::numeric_limits<int32_t>::max()));
    return 0;
  }
  return static_cast<int32_t>(value);
}

Datatype Fields::datatype(std::string_view what) {
  const int64_t id = integer(what);
  constexpr Datatype kByte = {v1::BYTE, 1};
  if (failed()) return kByte;
  if (id == kMadeByProgram) {
    fail(fmt::format("{} is one that the program made (-1): its size is not in the trace", what), true);
    return kByte;
  }
  const bool listed = id >= 0 && id < int64_t{kDatatypes.size()};
  if (listed && kDatatypes[static_cast<size_t>(id)].elements > 0) return kDatatypes[static_cast<size_t>(id)];
  fail(fmt::format("datatype {} is not known: 0 to 51, 57 and 59 are", id));
  return kByte;
}

Time Fields::duration(std::string_view what) {
  if (const std::optional<Time> exact = exact_duration()) return *exact;
  const double ns = real(what);
  // Whole numbers stay exact.
  if (ns == std::floor(ns) && ns < static_cast<double>(std::numeric_limits<int64_t>::max()) / kFsPerNs)
    return Time::from_ns(static_cast<int64_t>(ns));
  const double fs = std::round(ns * kFsPerNs);
  if (fs >= static_cast<double>(std::numeric_limits<int64_t>::max())) {
    fail(fmt::format("{} is longer than simulated time can be", what));
    return Time::zero();
  }
  return Time::from_fs(static_cast<int64_t>(fs));
}

std::vector<uint64_t> Fields::counts(uint32_t ranks, std::string_view what) {
  std::vector<uint64_t> counts;
  if (left() < ranks) {
    last_column_ = static_cast<int32_t>(line_.size()) + 1;
    fail(fmt::format("{} must be {} numbers, one for each rank", what, ranks));
    return counts;
  }
  counts.reserve(ranks);
  for (uint32_t i = 0; i < ranks && !failed(); ++i) counts.push_back(count(what));
  return counts;
}

void Fields::end() {
  if (failed() || left() == 0) return;
  const std::string_view text = word("");
  fail(fmt::format("nothing is expected here, but there is '{}'", shorten(text)));
}

std::string Fields::shorten(std::string_view text) { return format::quotable(text.substr(0, 40)); }

std::optional<Time> Fields::exact_duration() {
  if (next_ == starts_.size()) return std::nullopt;
  const std::string_view text = line_.substr(starts_[next_], ends_[next_] - starts_[next_]);
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view part = text.substr(std::min(point + 1, text.size()));
  int64_t whole = 0;
  int64_t fs = 0;
  if (part.size() > 6 || text.starts_with('-') || part.starts_with('-')) return std::nullopt;
  if (!parse_number(text.substr(0, point), whole) || (!part.empty() && !parse_number(part, fs))) return std::nullopt;
  for (size_t digits = part.size(); digits < 6; ++digits) fs *= 10;
  constexpr int64_t kFsOfNs = 1'000'000;
  if (whole >= std::numeric_limits<int64_t>::max() / kFsOfNs) return std::nullopt;
  last_column_ = static_cast<int32_t>(starts_[next_++]) + 1;
  return Time::from_fs(whole * kFsOfNs + fs);
}

}  // namespace fabrictwin::trace::ti
