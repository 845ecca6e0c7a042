// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/rank_events.h"

#include <otf2/OTF2_Events.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "workloads/trace/otf2/calls.h"

namespace fabrictwin::trace::otf2 {
namespace {

// MPI's own numbers, as in records of EZTrace.
constexpr uint32_t kMpiAnyTag = static_cast<uint32_t>(-1);
// MPI_PROC_NULL: -1 is MPICH's, -2 Open MPI's and MPICH's on completion.
constexpr std::array<int32_t, 2> kMpiNobody = {-1, -2};

}  // namespace

RankEvents::RankEvents(const Definitions& definitions, uint32_t rank, Sink sink)
    : definitions_(definitions), rank_(rank), sink_(std::move(sink)) {
  push(v1::INIT, 0);
}

std::string RankEvents::at(const Record& record, std::string_view text) const {
  return fmt::format("rank {}, record {} ({}): {}", rank_, record.number, record.name, text);
}

template <typename... Arguments>
absl::Status RankEvents::error(const Record& record, fmt::format_string<Arguments...> text,
                               Arguments&&... arguments) const {
  return absl::InvalidArgumentError(at(record, fmt::format(text, std::forward<Arguments>(arguments)...)));
}

template <typename... Arguments>
absl::Status RankEvents::refusal(const Record& record, fmt::format_string<Arguments...> text,
                                 Arguments&&... arguments) const {
  return absl::UnimplementedError(at(record, fmt::format(text, std::forward<Arguments>(arguments)...)));
}

absl::Status RankEvents::advance(const Record& record) {
  records_ = record.number + 1;
  if (!begun_) {
    begun_ = true;
    last_ = record.time;
  }
  if (record.time < last_) return error(record, "it is earlier than the record before it");
  if (calls_.empty() && !finalized_) {
    const Time duration = definitions_.duration(last_, record.time);
    if (duration > Time::zero()) push(v1::COMPUTE, record.number).call.event.duration = duration;
  }
  last_ = record.time;
  return absl::OkStatus();
}

absl::Status RankEvents::enter(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  const std::string* const region = definitions_.mpi_call(record.region);
  if (region == nullptr) return error(record, "region {} is not defined", record.region);
  const std::string& name = *region;
  if (name.empty()) return hand_over();
  if (const std::string why = why_unsupported(name, definitions_.by_eztrace()); !why.empty())
    return refusal(record, "{}", why);
  calls_.push_back({record.region, name});
  return hand_over();
}

absl::Status RankEvents::leave(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  // Other regions need not be nested: EZTrace's own are not.
  const std::string* const region = definitions_.mpi_call(record.region);
  if (region == nullptr) return error(record, "region {} is not defined", record.region);
  const std::string& name = *region;
  if (name.empty()) return hand_over();
  if (calls_.empty() || calls_.back().region != record.region)
    return error(record, "it leaves {}, which is not the call entered last", name);
  if (!calls_.back().has_collective && is_collective_call(name)) {
    return refusal(record, "{} has left no record of what it did: the producer does not record this call", name);
  }
  if (is_exchange(call()) && exchange_) {
    wait(std::move(exchange_), record.number);
    exchange_ = nullptr;
  }
  finalized_ = finalized_ || call() == "MPI_Finalize";
  calls_.pop_back();
  return hand_over();
}

absl::Status RankEvents::peer_of(const Record& record, format::Event& event) const {
  const Communicator* communicator = definitions_.communicator(record.communicator);
  if (communicator == nullptr) return error(record, "communicator {} is not defined", record.communicator);
  if (!communicator->problem.empty())
    return error(record, "communicator {} ({}): {}", record.communicator, communicator->name, communicator->problem);
  const size_t size = communicator->self ? 1 : communicator->members.size();
  if (record.peer >= size)
    return error(record, "rank {} is not one of the {} of communicator {}", record.peer, size, communicator->name);
  event.peer = static_cast<int32_t>(communicator->self ? rank_ : communicator->members[record.peer]);
  event.communicator = record.communicator;
  return absl::OkStatus();
}

absl::StatusOr<bool> RankEvents::is_nothing(const Record& record, bool received) const {
  // Score-P has no record of such a message.
  const auto peer = static_cast<int32_t>(record.peer);
  if (!definitions_.by_eztrace() || peer >= 0) return false;
  if (std::find(kMpiNobody.begin(), kMpiNobody.end(), peer) == kMpiNobody.end())
    return error(record, "rank {} is neither one of the ranks nor MPI_PROC_NULL", peer);
  // On completion, the source is the real one even for a receive from any source.
  if (received && (record.bytes != 0 || record.tag != kMpiAnyTag))
    return error(record, "{} bytes with tag {} cannot come from rank {}", record.bytes, record.tag, peer);
  return true;
}

absl::Status RankEvents::message(const Record& record, v1::TraceAction action, Call& call) const {
  if (finalized_) return error(record, "this is after MPI_Finalize");
  if (record.tag > uint32_t{std::numeric_limits<int32_t>::max()})
    return error(record, "tag {} is not supported: tags are 0 to {}", record.tag, std::numeric_limits<int32_t>::max());
  if (record.bytes > format::kMaxMessageBytes)
    return error(record, "{} bytes are more than a message may have, {}", record.bytes, format::kMaxMessageBytes);
  call.event.action = action;
  call.event.tag = static_cast<int32_t>(record.tag);
  call.event.count = record.bytes;
  call.communicates = true;
  call.record = record.number;
  return peer_of(record, call.event);
}

RankEvents::Entry& RankEvents::push(v1::TraceAction action, uint64_t record) {
  Entry& entry = entries_.emplace_back();
  entry.call.event.action = action;
  entry.call.record = record;
  return entry;
}

void RankEvents::wait(std::shared_ptr<Request> request, uint64_t record) {
  push(v1::WAIT, record).waits_for = std::move(request);
}

absl::Status RankEvents::start(const Record& record, Kind kind, Entry& entry) {
  auto request = std::make_shared<Request>();
  request->kind = kind;
  request->entry = first_entry_ + entries_.size() - 1;
  request->nothing = entry.dropped;
  request->record = record;
  entry.starts = request;
  entry.ready = kind == Kind::kSend;
  if (!requests_.emplace(record.request, std::move(request)).second)
    return error(record, "request {} has not been completed yet", record.request);
  return hand_over();
}

absl::Status RankEvents::complete(const Record& record, Kind kind, std::shared_ptr<Request>& request) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  if (definitions_.by_eztrace()) {
    if (const std::string why = why_completion_is_wrong(call()); !why.empty()) return refusal(record, "{}", why);
  }
  const auto found = requests_.find(record.request);
  if (found == requests_.end() || found->second->kind != kind)
    return error(record, "no such operation with request {} has been started", record.request);
  request = found->second;
  requests_.erase(found);
  return absl::OkStatus();
}

absl::Status RankEvents::send(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  const absl::StatusOr<bool> nothing = is_nothing(record, false);
  if (!nothing.ok()) return nothing.status();
  if (*nothing) return hand_over();
  // EZTrace writes MPI_Irsend in this way.
  if (call().starts_with("MPI_I")) return refusal(record, "{} has no request: what waits for it is not known", call());
  const bool exchange = is_exchange(call());
  Entry& entry = push(v1::SEND, record.number);
  if (absl::Status status = message(record, exchange ? v1::ISEND : sending_action(call()), entry.call); !status.ok())
    return status;
  if (exchange) {
    if (exchange_) return error(record, "the call has sent already");
    exchange_ = std::make_shared<Request>();
    entry.starts = exchange_;
  }
  return hand_over();
}

absl::Status RankEvents::isend(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  const absl::StatusOr<bool> nothing = is_nothing(record, false);
  if (!nothing.ok()) return nothing.status();
  Entry& entry = push(v1::ISEND, record.number);
  entry.dropped = *nothing;
  if (!entry.dropped) {
    if (absl::Status status = message(record, starting_action(call()), entry.call); !status.ok()) return status;
  }
  return start(record, Kind::kSend, entry);
}

absl::Status RankEvents::send_complete(const Record& record) {
  std::shared_ptr<Request> request;
  if (absl::Status status = complete(record, Kind::kSend, request); !status.ok()) return status;
  if (!request->nothing) wait(std::move(request), record.number);
  return hand_over();
}

absl::Status RankEvents::receive_request(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  return start(record, Kind::kReceive, push(v1::IRECV, record.number));
}

absl::Status RankEvents::receive_complete(const Record& record) {
  std::shared_ptr<Request> request;
  if (absl::Status status = complete(record, Kind::kReceive, request); !status.ok()) return status;
  const absl::StatusOr<bool> nothing = is_nothing(record, true);
  if (!nothing.ok()) return nothing.status();
  Entry& entry = entry_of(*request);
  entry.ready = true;
  entry.dropped = *nothing;
  if (!entry.dropped) {
    if (absl::Status status = message(record, v1::IRECV, entry.call); !status.ok()) return status;
    wait(std::move(request), record.number);
  }
  return hand_over();
}

absl::Status RankEvents::receive(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  const absl::StatusOr<bool> nothing = is_nothing(record, true);
  if (!nothing.ok()) return nothing.status();
  if (*nothing) return hand_over();
  if (absl::Status status = message(record, v1::RECV, push(v1::RECV, record.number).call); !status.ok()) return status;
  return hand_over();
}

absl::Status RankEvents::cancelled(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  const auto found = requests_.find(record.request);
  if (found == requests_.end() || found->second->kind != Kind::kReceive) {
    return refusal(record, "request {} is not a receive: only receives can be cancelled", record.request);
  }
  // A receive that got nothing leaves no event.
  Entry& entry = entry_of(*found->second);
  entry.dropped = true;
  entry.ready = true;
  requests_.erase(found);
  return hand_over();
}

absl::Status RankEvents::describe(const Record& record, Call& call) const {
  if (finalized_) return error(record, "this is after MPI_Finalize");
  call.communicates = true;
  call.collective = true;
  call.sizes = record.collective;
  call.sizes.of_arguments = definitions_.by_eztrace();
  call.record = record.number;
  Record rooted = record;
  rooted.communicator = record.collective.communicator;
  // Without a root, any member will do.
  const bool has_root = record.collective.root < OTF2_COLLECTIVE_ROOT_THIS_GROUP;
  rooted.peer = has_root ? record.collective.root : 0;
  if (absl::Status status = peer_of(rooted, call.event); !status.ok()) return status;
  const std::optional<v1::TraceAction> action = otf2_collective_action(record.collective.operation);
  if (!action) {
    return refusal(record, "{} is not supported: the archive does not say how much goes to whom",
                   otf2_collective_name(record.collective.operation));
  }
  call.event.action = *action;
  if (format::action_shape(*action).peers == 0) call.event.peer = 0;
  if (format::action_shape(*action).peers > 0 && !has_root) return error(record, "it has no root");
  return absl::OkStatus();
}

absl::Status RankEvents::collective(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  if (!calls_.empty()) calls_.back().has_collective = true;
  // Communicators exist before their first use; a trace does not contain the cost of making them.
  const uint8_t operation = record.collective.operation;
  if (operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE || operation == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
    return hand_over();
  if (absl::Status status = describe(record, push(v1::BARRIER, record.number).call); !status.ok()) return status;
  return hand_over();
}

absl::Status RankEvents::collective_request(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  if (!calls_.empty()) calls_.back().has_collective = true;
  return start(record, Kind::kCollective, push(v1::IBARRIER, record.number));
}

absl::Status RankEvents::collective_complete(const Record& record) {
  std::shared_ptr<Request> request;
  if (absl::Status status = complete(record, Kind::kCollective, request); !status.ok()) return status;
  Entry& entry = entry_of(*request);
  entry.ready = true;
  if (record.collective.operation == OTF2_COLLECTIVE_OP_CREATE_HANDLE) {
    entry.dropped = true;
    return hand_over();
  }
  if (absl::Status status = describe(record, entry.call); !status.ok()) return status;
  entry.call.blocks = false;
  wait(std::move(request), record.number);
  return hand_over();
}

absl::Status RankEvents::communicator_freed(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  Entry& entry = push(v1::COMM_FREE, record.number);
  entry.call.event.communicator = record.communicator;
  return hand_over();
}

absl::Status RankEvents::flushed(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  // Writing the recording is not part of the program's work.
  last_ = std::max(last_, record.stop);
  return hand_over();
}

absl::Status RankEvents::other(const Record& record) {
  if (absl::Status status = advance(record); !status.ok()) return status;
  return hand_over();
}

absl::Status RankEvents::end() {
  const Request* open = nullptr;
  for (const auto& [id, request] : requests_) {
    if (request->kind == Kind::kSend && !definitions_.by_eztrace()) continue;
    if (open == nullptr || request->record.number < open->record.number) open = request.get();
  }
  if (open != nullptr && definitions_.by_eztrace()) {
    return refusal(
        open->record,
        "EZTrace has not recorded when this completes: it does so for persistent requests only; record the program "
        "with libfabrictwin-record.so");
  }
  if (open != nullptr)
    return error(open->record, "request {} never completes, so what it is for is not known", open->record.request);
  push(v1::FINALIZE, records_);
  return hand_over();
}

absl::Status RankEvents::hand_over() {
  while (!entries_.empty() && entries_.front().ready) {
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    ++first_entry_;
    if (entry.dropped) continue;
    if (entry.starts) entry.starts->ordinal = started_++;
    if (entry.waits_for) entry.call.event.count = started_ - entry.waits_for->ordinal - 1;
    if (absl::Status status = sink_(entry.call); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::trace::otf2
