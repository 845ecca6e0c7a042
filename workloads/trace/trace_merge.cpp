// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/trace_merge.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

class ShiftedEvents final : public EventSource {
 public:
  ShiftedEvents(const TraceSource& trace, uint32_t rank, uint32_t first)
      : source_(trace.rank(rank)), name_(trace.name()), rank_(rank), first_(static_cast<int32_t>(first)) {}

  absl::StatusOr<bool> next(TraceEvent& event) override {
    absl::StatusOr<bool> more = source_->next(event);
    if (!more.ok() || !*more) return more;
    const ActionShape& shape = action_shape(event.action);
    if (shape.collective) {
      return absl::InvalidArgumentError(
          fmt::format("{}: rank {}, event {}: a {} of a part of the ranks has no form in a trace", name_, rank_,
                      number_, shape.name));
    }
    ++number_;
    if (shape.peers >= 1 && event.peer != kAnySource) event.peer += first_;
    if (shape.peers >= 2) event.receive_peer += first_;
    return true;
  }

 private:
  std::unique_ptr<EventSource> source_;
  std::string name_;
  uint32_t rank_;
  int32_t first_;
  uint64_t number_ = 0;
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
  info.source = "merged, collectives as messages";
  return std::make_shared<const MergedTrace>(std::move(sources), std::move(info));
}

}  // namespace fabrictwin
