// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/expanded_trace.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "workloads/mpi/collective_plan.h"

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
      : trace_(std::move(trace)), rank_(rank), source_(trace_->rank(rank)) {}

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
      if (action_shape(event.action).collective) {
        if (!can_replay_collective(event.action))
          return refuse("{} has no form as messages", action_name(event.action));
        expand(event);
        continue;
      }
      if (event.tag >= kCollectiveTag) return refuse("tag {} is needed for collectives", event.tag);
      return true;
    }
  }

 private:
  template <typename Argument>
  absl::Status refuse(fmt::format_string<Argument> reason, Argument&& argument) const {
    return absl::UnimplementedError(fmt::format("{}: rank {}, event {}: {}", trace_->name(), rank_, number_ - 1,
                                                fmt::format(reason, std::forward<Argument>(argument))));
  }

  void expand(const TraceEvent& event) {
    const int32_t tag = kCollectiveTag + static_cast<int32_t>(collectives_++ % kCollectiveTag);
    std::vector<CollectiveOp> ops;
    plan_collective(event, static_cast<int32_t>(rank_), static_cast<int32_t>(trace_->ranks()), ops);
    std::vector<TraceEvent> waits;
    for (const CollectiveOp& op : ops) {
      if (op.kind == CollectiveOp::Kind::kWait) {
        for (TraceEvent& wait : waits) events_.push_back(std::move(wait));
        waits.clear();
        continue;
      }
      const bool send = op.kind == CollectiveOp::Kind::kSend;
      events_.push_back(message_event(send ? v1::ISEND : v1::IRECV, op.peer, tag, op.bytes));
      waits.push_back(message_event(send ? v1::WAIT_SEND : v1::WAIT_RECV, op.peer, tag, 0));
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
  std::vector<TraceEvent> events_;
  size_t at_ = 0;
  uint64_t number_ = 0;
  uint64_t collectives_ = 0;
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
