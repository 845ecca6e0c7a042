// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/text_source.h"

namespace fabrictwin {
namespace {

// MPI_ANY_SOURCE as SMPI records it, which is also its MPI_PROC_NULL, and as its replay knows it (SimGrid 3.32).
constexpr int64_t kSmpiAnySource = kTiProcNull;
constexpr int64_t kSmpiReplayAnySource = -555;
// SMPI's MPI_ANY_TAG.
constexpr int64_t kSmpiAnyTag = -444;
constexpr double kFsPerNs = 1e6;
// Larger whole numbers are not exact in the decimal notation that recorders use.
constexpr double kMaxExact = 9007199254740992.0;

std::optional<v1::TraceDatatype> datatype_of_id(int64_t id) {
  switch (id) {
    case 0:
      return v1::DOUBLE;
    case 1:
      return v1::INT;
    case 2:
      return v1::CHAR;
    case 3:
      return v1::SHORT;
    case 4:
      return v1::LONG;
    case 5:
      return v1::FLOAT;
    case 6:
      return v1::BYTE;
    case 7:
      return v1::LONG_LONG;
    case 11:
      return v1::UNSIGNED;
    case 12:
      return v1::UNSIGNED_LONG;
    default:
      return std::nullopt;
  }
}

}  // namespace

TiFields::TiFields(std::string_view line) : line_(line) {
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

void TiFields::fail(std::string message, bool unsupported) {
  if (!error_) error_ = TiError{last_column_, std::move(message), unsupported};
}

std::string_view TiFields::word(std::string_view what) {
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

int64_t TiFields::integer(std::string_view what) {
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

double TiFields::real(std::string_view what) {
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

uint64_t TiFields::count(std::string_view what) {
  const double value = real(what);
  if (value != std::floor(value) || value > kMaxExact) {
    fail(fmt::format("{} is not a number of elements", what));
    return 0;
  }
  return static_cast<uint64_t>(value);
}

int32_t TiFields::rank(std::string_view what, uint32_t ranks, RankForm form) {
  const int64_t value = integer(what);
  if (failed()) return 0;
  if (form == RankForm::kOrProcNull && value == kTiProcNull) return kTiProcNull;
  if (form == RankForm::kOrAnySource && (value == kSmpiAnySource || value == kSmpiReplayAnySource)) return kAnySource;
  if (value < 0 || value >= int64_t{ranks}) {
    fail(fmt::format("{} is rank {}, but the trace has ranks 0 to {}", what, value, ranks - 1));
    return 0;
  }
  return static_cast<int32_t>(value);
}

int32_t TiFields::tag(bool any_tag) {
  const int64_t value = integer("the tag");
  if (any_tag && value == kSmpiAnyTag) return kAnyTag;
  if (value < 0 || value > std::numeric_limits<int32_t>::max()) {
    fail(fmt::format("tag {} is not supported: tags are 0 to {}", value, std::numeric_limits<int32_t>::max()));
    return 0;
  }
  return static_cast<int32_t>(value);
}

v1::TraceDatatype TiFields::datatype(std::string_view what) {
  const int64_t id = integer(what);
  if (failed()) return v1::BYTE;
  const std::optional<v1::TraceDatatype> datatype = datatype_of_id(id);
  if (!datatype) fail(fmt::format("datatype {} is not known: 0 to 7, 11 and 12 are", id));
  return datatype.value_or(v1::BYTE);
}

Time TiFields::duration(std::string_view what) {
  if (const std::optional<Time> exact = exact_duration()) return *exact;
  const double ns = real(what);
  // What is whole stays exact.
  if (ns == std::floor(ns) && ns < static_cast<double>(std::numeric_limits<int64_t>::max()) / kFsPerNs)
    return Time::from_ns(static_cast<int64_t>(ns));
  const double fs = std::round(ns * kFsPerNs);
  if (fs >= static_cast<double>(std::numeric_limits<int64_t>::max())) {
    fail(fmt::format("{} is longer than simulated time can be", what));
    return Time::zero();
  }
  return Time::from_fs(static_cast<int64_t>(fs));
}

std::vector<uint64_t> TiFields::counts(uint32_t ranks, std::string_view what) {
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

void TiFields::end() {
  if (failed() || left() == 0) return;
  const std::string_view text = word("");
  fail(fmt::format("nothing is expected here, but there is '{}'", shorten(text)));
}

std::string TiFields::shorten(std::string_view text) { return quotable(text.substr(0, 40)); }

std::optional<Time> TiFields::exact_duration() {
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

}  // namespace fabrictwin
