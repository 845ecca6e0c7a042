// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/expanded_trace.h"

#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/mpi/collectives/plan.h"
#include "workloads/trace/check/outstanding_requests.h"
#include "workloads/trace/format/communicator_table.h"

namespace fabrictwin::mpi {
namespace {

trace::format::Event message_event(v1::TraceAction action, int32_t peer, int32_t tag, uint64_t bytes) {
  trace::format::Event event;
  event.action = action;
  event.peer = peer;
  event.tag = tag;
  event.count = bytes;
  return event;
}

class ExpandedEvents final : public trace::format::EventSource {
 public:
  ExpandedEvents(std::shared_ptr<const trace::format::Source> trace, uint32_t rank)
      : trace_(std::move(trace)),
        rank_(rank),
        source_(trace_->rank(rank)),
        communicators_(static_cast<int32_t>(rank), static_cast<int32_t>(trace_->ranks())),
        requests_(static_cast<int32_t>(rank)) {}

  absl::StatusOr<bool> next(trace::format::Event& event) override {
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
      if (trace::format::action_shape(event.action).collective) {
        if (trace::format::blocking_action(event.action) != event.action) {
          return refuse(fmt::format("{} goes on while its rank does, which messages cannot say",
                                    trace::format::action_name(event.action)));
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

  // Changes the tag of a message, or of a wait for one.
  absl::Status change_tag(trace::format::Event& event) {
    if (event.action == v1::WAIT) {
      // Requests of collectives come in between, so the wait must name its request.
      absl::StatusOr<trace::format::Event> named = requests_.named_wait();
      if (!named.ok()) return refuse(std::string(message_of(named.status())));
      event = *std::move(named);
    }
    const trace::format::ActionShape& shape = trace::format::action_shape(event.action);
    if (!shape.tag) return absl::OkStatus();
    if (event.tag == trace::format::kAnyTag) {
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

  void expand(const trace::format::Event& event) {
    trace::format::Communicator& communicator = communicators_.of(event);
    const uint32_t number = communicator.collectives++;
    const int32_t tag = event.communicator == 0 ? kCollectiveTag + static_cast<int32_t>(number % kCommunicatorTag)
                                                : communicator_tag(kCommunicatorCollectiveTag, event.communicator,
                                                                   static_cast<int32_t>(number % kTagsOfCommunicator));
    std::vector<collectives::CollectiveOp> ops;
    collectives::plan_collective(event, communicator, ops);
    std::vector<trace::format::Event> waits;
    for (const collectives::CollectiveOp& op : ops) {
      if (op.kind == collectives::CollectiveOp::Kind::kWait) {
        for (trace::format::Event& wait : waits) events_.push_back(std::move(wait));
        waits.clear();
        continue;
      }
      const int32_t peer = communicator.member(op.peer);
      const bool receive = op.kind == collectives::CollectiveOp::Kind::kReceive;
      events_.push_back(message_event(receive ? v1::IRECV : v1::ISEND, peer, tag, op.bytes));
      waits.push_back(message_event(receive ? v1::WAIT_RECV : v1::WAIT_SEND, peer, tag, 0));
    }
    if (event.duration > Time::zero()) {
      trace::format::Event compute;
      compute.action = v1::COMPUTE;
      compute.duration = event.duration;
      events_.push_back(std::move(compute));
    }
  }

  std::shared_ptr<const trace::format::Source> trace_;
  uint32_t rank_;
  std::unique_ptr<trace::format::EventSource> source_;
  trace::format::CommunicatorTable communicators_;
  trace::check::OutstandingRequests requests_;
  std::vector<trace::format::Event> events_;
  size_t at_ = 0;
  uint64_t number_ = 0;
};

class ExpandedTrace final : public trace::format::Source {
 public:
  explicit ExpandedTrace(std::shared_ptr<const trace::format::Source> source)
      : source_(std::move(source)), info_(source_->info()) {
    info_.source += "; collectives as messages";
  }
  const trace::format::Info& info() const override { return info_; }
  std::string name() const override { return source_->name(); }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override {
    return std::make_unique<ExpandedEvents>(source_, rank);
  }

 private:
  std::shared_ptr<const trace::format::Source> source_;
  trace::format::Info info_;
};

}  // namespace

std::shared_ptr<const trace::format::Source> expand_collectives(std::shared_ptr<const trace::format::Source> source) {
  return std::make_shared<const ExpandedTrace>(std::move(source));
}

}  // namespace fabrictwin::mpi
