// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gpcnet/victim.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "workloads/gpcnet/calls.h"

namespace fabrictwin::gpcnet {
namespace {

using trace::format::Event;

// Tags of the tool.
constexpr int32_t kRightTag = 81;
constexpr int32_t kLeftTag = 82;
/// The communicator of a slice, if there are several.
constexpr uint32_t kSlice = 1;

/// One rank: for each test and order a barrier of all, then iterations, of which those after the warm-up are measured.
class Victim final : public mpi::RankProgram {
 public:
  Victim(const GpcnetSpec& spec, int32_t rank, int32_t hosts, uint64_t seed, Samples& samples)
      : spec_(spec), rank_(rank), hosts_(hosts), seed_(seed), samples_(samples) {
    begin_.push_back(call(v1::INIT));
    if (!spec.isolated) {
      begin_.push_back(call(v1::COMPUTE));
      begin_.back().duration = kHeadStart;
    }
    if (spec.ranks_per_host > 1) begin_.push_back(create_slice());
  }

  absl::StatusOr<bool> next(Time now, Event& event) override {
    if (begun_ < begin_.size()) {
      event = begin_[begun_++];
      return true;
    }
    while (test_ < kTests) {
      if (advance(now, event)) return true;
    }
    if (ended_) return false;
    ended_ = true;
    event = call(v1::FINALIZE);
    return true;
  }

 private:
  Event create_slice() const {
    Event event = call(v1::COMM_CREATE);
    event.count = kSlice;
    for (int32_t i = 0; i < hosts_; ++i)
      event.send_counts.push_back(static_cast<uint64_t>(rank_ / hosts_ * hosts_ + i));
    return event;
  }

  Event of_slice(v1::TraceAction action) const {
    Event event = call(action);
    event.communicator = spec_.ranks_per_host > 1 ? kSlice : 0;
    return event;
  }

  /// The calls of an iteration.
  std::vector<Event> make_calls() const {
    const auto test = static_cast<Test>(test_);
    if (test == Test::kAllreduce) {
      Event event = of_slice(v1::ALLREDUCE);
      event.count = static_cast<uint64_t>(spec_.latency_bytes.count);
      return {event};
    }
    const bool rate = test == Test::kBandwidth;
    const auto bytes = static_cast<uint64_t>((rate ? spec_.bandwidth_bytes : spec_.latency_bytes).count);
    const int32_t messages = rate ? spec_.outstanding : 1;
    const Neighbours at = neighbours_of(rank_, hosts_, test, order_, seed_);
    std::vector<Event> calls;
    for (int32_t i = 0; i < messages; ++i) {
      calls.push_back(message(v1::IRECV, at.left, kRightTag, bytes));
      calls.push_back(message(v1::IRECV, at.right, kLeftTag, bytes));
    }
    for (int32_t i = 0; i < messages; ++i) {
      calls.push_back(message(v1::ISEND, at.left, kLeftTag, bytes));
      calls.push_back(message(v1::ISEND, at.right, kRightTag, bytes));
    }
    calls.push_back(call(v1::WAITALL));
    calls.back().count = static_cast<uint64_t>(4 * messages);
    if (rate) calls.push_back(of_slice(v1::BARRIER));
    return calls;
  }

  /// Goes on to the next call; true if there is one.
  bool advance(Time now, Event& event) {
    if (calls_.empty()) {
      calls_ = make_calls();
      iteration_ = 0;
      call_ = 0;
      event = call(v1::BARRIER);
      return true;
    }
    if (call_ == 0) since_ = now;
    if (call_ < calls_.size()) {
      event = calls_[call_++];
      return true;
    }
    if (iteration_ >= spec_.warmup) samples_[test_][static_cast<size_t>(rank_)].push_back(now - since_);
    call_ = 0;
    if (++iteration_ < spec_.warmup + spec_.iterations) return false;
    calls_.clear();
    if (++order_ < orders_of(spec_, static_cast<Test>(test_))) return false;
    order_ = 0;
    ++test_;
    return false;
  }

  const GpcnetSpec& spec_;
  int32_t rank_;
  int32_t hosts_;
  uint64_t seed_;
  Samples& samples_;
  std::vector<Event> begin_;
  size_t begun_ = 0;
  size_t test_ = 0;
  int32_t order_ = 0;
  std::vector<Event> calls_;  ///< Of an iteration; empty between two orders.
  int32_t iteration_ = 0;
  size_t call_ = 0;
  Time since_;
  bool ended_ = false;
};

}  // namespace

VictimProgram::VictimProgram(const GpcnetSpec& spec, int32_t hosts, uint64_t seed)
    : spec_(spec), hosts_(hosts), seed_(seed) {
  for (auto& ranks_of_test : samples_) ranks_of_test.resize(static_cast<size_t>(ranks()));
}

absl::StatusOr<std::unique_ptr<mpi::RankProgram>> VictimProgram::make_rank(int32_t rank) {
  return std::make_unique<Victim>(spec_, rank, hosts_, seed_, samples_);
}

void VictimProgram::report_part(v1::JobPart& part) const {
  for (size_t test = 0; test < kTests; ++test) {
    for (size_t rank = 0; rank < samples_[test].size(); ++rank) {
      if (samples_[test][rank].empty()) continue;
      v1::GpcnetRankPart& line = *part.add_gpcnet();
      line.set_test(static_cast<int32_t>(test));
      line.set_rank(static_cast<int32_t>(rank));
      for (const Time time : samples_[test][rank]) line.add_samples_fs(time.fs());
    }
  }
}

absl::Status VictimProgram::add_part(const v1::JobPart& part) {
  for (const v1::GpcnetRankPart& line : part.gpcnet()) {
    const bool known =
        line.test() >= 0 && line.test() < static_cast<int32_t>(kTests) && line.rank() >= 0 && line.rank() < ranks();
    if (!known || std::ranges::any_of(line.samples_fs(), [](int64_t time) { return time <= 0; })) {
      return absl::DataLossError(fmt::format("{}: a place tells of rank {} in test {}, or of times, that cannot be",
                                             name(), line.rank(), line.test()));
    }
    std::vector<Time>& samples = samples_[static_cast<size_t>(line.test())][static_cast<size_t>(line.rank())];
    samples.clear();
    for (const int64_t time : line.samples_fs()) samples.push_back(Time::from_fs(time));
  }
  return absl::OkStatus();
}

Neighbours neighbours_of(int32_t rank, int32_t hosts, Test test, int32_t order, uint64_t seed) {
  const int32_t slice = rank / hosts;
  std::vector<int32_t> ring(static_cast<size_t>(hosts));
  std::iota(ring.begin(), ring.end(), slice * hosts);
  const uint64_t number = (static_cast<uint64_t>(slice) * kTests + static_cast<uint64_t>(test)) << 32;
  RandomStream random(seed, number | static_cast<uint32_t>(order), RandomPurpose::kFlow);
  for (size_t i = ring.size(); i > 1; --i) std::swap(ring[i - 1], ring[random.next_below(i)]);
  const auto at = static_cast<size_t>(std::find(ring.begin(), ring.end(), rank) - ring.begin());
  return {ring[(at + ring.size() - 1) % ring.size()], ring[(at + 1) % ring.size()]};
}

}  // namespace fabrictwin::gpcnet
