// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/export.h"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/check/outstanding_requests.h"
#include "workloads/trace/format/output_folder.h"

namespace fabrictwin::trace::ti {
namespace {

// Any source in SimGrid's replay; its recorder writes -333, with which the replay never ends.
constexpr int kTiAnySource = -555;
constexpr int kTiAnyTag = -444;
constexpr int64_t kNanosecond = 1'000'000;
// The buffer is written when it exceeds this size.
constexpr size_t kBufferBytes = 1u << 16;

int ti_datatype(v1::TraceDatatype datatype) {
  switch (datatype) {
    case v1::DOUBLE:
      return 0;
    case v1::INT:
      return 1;
    case v1::CHAR:
      return 2;
    case v1::SHORT:
      return 3;
    case v1::LONG:
      return 4;
    case v1::FLOAT:
      return 5;
    case v1::LONG_LONG:
      return 7;
    case v1::UNSIGNED:
      return 11;
    case v1::UNSIGNED_LONG:
      return 12;
    default:
      return 6;
  }
}

int ti_rank(int32_t rank) { return rank == format::kAnySource ? kTiAnySource : rank; }
int ti_tag(int32_t tag) { return tag == format::kAnyTag ? kTiAnyTag : tag; }

// Formats nanoseconds with as many digits as needed.
std::string amount(Time duration) {
  const int64_t whole = duration.fs() / kNanosecond;
  const int64_t part = duration.fs() % kNanosecond;
  if (part == 0) return fmt::format("{}", whole);
  std::string text = fmt::format("{}.{:06}", whole, part);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

uint64_t sum(const std::vector<uint64_t>& counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

std::string_view ti_name(v1::TraceAction action) {
  switch (action) {
    case v1::SENDRECV:
      return "sendRecv";
    case v1::WAIT_SEND:
    case v1::WAIT_RECV:
      return "wait";
    case v1::REDUCE_SCATTER:
      return "reducescatter";
    default:
      return format::action_name(action);
  }
}

std::string fields(const format::Event& event, uint32_t rank) {
  const int type = ti_datatype(event.datatype);
  const int receive_type = ti_datatype(event.receive_datatype);
  const auto& sends = event.send_counts;
  const auto& receives = event.receive_counts;
  switch (event.action) {
    case v1::COMPUTE:
      return amount(event.duration);
    case v1::SEND:
    case v1::ISEND:
    case v1::RECV:
    case v1::IRECV:
      return fmt::format("{} {} {} {}", ti_rank(event.peer), ti_tag(event.tag), event.count, type);
    case v1::WAIT_SEND:
      return fmt::format("{} {} {}", rank, event.peer, event.tag);
    case v1::WAIT_RECV:
      return fmt::format("{} {} {}", ti_rank(event.peer), rank, ti_tag(event.tag));
    case v1::WAITALL:
      return fmt::format("{}", event.count);
    case v1::SENDRECV:
      return fmt::format("{} {} {} {} {} {}", event.count, event.peer, event.receive_count, event.receive_peer, type,
                         receive_type);
    case v1::BCAST:
      return fmt::format("{} {} {}", event.count, event.peer, type);
    case v1::REDUCE:
      return fmt::format("{} {} {} {}", event.count, amount(event.duration), event.peer, type);
    case v1::ALLREDUCE:
    case v1::SCAN:
    case v1::EXSCAN:
      return fmt::format("{} {} {}", event.count, amount(event.duration), type);
    case v1::ALLGATHER:
    case v1::ALLTOALL:
      return fmt::format("{} {} {} {}", event.count, event.receive_count, type, receive_type);
    case v1::GATHER:
    case v1::SCATTER:
      return fmt::format("{} {} {} {} {}", event.count, event.receive_count, event.peer, type, receive_type);
    case v1::ALLTOALLV:
      return fmt::format("{} {} {} {} {} {}", sum(sends), fmt::join(sends, " "), sum(receives),
                         fmt::join(receives, " "), type, receive_type);
    case v1::ALLGATHERV:
      return fmt::format("{} {} {} {}", event.count, fmt::join(receives, " "), type, receive_type);
    case v1::GATHERV:
      return fmt::format("{} {} {} {} {}", event.count, fmt::join(receives, " "), event.peer, type, receive_type);
    case v1::SCATTERV:
      return fmt::format("{} {} {} {} {}", fmt::join(sends, " "), event.receive_count, event.peer, type, receive_type);
    case v1::REDUCE_SCATTER:
      return fmt::format("{} {} {}", fmt::join(sends, " "), amount(event.duration), type);
    default:
      return {};
  }
}

bool has_line(v1::TraceAction action) {
  switch (action) {
    case v1::COMM_CREATE:
    case v1::COMM_FREE:
    case v1::SSEND:
    case v1::ISSEND:
    case v1::BSEND:
    case v1::IBSEND:
    case v1::PROBE:
    case v1::WAIT:
      return false;
    default:
      return format::blocking_action(action) == action;
  }
}

// Writes a wait as one for the oldest request with its source, destination and tag.
absl::Status name_wait(format::Event& wait, const check::OutstandingRequests& requests) {
  const bool send = requests.awaited().front().sends();
  if (wait.action == v1::WAIT) {
    absl::StatusOr<format::Event> named = requests.named_wait();
    if (!named.ok()) return named.status();
    wait = *std::move(named);
  } else if (send != (wait.action == v1::WAIT_SEND)) {
    return absl::UnimplementedError(
        "a time-independent trace waits for messages to oneself in the order in which they were started");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> next_line(format::Event& event, uint32_t rank, check::OutstandingRequests& requests) {
  if (absl::Status status = requests.follow(event); !status.ok()) return status;
  const bool waits = event.action == v1::WAIT || event.action == v1::WAIT_SEND || event.action == v1::WAIT_RECV;
  if (waits) {
    if (absl::Status status = name_wait(event, requests); !status.ok()) return status;
  }
  return ti_line(event, rank);
}

absl::Status export_rank(const format::Source& trace, uint32_t rank, format::OutputFolder& folder) {
  const std::unique_ptr<format::EventSource> source = trace.rank(rank);
  format::Event event;
  std::string text;
  check::OutstandingRequests requests(static_cast<int32_t>(rank));
  for (uint64_t number = 0;; ++number) {
    absl::StatusOr<bool> more = source->next(event);
    if (!more.ok()) return more.status();
    if (!*more) break;
    absl::StatusOr<std::string> line = next_line(event, rank, requests);
    if (!line.ok()) {
      return absl::Status(line.status().code(), fmt::format("{}: rank {}, event {}: {}", trace.name(), rank, number,
                                                            message_of(line.status())));
    }
    text += *line + "\n";
    if (text.size() < kBufferBytes) continue;
    if (absl::Status status = folder.write(text); !status.ok()) return status;
    text.clear();
  }
  return folder.write(text);
}

std::string file_name(uint32_t rank) { return fmt::format("rank-{:04}.ti", rank); }

}  // namespace

absl::StatusOr<std::string> ti_line(const format::Event& event, uint32_t rank) {
  if (!has_line(event.action)) {
    return absl::UnimplementedError(
        fmt::format("a time-independent trace has no form for {}", format::action_name(event.action)));
  }
  if (event.communicator != 0)
    return absl::UnimplementedError("a time-independent trace has no communicators but that of all ranks");
  const std::string rest = fields(event, rank);
  return fmt::format("{} {}{}{}", rank, ti_name(event.action), rest.empty() ? "" : " ", rest);
}

absl::Status export_ti(const format::Source& trace, const std::string& out) {
  absl::StatusOr<std::unique_ptr<format::OutputFolder>> folder = format::OutputFolder::create(out);
  if (!folder.ok()) return folder.status();
  if (absl::Status status = (*folder)->begin_file("trace.index"); !status.ok()) return status;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    if (absl::Status status = (*folder)->write(file_name(rank) + "\n"); !status.ok()) return status;
  }
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    if (absl::Status status = (*folder)->begin_file(file_name(rank)); !status.ok()) return status;
    if (absl::Status status = export_rank(trace, rank, **folder); !status.ok()) return status;
  }
  return (*folder)->finish();
}

}  // namespace fabrictwin::trace::ti
