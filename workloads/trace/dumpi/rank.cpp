// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/rank.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::trace::dumpi {
namespace {

// DUMPI's number for MPI_REQUEST_NULL.
constexpr int64_t kNullRequest = 1;

struct CollectiveName {
  std::string_view name;
  v1::TraceAction action;
};
constexpr std::array<CollectiveName, 15> kCollectives = {{
    {"MPI_Barrier", v1::BARRIER},
    {"MPI_Bcast", v1::BCAST},
    {"MPI_Reduce", v1::REDUCE},
    {"MPI_Allreduce", v1::ALLREDUCE},
    {"MPI_Scan", v1::SCAN},
    {"MPI_Exscan", v1::EXSCAN},
    {"MPI_Allgather", v1::ALLGATHER},
    {"MPI_Allgatherv", v1::ALLGATHERV},
    {"MPI_Alltoall", v1::ALLTOALL},
    {"MPI_Alltoallv", v1::ALLTOALLV},
    {"MPI_Gather", v1::GATHER},
    {"MPI_Gatherv", v1::GATHERV},
    {"MPI_Scatter", v1::SCATTER},
    {"MPI_Scatterv", v1::SCATTERV},
    {"MPI_Reduce_scatter", v1::REDUCE_SCATTER},
}};

}  // namespace

Rank::Rank(uint32_t rank, Communicators& communicators, Sink sink)
    : rank_(rank),
      scope_(rank, communicators, [this](const format::Event& event) { return emit(event); }),
      sink_(std::move(sink)) {}

absl::Status Rank::emit(format::Event event) {
  if (format::action_shape(event.action).starts) ++started_;
  return sink_(event);
}

absl::StatusOr<bool> Rank::message(const Call& call, v1::TraceAction action, Side side, format::Event& event) {
  event.action = action;
  const absl::StatusOr<bool> somewhere =
      scope_.peer(call, side == Side::kSend ? "dest" : "source", "tag", side == Side::kReceive, event);
  if (!somewhere.ok() || !*somewhere) return somewhere;
  if (absl::Status status = scope_.read_count(call, "count", "datatype", event.datatype, event.count); !status.ok())
    return status;
  return true;
}

absl::Status Rank::add_message(const Call& call, v1::TraceAction action, Side side) {
  format::Event event;
  const absl::StatusOr<bool> somewhere = message(call, action, side, event);
  if (!somewhere.ok()) return somewhere.status();
  return *somewhere ? emit(std::move(event)) : absl::OkStatus();
}

absl::Status Rank::add_request(const Call& call, v1::TraceAction action, Side side, bool persistent) {
  const absl::StatusOr<std::vector<int64_t>> handles = call.list("request");
  if (!handles.ok()) return handles.status();
  if (handles->size() != 1) return call.error("here one request is expected");
  Request request{.persistent = persistent, .receive = side == Side::kReceive};
  const absl::StatusOr<bool> somewhere = message(call, action, side, request.event);
  if (!somewhere.ok()) return somewhere.status();
  request.nowhere = !*somewhere;
  Request& kept = requests_[handles->front()];
  if (kept.active && !kept.nowhere)
    return call.error(fmt::format("request {} has not been completed yet", handles->front()));
  kept = std::move(request);
  return persistent ? absl::OkStatus() : start(call, handles->front());
}

absl::Status Rank::start(const Call& call, int64_t handle) {
  const auto found = requests_.find(handle);
  if (found == requests_.end() || found->second.active)
    return call.error(fmt::format("request {} does not exist, or has been started already", handle));
  Request& request = found->second;
  request.active = true;
  request.ordinal = started_;
  return request.nowhere ? absl::OkStatus() : emit(request.event);
}

absl::Status Rank::wait(const Call& call, int64_t handle) {
  if (handle == kNullRequest) return absl::OkStatus();
  const auto found = requests_.find(handle);
  if (found == requests_.end()) return call.error(fmt::format("request {} does not exist", handle));
  Request& request = found->second;
  absl::Status status;
  if (request.active && !request.nowhere) {
    format::Event event;
    event.action = v1::WAIT;
    event.count = started_ - request.ordinal - 1;
    status = emit(std::move(event));
  }
  request.active = false;
  if (!request.persistent) requests_.erase(found);
  return status;
}

absl::Status Rank::add_completion(const Call& call) {
  const bool single = call.name == "MPI_Wait" || call.name == "MPI_Test";
  const bool test = call.name.starts_with("MPI_Test");
  const bool some = call.name.ends_with("some");
  if (test && !some) {
    const absl::StatusOr<int64_t> flag = call.integer("flag");
    if (!flag.ok()) return flag.status();
    if (*flag == 0) return absl::OkStatus();
  }
  if (some) {
    const absl::StatusOr<int64_t> count = call.integer("outcount");
    if (!count.ok()) return count.status();
    // None of the requests is active, or none has been completed.
    if (*count <= 0) return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<int64_t>> handles = call.list(single ? "request" : "requests");
  if (!handles.ok()) return handles.status();
  std::vector<int64_t> completed = *handles;
  if (some || call.name.ends_with("any")) {
    absl::StatusOr<std::vector<int64_t>> indices = std::vector<int64_t>();
    if (some) {
      indices = call.list("indices");
    } else {
      const absl::StatusOr<int64_t> index = call.integer("index");
      if (!index.ok()) return index.status();
      // MPI_UNDEFINED, a negative number, means that there was nothing to wait for.
      if (*index >= 0) indices->push_back(*index);
    }
    if (!indices.ok()) return indices.status();
    completed.clear();
    for (const int64_t index : *indices) {
      if (index < 0 || static_cast<size_t>(index) >= handles->size())
        return call.error(fmt::format("it completes request number {} of {}", index, handles->size()));
      completed.push_back((*handles)[static_cast<size_t>(index)]);
    }
  }
  for (const int64_t handle : completed) {
    if (absl::Status status = wait(call, handle); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Rank::add_exchange(const Call& call) {
  const bool replace = call.name == "MPI_Sendrecv_replace";
  format::Event send;
  format::Event receive;
  send.action = v1::ISEND;
  receive.action = v1::RECV;
  const absl::StatusOr<bool> to = scope_.peer(call, "dest", "sendtag", false, send);
  if (!to.ok()) return to.status();
  const absl::StatusOr<bool> from = scope_.peer(call, "source", "recvtag", true, receive);
  if (!from.ok()) return from.status();
  const auto count = [&](const char* name) { return replace ? "count" : name; };
  const auto type = [&](const char* name) { return replace ? "datatype" : name; };
  const uint64_t ordinal = started_;
  if (*to) {
    if (absl::Status status = scope_.read_count(call, count("sendcount"), type("sendtype"), send.datatype, send.count);
        !status.ok())
      return status;
    if (absl::Status status = emit(std::move(send)); !status.ok()) return status;
  }
  if (*from) {
    if (absl::Status status =
            scope_.read_count(call, count("recvcount"), type("recvtype"), receive.datatype, receive.count);
        !status.ok())
      return status;
    if (absl::Status status = emit(std::move(receive)); !status.ok()) return status;
  }
  if (!*to) return absl::OkStatus();
  format::Event wait;
  wait.action = v1::WAIT;
  wait.count = started_ - ordinal - 1;
  return emit(std::move(wait));
}

absl::Status Rank::add_probe(const Call& call) {
  if (call.name == "MPI_Iprobe") {
    const absl::StatusOr<int64_t> flag = call.integer("flag");
    if (!flag.ok()) return flag.status();
    if (*flag == 0) return absl::OkStatus();
  }
  format::Event event;
  event.action = v1::PROBE;
  const absl::StatusOr<bool> somewhere = scope_.peer(call, "source", "tag", true, event);
  if (!somewhere.ok()) return somewhere.status();
  return *somewhere ? emit(std::move(event)) : absl::OkStatus();
}

absl::Status Rank::add_collective(const Call& call, v1::TraceAction action) {
  format::Event event;
  event.action = action;
  const absl::StatusOr<const Communicators::Communicator*> group = scope_.communicator(call, event);
  if (!group.ok()) return group.status();
  const size_t members = (*group)->members.size();
  const format::ActionShape& shape = format::action_shape(action);
  bool root = true;
  if (shape.peers > 0) {
    const absl::StatusOr<int64_t> number = call.integer("root");
    if (!number.ok()) return number.status();
    if (*number < 0 || static_cast<size_t>(*number) >= members)
      return call.error_at(**call.field("root"), fmt::format("the communicator has {} ranks", members));
    event.peer = static_cast<int32_t>((*group)->members[static_cast<size_t>(*number)]);
    root = event.peer == static_cast<int32_t>(rank_);
  }
  // Arguments that only the root uses are ignored on other ranks, where they may be anything.
  const bool gathers = action == v1::GATHER || action == v1::GATHERV;
  const bool scatters = action == v1::SCATTER || action == v1::SCATTERV;
  absl::Status status;
  if (action == v1::REDUCE_SCATTER) {
    status = scope_.read_counts(call, "recvcounts", "datatype", members, event.datatype, event.send_counts);
  } else if (shape.datatypes == 1) {
    status = scope_.read_count(call, "count", "datatype", event.datatype, event.count);
  } else if (shape.datatypes == 2) {
    if (!scatters || root) {
      if (shape.sent == format::CountForm::kEachRank) {
        status = scope_.read_counts(call, "sendcounts", "sendtype", members, event.datatype, event.send_counts);
      } else {
        status = scope_.read_count(call, "sendcount", "sendtype", event.datatype, event.count);
      }
    }
    if (status.ok() && (!gathers || root)) {
      if (shape.received == format::CountForm::kEachRank) {
        status =
            scope_.read_counts(call, "recvcounts", "recvtype", members, event.receive_datatype, event.receive_counts);
      } else {
        status = scope_.read_count(call, "recvcount", "recvtype", event.receive_datatype, event.receive_count);
      }
    }
    if (scatters && !root) {
      event.datatype = event.receive_datatype;
      event.count = event.receive_count;
      if (action == v1::SCATTERV) event.send_counts.assign(members, 0);
    }
    if (gathers && !root) {
      event.receive_datatype = event.datatype;
      event.receive_count = event.count;
      if (action == v1::GATHERV) event.receive_counts.assign(members, 0);
    }
  }
  return status.ok() ? emit(std::move(event)) : status;
}

absl::StatusOr<bool> Rank::add_point_to_point(const Call& call) {
  struct Kind {
    std::string_view name;
    v1::TraceAction action;
    Side side = Side::kSend;
    bool persistent = false;
  };
  constexpr std::array<Kind, 5> kBlocking = {{{"MPI_Send", v1::SEND},
                                              {"MPI_Rsend", v1::SEND},
                                              {"MPI_Ssend", v1::SSEND},
                                              {"MPI_Bsend", v1::BSEND},
                                              {"MPI_Recv", v1::RECV, Side::kReceive}}};
  constexpr std::array<Kind, 10> kRequests = {{{"MPI_Isend", v1::ISEND},
                                               {"MPI_Irsend", v1::ISEND},
                                               {"MPI_Issend", v1::ISSEND},
                                               {"MPI_Ibsend", v1::IBSEND},
                                               {"MPI_Irecv", v1::IRECV, Side::kReceive},
                                               {"MPI_Send_init", v1::ISEND, Side::kSend, true},
                                               {"MPI_Rsend_init", v1::ISEND, Side::kSend, true},
                                               {"MPI_Ssend_init", v1::ISSEND, Side::kSend, true},
                                               {"MPI_Bsend_init", v1::IBSEND, Side::kSend, true},
                                               {"MPI_Recv_init", v1::IRECV, Side::kReceive, true}}};
  const auto done = [](const absl::Status& status) -> absl::StatusOr<bool> {
    if (!status.ok()) return status;
    return true;
  };
  for (const Kind& kind : kBlocking) {
    if (kind.name == call.name) return done(add_message(call, kind.action, kind.side));
  }
  for (const Kind& kind : kRequests) {
    if (kind.name == call.name) return done(add_request(call, kind.action, kind.side, kind.persistent));
  }
  if (call.name == "MPI_Sendrecv" || call.name == "MPI_Sendrecv_replace") return done(add_exchange(call));
  if (call.name == "MPI_Probe" || call.name == "MPI_Iprobe") return done(add_probe(call));
  if (call.name == "MPI_Start" || call.name == "MPI_Startall") {
    const absl::StatusOr<std::vector<int64_t>> handles = call.list(call.name == "MPI_Start" ? "request" : "requests");
    if (!handles.ok()) return handles.status();
    for (const int64_t handle : *handles) {
      if (absl::Status status = start(call, handle); !status.ok()) return status;
    }
    return true;
  }
  if (call.name == "MPI_Request_free") {
    const absl::StatusOr<std::vector<int64_t>> handles = call.list("request");
    if (!handles.ok()) return handles.status();
    for (const int64_t handle : *handles) {
      const auto found = requests_.find(handle);
      if (found == requests_.end()) return call.error(fmt::format("request {} does not exist", handle));
      if (found->second.active && found->second.receive && !found->second.nowhere)
        return absl::UnimplementedError(call.error("a receive that is given up is not supported").message());
      requests_.erase(found);
    }
    return true;
  }
  constexpr std::array<std::string_view, 8> kCompletions = {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome",
                                                            "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome"};
  if (std::find(kCompletions.begin(), kCompletions.end(), call.name) == kCompletions.end()) return false;
  return done(add_completion(call));
}

absl::Status Rank::add(const Call& call) {
  if (finalized_) return call.error("nothing can follow MPI_Finalize");
  if (call.name == "MPI_Init" || call.name == "MPI_Init_thread") {
    if (initialized_) return call.error("it is called twice");
    initialized_ = true;
    last_ns_ = call.returned_ns;
    format::Event event;
    event.action = v1::INIT;
    return emit(std::move(event));
  }
  if (!initialized_) {
    return call.local() ? absl::OkStatus() : call.error("it is called before MPI_Init");
  }
  if (call.entered_ns < last_ns_) return call.error("it begins before the call before it has returned");
  if (call.entered_ns > last_ns_) {
    format::Event event;
    event.action = v1::COMPUTE;
    event.duration = Time::from_ns(call.entered_ns - last_ns_);
    if (absl::Status status = emit(std::move(event)); !status.ok()) return status;
  }
  last_ns_ = call.returned_ns;
  if (call.name == "MPI_Finalize") {
    finalized_ = true;
    format::Event event;
    event.action = v1::FINALIZE;
    return emit(std::move(event));
  }
  absl::StatusOr<bool> known = add_point_to_point(call);
  if (!known.ok() || *known) return known.status();
  for (const CollectiveName& each : kCollectives) {
    if (each.name == call.name) return add_collective(call, each.action);
  }
  known = scope_.make_communicator(call);
  if (!known.ok() || *known) return known.status();
  known = scope_.free_communicator(call);
  if (!known.ok() || *known) return known.status();
  known = scope_.make_type(call);
  if (!known.ok() || *known) return known.status();
  if (call.local()) return absl::OkStatus();
  return absl::UnimplementedError(call.error("this call is not supported: a trace has no form for it").message());
}

}  // namespace fabrictwin::trace::dumpi
