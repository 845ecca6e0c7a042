// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/column_decoder.h"

namespace fabrictwin {
namespace {

// MPI_ANY_SOURCE as SMPI records it, and as its replay knows it (SimGrid 3.32).
constexpr int64_t kTiAnySource = -333;
constexpr int64_t kTiReplayAnySource = -555;
// SMPI's MPI_ANY_TAG.
constexpr int64_t kTiAnyTag = -444;
constexpr double kFsPerNs = 1e6;
// Larger whole numbers are not exact in the decimal notation that recorders use.
constexpr double kMaxExact = 9007199254740992.0;

struct Name {
  std::string_view name;
  v1::TraceAction action;
};

constexpr std::array<Name, 25> kNames = {{
    {"init", v1::INIT},
    {"finalize", v1::FINALIZE},
    {"compute", v1::COMPUTE},
    {"send", v1::SEND},
    {"isend", v1::ISEND},
    {"recv", v1::RECV},
    {"irecv", v1::IRECV},
    {"wait", v1::WAIT_RECV},
    {"waitall", v1::WAITALL},
    {"sendRecv", v1::SENDRECV},
    {"barrier", v1::BARRIER},
    {"bcast", v1::BCAST},
    {"reduce", v1::REDUCE},
    {"allreduce", v1::ALLREDUCE},
    {"scan", v1::SCAN},
    {"exscan", v1::EXSCAN},
    {"allgather", v1::ALLGATHER},
    {"allgatherv", v1::ALLGATHERV},
    {"alltoall", v1::ALLTOALL},
    {"alltoallv", v1::ALLTOALLV},
    {"gather", v1::GATHER},
    {"gatherv", v1::GATHERV},
    {"scatter", v1::SCATTER},
    {"scatterv", v1::SCATTERV},
    {"reducescatter", v1::REDUCE_SCATTER},
}};

// Calls that SMPI records and a trace file has no form for: their effect on timing is not in the trace (which request a
// waitAny took, who is in a communicator).
constexpr std::array<std::string_view, 21> kUnsupported = {
    "waitAny",  "waitany", "waitsome", "waitSome", "test",      "testany",    "testall",
    "testsome", "probe",   "iprobe",   "sleep",    "comm_size", "comm_split", "comm_dup",
    "location", "ssend",   "issend",   "bsend",    "ibsend",    "rsend",      "start"};

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

// Walks over the fields of a line. The first mistake is kept; after it every field reads as zero.
class Fields {
 public:
  explicit Fields(std::string_view line) : line_(line) {
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

  size_t left() const { return starts_.size() - next_; }
  std::optional<TiError> take_error() { return std::move(error_); }
  bool failed() const { return error_.has_value(); }

  void fail(std::string message, bool unsupported = false) {
    if (!error_) error_ = TiError{last_column_, std::move(message), unsupported};
  }

  std::string_view word(std::string_view what) {
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

  int64_t integer(std::string_view what) {
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

  // Finite and not negative.
  double real(std::string_view what) {
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

  // Some recorders write counts as "1e+06".
  uint64_t count(std::string_view what) {
    const double value = real(what);
    if (value != std::floor(value) || value > kMaxExact) {
      fail(fmt::format("{} is not a number of elements", what));
      return 0;
    }
    return static_cast<uint64_t>(value);
  }

  int32_t rank(std::string_view what, uint32_t ranks, bool any_source = false) {
    const int64_t value = integer(what);
    if (failed()) return 0;
    if (any_source && (value == kTiAnySource || value == kTiReplayAnySource)) return kAnySource;
    if (value < 0 || value >= int64_t{ranks}) {
      fail(fmt::format("{} is rank {}, but the trace has ranks 0 to {}", what, value, ranks - 1));
      return 0;
    }
    return static_cast<int32_t>(value);
  }

  int32_t tag(bool any_tag = false) {
    const int64_t value = integer("the tag");
    if (any_tag && value == kTiAnyTag) return kAnyTag;
    if (value < 0 || value > std::numeric_limits<int32_t>::max()) {
      fail(fmt::format("tag {} is not supported: tags are 0 to {}", value, std::numeric_limits<int32_t>::max()));
      return 0;
    }
    return static_cast<int32_t>(value);
  }

  v1::TraceDatatype datatype(std::string_view what) {
    const int64_t id = integer(what);
    if (failed()) return v1::BYTE;
    const std::optional<v1::TraceDatatype> datatype = datatype_of_id(id);
    if (!datatype) fail(fmt::format("datatype {} is not known: 0 to 7, 11 and 12 are", id));
    return datatype.value_or(v1::BYTE);
  }

  // An amount of flop at 1 Gflop/s.
  Time duration(std::string_view what) {
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

  std::vector<uint64_t> counts(uint32_t ranks, std::string_view what) {
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

  void end() {
    if (failed() || left() == 0) return;
    const std::string_view text = word("");
    fail(fmt::format("nothing is expected here, but there is '{}'", shorten(text)));
  }

  static std::string_view shorten(std::string_view text) { return text.substr(0, 40); }

 private:
  // Plain decimal notation with up to six digits behind the point is a whole number of femtoseconds; doubles could not
  // hold the large ones. Takes the field only if it is such a number.
  std::optional<Time> exact_duration() {
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

  std::string_view line_;
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> ends_;
  size_t next_ = 0;
  int32_t last_column_ = 1;
  std::optional<TiError> error_;
};

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

std::optional<v1::TraceAction> read_action(Fields& fields) {
  const std::string_view word = fields.word("the name of the call");
  if (fields.failed()) return std::nullopt;
  for (const Name& name : kNames) {
    if (same_name(name.name, word)) return name.action;
  }
  for (const std::string_view name : kUnsupported) {
    if (!same_name(name, word)) continue;
    fields.fail(fmt::format("'{}' is not supported: a trace does not say enough of it to be replayed", word), true);
    return std::nullopt;
  }
  fields.fail(fmt::format("'{}' is not a call of a time-independent trace", Fields::shorten(word)));
  return std::nullopt;
}

void read_wait(Fields& fields, uint32_t rank, uint32_t ranks, TraceEvent& event) {
  const int32_t source = fields.rank("the source", ranks, true);
  const int32_t destination = fields.rank("the destination", ranks);
  if (fields.failed()) return;
  const int32_t self = static_cast<int32_t>(rank);
  if (destination == self) {
    event.action = v1::WAIT_RECV;
    event.peer = source;
  } else if (source == self) {
    event.action = v1::WAIT_SEND;
    event.peer = destination;
  } else {
    fields.fail(
        fmt::format("rank {} waits for a message from {} to {}, which is not its own", rank, source, destination));
  }
  event.tag = fields.tag();
}

// SMPI leaves out a receive count of zero: the number of fields tells.
void read_exchange(Fields& fields, uint32_t ranks, bool rooted, TraceEvent& event) {
  const size_t full = rooted ? 5 : 4;
  const bool has_received = fields.left() >= full;
  event.count = fields.count("the send count");
  event.receive_count = has_received ? fields.count("the receive count") : 0;
  if (rooted) event.peer = fields.rank("the root", ranks);
  event.datatype = fields.datatype("the send datatype");
  event.receive_datatype = fields.datatype("the receive datatype");
}

void read_alltoallv(Fields& fields, uint32_t ranks, TraceEvent& event) {
  const bool has_received = fields.left() >= 2 * size_t{ranks} + 4;
  fields.count("the size of the send buffer");
  event.send_counts = fields.counts(ranks, "the send counts");
  if (has_received) fields.count("the size of the receive buffer");
  event.receive_counts = fields.counts(ranks, "the receive counts");
  event.datatype = fields.datatype("the send datatype");
  event.receive_datatype = fields.datatype("the receive datatype");
}

void read_rooted_vector(Fields& fields, uint32_t ranks, TraceEvent& event) {
  if (event.action == v1::SCATTERV) {
    event.send_counts = fields.counts(ranks, "the send counts");
    event.receive_count = fields.count("the receive count");
  } else {
    event.count = fields.count("the send count");
    event.receive_counts = fields.counts(ranks, "the receive counts");
  }
  if (event.action != v1::ALLGATHERV) event.peer = fields.rank("the root", ranks);
  event.datatype = fields.datatype("the send datatype");
  event.receive_datatype =
      event.action == v1::ALLGATHERV && fields.left() == 0 ? event.datatype : fields.datatype("the receive datatype");
}

void read_arguments(Fields& fields, uint32_t rank, uint32_t ranks, TraceEvent& event) {
  switch (event.action) {
    case v1::COMPUTE:
      event.duration = fields.duration("the amount of computation");
      break;
    case v1::SEND:
    case v1::ISEND:
    case v1::RECV:
    case v1::IRECV:
      event.peer = fields.rank("the other end", ranks, event.action == v1::RECV || event.action == v1::IRECV);
      event.tag = fields.tag(event.action == v1::RECV || event.action == v1::IRECV);
      event.count = fields.count("the count");
      event.datatype = fields.datatype("the datatype");
      break;
    case v1::WAIT_RECV:
      read_wait(fields, rank, ranks, event);
      break;
    case v1::WAITALL:
      event.count = fields.count("the number of requests");
      break;
    case v1::SENDRECV:
      event.count = fields.count("the send count");
      event.peer = fields.rank("the destination", ranks);
      event.receive_count = fields.count("the receive count");
      event.receive_peer = fields.rank("the source", ranks);
      event.datatype = fields.datatype("the send datatype");
      event.receive_datatype = fields.datatype("the receive datatype");
      break;
    case v1::BCAST:
    case v1::REDUCE:
    case v1::ALLREDUCE:
    case v1::SCAN:
    case v1::EXSCAN:
      event.count = fields.count("the count");
      if (event.action != v1::BCAST) event.duration = fields.duration("the amount of computation");
      if (event.action == v1::BCAST || event.action == v1::REDUCE) event.peer = fields.rank("the root", ranks);
      event.datatype = fields.datatype("the datatype");
      break;
    case v1::ALLGATHER:
    case v1::ALLTOALL:
      read_exchange(fields, ranks, false, event);
      break;
    case v1::GATHER:
    case v1::SCATTER:
      read_exchange(fields, ranks, true, event);
      break;
    case v1::ALLTOALLV:
      read_alltoallv(fields, ranks, event);
      break;
    case v1::ALLGATHERV:
    case v1::GATHERV:
    case v1::SCATTERV:
      read_rooted_vector(fields, ranks, event);
      break;
    case v1::REDUCE_SCATTER:
      event.send_counts = fields.counts(ranks, "the receive counts");
      event.duration = fields.duration("the amount of computation");
      event.datatype = fields.datatype("the datatype");
      break;
    default:
      break;
  }
}

}  // namespace

std::optional<TiError> parse_ti_line(std::string_view line, uint32_t rank, uint32_t ranks, TraceEvent& event) {
  event = TraceEvent();
  Fields fields(line);
  const int64_t number = fields.integer("the rank");
  if (!fields.failed() && number != int64_t{rank})
    fields.fail(fmt::format("a line of rank {} in the file of rank {}", number, rank));
  const std::optional<v1::TraceAction> action = read_action(fields);
  if (action) {
    event.action = *action;
    read_arguments(fields, rank, ranks, event);
    fields.end();
  }
  if (fields.failed()) return fields.take_error();
  if (absl::Status status = check_event(event, ranks); !status.ok())
    return TiError{1, std::string(message_of(status)), false};
  return std::nullopt;
}

}  // namespace fabrictwin
