// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/trace_merge.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

// The communicator that takes the place of a source's world. Ranks of different sources are in no communicator
// together, so all can use the same number.
constexpr uint32_t kFormerWorld = kMaxCommunicator;

class ShiftedEvents final : public EventSource {
 public:
  ShiftedEvents(const TraceSource& trace, uint32_t rank, uint32_t first)
      : source_(trace.rank(rank)), name_(trace.name()), ranks_(trace.ranks()), rank_(rank), first_(first) {}

  absl::StatusOr<bool> next(TraceEvent& event) override {
    if (held_) {
      held_ = false;
      event = std::move(next_);
      return true;
    }
    absl::StatusOr<bool> more = source_->next(event);
    if (!more.ok() || !*more) return more;
    const bool creates = event.action == v1::COMM_CREATE || event.action == v1::COMM_FREE;
    if (event.communicator == kFormerWorld || (creates && event.count == kFormerWorld)) {
      return absl::InvalidArgumentError(
          fmt::format("{}: rank {}, event {}: communicator {} is needed for the ranks of the trace as a whole", name_,
                      rank_, number_, kFormerWorld));
    }
    ++number_;
    shift(event);
    if (!action_shape(event.action).collective || event.communicator != 0) return true;
    event.communicator = kFormerWorld;
    if (!made_) make_world(event);
    return true;
  }

 private:
  void shift(TraceEvent& event) const {
    const ActionShape& shape = action_shape(event.action);
    const int32_t first = static_cast<int32_t>(first_);
    if (shape.peers >= 1 && event.peer != kAnySource) event.peer += first;
    if (shape.peers >= 2) event.receive_peer += first;
    if (event.action != v1::COMM_CREATE) return;
    for (uint64_t& member : event.send_counts) member += first_;
  }
  // Before the first collective of what was the world.
  void make_world(TraceEvent& event) {
    made_ = true;
    held_ = true;
    next_ = std::move(event);
    event = TraceEvent();
    event.action = v1::COMM_CREATE;
    event.count = kFormerWorld;
    event.send_counts.resize(ranks_);
    std::iota(event.send_counts.begin(), event.send_counts.end(), uint64_t{first_});
  }

  std::unique_ptr<EventSource> source_;
  std::string name_;
  uint32_t ranks_;
  uint32_t rank_;
  uint32_t first_;
  uint64_t number_ = 0;
  bool made_ = false;
  bool held_ = false;
  TraceEvent next_;
};

class MergedTrace final : public TraceSource {
 public:
  MergedTrace(std::vector<std::shared_ptr<const TraceSource>> sources, TraceInfo info)
      : sources_(std::move(sources)), info_(std::move(info)) {
    uint32_t first = 0;
    for (const auto& source : sources_) {
      first_.push_back(first);
      first += source->ranks();
    }
  }
  const TraceInfo& info() const override { return info_; }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override {
    const auto after = std::upper_bound(first_.begin(), first_.end(), rank);
    const size_t i = static_cast<size_t>(after - first_.begin()) - 1;
    return std::make_unique<ShiftedEvents>(*sources_[i], rank - first_[i], first_[i]);
  }

 private:
  std::vector<std::shared_ptr<const TraceSource>> sources_;
  std::vector<uint32_t> first_;
  TraceInfo info_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const TraceSource>> merge_traces(
    std::vector<std::shared_ptr<const TraceSource>> sources) {
  if (sources.empty()) return absl::InvalidArgumentError("there is nothing to merge");
  TraceInfo info;
  uint64_t ranks = 0;
  for (const auto& source : sources) {
    info.application += fmt::format("{}{} (ranks {} to {})", ranks == 0 ? "" : ", ", source->info().application, ranks,
                                    ranks + source->ranks() - 1);
    ranks += source->ranks();
  }
  if (ranks > kMaxRanks) {
    return absl::InvalidArgumentError(
        fmt::format("the traces have {} ranks together; a trace has at most {}", ranks, kMaxRanks));
  }
  info.ranks = static_cast<uint32_t>(ranks);
  info.source = "merged";
  return std::make_shared<const MergedTrace>(std::move(sources), std::move(info));
}

}  // namespace fabrictwin
