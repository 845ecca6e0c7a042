// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/expanded_trace.h"

#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/mpi/collective_plan.h"
#include "workloads/trace/communicator_table.h"
#include "workloads/trace/outstanding_requests.h"

namespace fabrictwin {
namespace {

TraceEvent message_event(v1::TraceAction action, int32_t peer, int32_t tag, uint64_t bytes) {
  TraceEvent event;
  event.action = action;
  event.peer = peer;
  event.tag = tag;
  event.count = bytes;
  return event;
}

class ExpandedEvents final : public EventSource {
 public:
  ExpandedEvents(std::shared_ptr<const TraceSource> trace, uint32_t rank)
      : trace_(std::move(trace)),
        rank_(rank),
        source_(trace_->rank(rank)),
        communicators_(static_cast<int32_t>(rank), static_cast<int32_t>(trace_->ranks())),
        requests_(static_cast<int32_t>(rank)) {}

  absl::StatusOr<bool> next(TraceEvent& event) override {
    while (true) {
      if (at_ < events_.size()) {
        event = std::move(events_[at_++]);
        return true;
      }
      events_.clear();
      at_ = 0;
      absl::StatusOr<bool> more = source_->next(event);
      if (!more.ok() || !*more) return more;
      ++number_;
      if (absl::Status status = communicators_.follow(event); !status.ok())
        return error(status.code(), std::string(message_of(status)));
      if (absl::Status status = requests_.follow(event); !status.ok())
        return error(status.code(), std::string(message_of(status)));
      if (event.action == v1::COMM_CREATE || event.action == v1::COMM_FREE) continue;
      if (action_shape(event.action).collective) {
        if (blocking_action(event.action) != event.action) {
          return refuse(
              fmt::format("{} goes on while its rank does, which messages cannot say", action_name(event.action)));
        }
        expand(event);
        continue;
      }
      if (absl::Status status = change_tag(event); !status.ok()) return status;
      return true;
    }
  }

 private:
  absl::Status error(absl::StatusCode code, const std::string& reason) const {
    return absl::Status(code, fmt::format("{}: rank {}, event {}: {}", trace_->name(), rank_, number_ - 1, reason));
  }
  absl::Status refuse(const std::string& reason) const { return error(absl::StatusCode::kUnimplemented, reason); }

  static int32_t communicator_tag(int32_t first, uint32_t communicator, int32_t number) {
    return first + static_cast<int32_t>(communicator) * kTagsOfCommunicator + number;
  }

  // Of a message, or of a wait for one.
  absl::Status change_tag(TraceEvent& event) {
    if (event.action == v1::WAIT) {
      // Requests of collectives come in between: name it.
      absl::StatusOr<TraceEvent> named = requests_.named_wait();
      if (!named.ok()) return refuse(std::string(message_of(named.status())));
      event = *std::move(named);
    }
    const ActionShape& shape = action_shape(event.action);
    if (!shape.tag) return absl::OkStatus();
    if (event.tag == kAnyTag) {
      return refuse(
          fmt::format("a {} of any tag could take a message of a collective; let the program name a tag and record it "
                      "again, or export to ti without --messages",
                      event.action == v1::PROBE ? "probe" : "receive"));
    }
    const bool wait = event.action == v1::WAIT_SEND || event.action == v1::WAIT_RECV;
    const uint32_t communicator = wait ? requests_.awaited().front().communicator : event.communicator;
    event.communicator = 0;
    if (communicator == 0) {
      if (event.tag < kCommunicatorTag) return absl::OkStatus();
      return refuse(fmt::format("tag {} is needed for collectives and communicators", event.tag));
    }
    if (event.tag >= kTagsOfCommunicator) {
      return refuse(fmt::format("tag {} of communicator {} is too large to be put into one tag with it", event.tag,
                                communicator));
    }
    event.tag = communicator_tag(kCommunicatorTag, communicator, event.tag);
    return absl::OkStatus();
  }

  void expand(const TraceEvent& event) {
    Communicator& communicator = communicators_.of(event);
    const uint32_t number = communicator.collectives++;
    const int32_t tag = event.communicator == 0 ? kCollectiveTag + static_cast<int32_t>(number % kCommunicatorTag)
                                                : communicator_tag(kCommunicatorCollectiveTag, event.communicator,
                                                                   static_cast<int32_t>(number % kTagsOfCommunicator));
    std::vector<CollectiveOp> ops;
    plan_collective(event, communicator, ops);
    std::vector<TraceEvent> waits;
    for (const CollectiveOp& op : ops) {
      if (op.kind == CollectiveOp::Kind::kWait) {
        for (TraceEvent& wait : waits) events_.push_back(std::move(wait));
        waits.clear();
        continue;
      }
      const int32_t peer = communicator.member(op.peer);
      const bool receive = op.kind == CollectiveOp::Kind::kReceive;
      events_.push_back(message_event(receive ? v1::IRECV : v1::ISEND, peer, tag, op.bytes));
      waits.push_back(message_event(receive ? v1::WAIT_RECV : v1::WAIT_SEND, peer, tag, 0));
    }
    if (event.duration > Time::zero()) {
      TraceEvent compute;
      compute.action = v1::COMPUTE;
      compute.duration = event.duration;
      events_.push_back(std::move(compute));
    }
  }

  std::shared_ptr<const TraceSource> trace_;
  uint32_t rank_;
  std::unique_ptr<EventSource> source_;
  CommunicatorTable communicators_;
  OutstandingRequests requests_;
  std::vector<TraceEvent> events_;
  size_t at_ = 0;
  uint64_t number_ = 0;
};

class ExpandedTrace final : public TraceSource {
 public:
  explicit ExpandedTrace(std::shared_ptr<const TraceSource> source)
      : source_(std::move(source)), info_(source_->info()) {
    info_.source += "; collectives as messages";
  }
  const TraceInfo& info() const override { return info_; }
  std::string name() const override { return source_->name(); }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override {
    return std::make_unique<ExpandedEvents>(source_, rank);
  }

 private:
  std::shared_ptr<const TraceSource> source_;
  TraceInfo info_;
};

}  // namespace

std::shared_ptr<const TraceSource> expand_collectives(std::shared_ptr<const TraceSource> source) {
  return std::make_shared<const ExpandedTrace>(std::move(source));
}

}  // namespace fabrictwin
