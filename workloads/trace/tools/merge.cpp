// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/tools/merge.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::trace::tools {
namespace {

// The number of the communicator that replaces the world of `trace`: the highest one that the trace does not use; 0 if
// it uses all. Ranks of different sources share no communicator, so they can use the same number.
absl::StatusOr<uint32_t> free_communicator(const format::Source& trace) {
  std::vector<bool> used(size_t{format::kMaxCommunicator} + 1, false);
  format::Event event;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const std::unique_ptr<format::EventSource> events = trace.rank(rank);
    while (true) {
      absl::StatusOr<bool> more = events->next(event);
      if (!more.ok()) return more.status();
      if (!*more) break;
      const bool names = event.action == v1::COMM_CREATE || event.action == v1::COMM_FREE;
      const uint64_t number = names ? event.count : event.communicator;
      if (number < used.size()) used[number] = true;
    }
  }
  for (uint32_t number = format::kMaxCommunicator; number > 0; --number) {
    if (!used[number]) return number;
  }
  return 0;
}

class ShiftedEvents final : public format::EventSource {
 public:
  ShiftedEvents(const format::Source& trace, uint32_t rank, uint32_t first, uint32_t former_world)
      : source_(trace.rank(rank)),
        name_(trace.name()),
        ranks_(trace.ranks()),
        rank_(rank),
        first_(first),
        former_world_(former_world) {}

  absl::StatusOr<bool> next(format::Event& event) override {
    if (held_) {
      held_ = false;
      event = std::move(next_);
      return true;
    }
    absl::StatusOr<bool> more = source_->next(event);
    if (!more.ok() || !*more) return more;
    ++number_;
    shift(event);
    if (!format::action_shape(event.action).collective || event.communicator != 0) return true;
    if (former_world_ == 0) {
      return absl::InvalidArgumentError(fmt::format(
          "{}: rank {}, event {}: there is no number left for a communicator of all ranks of this trace: it "
          "uses all of 1 to {}",
          name_, rank_, number_ - 1, format::kMaxCommunicator));
    }
    event.communicator = former_world_;
    if (!made_) make_world(event);
    return true;
  }

 private:
  void shift(format::Event& event) const {
    const format::ActionShape& shape = format::action_shape(event.action);
    const int32_t first = static_cast<int32_t>(first_);
    if (shape.peers >= 1 && event.peer != format::kAnySource) event.peer += first;
    if (shape.peers >= 2) event.receive_peer += first;
    if (event.action != v1::COMM_CREATE) return;
    for (uint64_t& member : event.send_counts) member += first_;
  }
  // Makes the communicator before the first collective on the former world.
  void make_world(format::Event& event) {
    made_ = true;
    held_ = true;
    next_ = std::move(event);
    event = format::Event();
    event.action = v1::COMM_CREATE;
    event.count = former_world_;
    event.send_counts.resize(ranks_);
    std::iota(event.send_counts.begin(), event.send_counts.end(), uint64_t{first_});
  }

  std::unique_ptr<format::EventSource> source_;
  std::string name_;
  uint32_t ranks_;
  uint32_t rank_;
  uint32_t first_;
  uint32_t former_world_;
  uint64_t number_ = 0;
  bool made_ = false;
  bool held_ = false;
  format::Event next_;
};

class MergedTrace final : public format::Source {
 public:
  MergedTrace(std::vector<std::shared_ptr<const format::Source>> sources, std::vector<uint32_t> former_worlds,
              format::Info info)
      : sources_(std::move(sources)), former_worlds_(std::move(former_worlds)), info_(std::move(info)) {
    uint32_t first = 0;
    for (const auto& source : sources_) {
      first_.push_back(first);
      first += source->ranks();
    }
  }
  const format::Info& info() const override { return info_; }
  std::unique_ptr<format::EventSource> rank(uint32_t rank) const override {
    const auto after = std::upper_bound(first_.begin(), first_.end(), rank);
    const size_t i = static_cast<size_t>(after - first_.begin()) - 1;
    return std::make_unique<ShiftedEvents>(*sources_[i], rank - first_[i], first_[i], former_worlds_[i]);
  }

 private:
  std::vector<std::shared_ptr<const format::Source>> sources_;
  std::vector<uint32_t> former_worlds_;
  std::vector<uint32_t> first_;
  format::Info info_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const format::Source>> merge_traces(
    std::vector<std::shared_ptr<const format::Source>> sources) {
  if (sources.empty()) return absl::InvalidArgumentError("there is nothing to merge");
  format::Info info;
  uint64_t ranks = 0;
  for (const auto& source : sources) {
    info.application += fmt::format("{}{} (ranks {} to {})", ranks == 0 ? "" : ", ", source->info().application, ranks,
                                    ranks + source->ranks() - 1);
    ranks += source->ranks();
  }
  if (ranks > format::kMaxRanks) {
    return absl::InvalidArgumentError(
        fmt::format("the traces have {} ranks together; a trace has at most {}", ranks, format::kMaxRanks));
  }
  info.ranks = static_cast<uint32_t>(ranks);
  info.source = "merged";
  std::vector<uint32_t> former_worlds;
  for (const auto& source : sources) {
    absl::StatusOr<uint32_t> number = free_communicator(*source);
    if (!number.ok()) return number.status();
    former_worlds.push_back(*number);
  }
  return std::make_shared<const MergedTrace>(std::move(sources), std::move(former_worlds), std::move(info));
}

}  // namespace fabrictwin::trace::tools
