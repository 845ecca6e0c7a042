// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/minife.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "fmt/format.h"
#include "workloads/skeleton/halo_exchange.h"

namespace fabrictwin::skeleton {
namespace {

constexpr uint32_t kMaxExtent = 1u << 20;
constexpr uint32_t kMaxIterations = 10'000'000;
// Tags of the exchanges of set-up and solver.
constexpr int32_t kSizeTag = 99;
constexpr int32_t kOwnerTag = 100;
constexpr int32_t kListTag = 101;
constexpr int32_t kVectorTag = 99;

// A row has 27 entries of a value and a column, and its elements of the vectors.
constexpr double kRowFlops = 2.0 * 27;
constexpr double kRowBytes = 27.0 * 12 + 16;
// Computing the matrix of an element and adding it to the rows, with the search for columns; calibrated.
constexpr double kElementFlops = 21'200;
constexpr double kElementBytes = 64.0 * 24;

struct Call {
  v1::TraceAction action;
  bool each_rank;  ///< There are `count` elements for each rank.
  uint32_t count;
  v1::TraceDatatype datatype;
};

// These calls read parameters, and set up sizes of the boxes, the map of rows and the structure of the matrix.
constexpr std::array<Call, 10> kBefore = {{
    {v1::BCAST, false, 13, v1::INT},
    {v1::BCAST, false, 1, v1::FLOAT},
    {v1::ALLREDUCE, false, 1, v1::INT},
    {v1::ALLREDUCE, true, 1, v1::INT},
    {v1::ALLGATHER, false, 1, v1::FLOAT},
    {v1::ALLGATHER, false, 1, v1::INT},
    {v1::ALLGATHER, false, 6, v1::INT},
    {v1::ALLREDUCE, false, 1, v1::INT},
    {v1::ALLREDUCE, true, 1, v1::INT},
    {v1::ALLREDUCE, true, 1, v1::INT},
}};
constexpr std::array<Call, 3> kAfter = {{
    {v1::ALLREDUCE, true, 1, v1::INT},
    {v1::ALLREDUCE, true, 1, v1::DOUBLE},
    {v1::ALLREDUCE, false, 1, v1::DOUBLE},
}};

}  // namespace

/// The events of one rank, generated a few calls at a time.
class MinifeRank final : public trace::format::EventSource {
 public:
  MinifeRank(std::shared_ptr<const Minife::Plan> plan, uint32_t rank) : plan_(std::move(plan)) {
    find_neighbours(rank);
    const MinifeOptions& options = plan_->options;
    const double rows = static_cast<double>(plan_->partition.nodes(rank).points());
    const double elements = static_cast<double>(plan_->partition.elements(rank).points());
    assemble_ = options.host.compute(kElementFlops * elements, kElementBytes * elements);
    multiply_ = options.host.compute_sums(kRowFlops * rows, kRowBytes * rows);
    dot_ = options.host.compute(2 * rows, 16 * rows);
    add_ = options.host.compute(3 * rows, 24 * rows);
  }

  absl::StatusOr<bool> next(trace::format::Event& event) override {
    while (true) {
      if (at_ < steps_.size()) {
        const Step& step = steps_[at_];
        const uint32_t length = step.kind == Kind::kExchange ? 3 * static_cast<uint32_t>(neighbours_.size()) : 1;
        if (in_step_ < length) {
          make_event(step, in_step_++, event);
          return true;
        }
        in_step_ = 0;
        ++at_;
        continue;
      }
      steps_.clear();
      at_ = 0;
      if (!more_steps()) return false;
    }
  }

 private:
  enum class Kind : uint8_t { kCall, kExchange, kCompute };
  struct Step {
    Kind kind = Kind::kCall;
    Call call{};
    int32_t tag = 0;
    Computation computation{};
  };
  struct Neighbour {
    int32_t rank = 0;
    uint64_t sent = 0;
    uint64_t received = 0;
    std::array<int64_t, 3> first{};  ///< z, y, x of the first own row that needs a value of this rank.
  };

  void find_neighbours(uint32_t rank) {
    const Box own = plan_->partition.nodes(rank);
    const Box near = own.grown();
    plan_->partition.find(near, [&](uint32_t other, const Box& nodes) {
      if (other == rank) return;
      const Box sent = own.intersect(nodes.grown());
      neighbours_.push_back({.rank = static_cast<int32_t>(other),
                             .sent = sent.points(),
                             .received = nodes.intersect(near).points(),
                             .first = {sent.low[2], sent.low[1], sent.low[0]}});
    });
    for (const Neighbour& neighbour : neighbours_) ascending_.push_back(neighbour.rank);
    // Neighbours are in the order in which a loop over the rows finds them.
    std::sort(neighbours_.begin(), neighbours_.end(), [](const Neighbour& a, const Neighbour& b) {
      return std::tie(a.first, a.rank) < std::tie(b.first, b.rank);
    });
  }

  void call(v1::TraceAction action, uint32_t count = 0, v1::TraceDatatype datatype = v1::BYTE) {
    steps_.push_back({.call = {action, false, count, datatype}});
  }
  void exchange(int32_t tag, v1::TraceDatatype datatype, uint32_t count = 0) {
    steps_.push_back({.kind = Kind::kExchange, .call = {v1::SEND, false, count, datatype}, .tag = tag});
  }
  void compute(const Computation& computation) {
    if (computation.alone > Time::zero()) steps_.push_back({.kind = Kind::kCompute, .computation = computation});
  }
  void dot() {
    compute(dot_);
    call(v1::ALLREDUCE, 1, v1::DOUBLE);
  }
  void multiply() {
    exchange(kVectorTag, v1::DOUBLE);
    compute(multiply_);
  }

  bool more_steps() {
    const MinifeOptions& options = plan_->options;
    const uint32_t part = part_++;
    if (part == 0) {
      set_up();
    } else if (part == 1) {
      multiply();
      compute(add_);
      dot();
    } else if (part - 1 <= options.iterations) {
      iterate(part - 1);
    } else if (part - 2 == options.iterations) {
      for (int i = 0; i < 2; ++i) call(v1::REDUCE, 1, v1::LONG_LONG);
      call(v1::FINALIZE);
    } else {
      return false;
    }
    return true;
  }

  void set_up() {
    call(v1::INIT);
    for (const Call& each : kBefore) steps_.push_back({.call = each});
    compute(assemble_);
    exchange(kSizeTag, v1::INT, 1);
    exchange(kOwnerTag, v1::INT, 1);
    exchange(kListTag, v1::INT);
    for (const Call& each : kAfter) steps_.push_back({.call = each});
  }

  void iterate(uint32_t iteration) {
    if (iteration > 1) dot();
    compute(add_);
    multiply();
    dot();
    if (std::binary_search(plan_->options.breakdown_tests.begin(), plan_->options.breakdown_tests.end(), iteration)) {
      dot();
      dot();
    }
    compute(add_);
    compute(add_);
  }

  void make_event(const Step& step, uint32_t number, trace::format::Event& event) const {
    switch (step.kind) {
      case Kind::kCall: {
        clear_event(event, step.call.action);
        event.count = uint64_t{step.call.count} * (step.call.each_rank ? plan_->options.ranks : 1);
        event.datatype = step.call.datatype;
        if (step.call.action == v1::ALLGATHER) {
          event.receive_count = event.count;
          event.receive_datatype = event.datatype;
        }
        return;
      }
      case Kind::kCompute:
        clear_event(event, v1::COMPUTE);
        event.duration = step.computation.alone;
        event.count = step.computation.bytes;
        return;
      case Kind::kExchange:
        make_exchange_event(step, number, event);
    }
  }

  void make_exchange_event(const Step& step, uint32_t number, trace::format::Event& event) const {
    const uint32_t neighbours = static_cast<uint32_t>(neighbours_.size());
    const bool lists = step.tag == kListTag;
    // The first round determines who sends at all: receives are from any rank, listed here in the order of ranks.
    const bool any = step.call.datatype == v1::INT && step.tag == kSizeTag && number / neighbours != 1;
    const uint64_t fixed = step.call.count;
    exchange_event(
        number, neighbours, step.tag, step.call.datatype,
        [&](uint32_t i) { return any ? ascending_[i] : neighbours_[i].rank; },
        // Lists name the rows that the receiver of the list will send.
        [&](uint32_t i) { return fixed > 0 ? fixed
                                 : lists   ? neighbours_[i].sent
                                           : neighbours_[i].received; },
        [&](uint32_t i) { return fixed > 0 ? fixed
                                 : lists   ? neighbours_[i].received
                                           : neighbours_[i].sent; }, event);
  }

  std::shared_ptr<const Minife::Plan> plan_;
  std::vector<Neighbour> neighbours_;
  std::vector<int32_t> ascending_;
  Computation assemble_;
  Computation multiply_;
  Computation dot_;
  Computation add_;
  std::vector<Step> steps_;
  size_t at_ = 0;
  uint32_t in_step_ = 0;
  uint32_t part_ = 0;
};

absl::StatusOr<std::shared_ptr<const Minife>> Minife::create(const MinifeOptions& options) {
  if (options.ranks == 0 || options.ranks > trace::format::kMaxRanks)
    return absl::InvalidArgumentError(
        fmt::format("miniFE runs on 1 to {} ranks, not {}", trace::format::kMaxRanks, options.ranks));
  for (int i = 0; i < 3; ++i) {
    if (options.elements[i] == 0 || options.elements[i] > kMaxExtent) {
      return absl::InvalidArgumentError(fmt::format("the grid {} has {} elements in {}: it must be 1 to {}",
                                                    to_string(options.elements), options.elements[i], "xyz"[i],
                                                    kMaxExtent));
    }
  }
  if (options.iterations == 0 || options.iterations > kMaxIterations) {
    return absl::InvalidArgumentError(
        fmt::format("the number of iterations must be 1 to {}, not {}", kMaxIterations, options.iterations));
  }
  uint32_t previous = 0;
  for (const uint32_t iteration : options.breakdown_tests) {
    if (iteration <= previous || iteration > options.iterations) {
      return absl::InvalidArgumentError(fmt::format(
          "breakdown test in iteration {}: iterations are 1 to {}, in ascending order", iteration, options.iterations));
    }
    previous = iteration;
  }
  auto plan = std::make_shared<const Plan>(Plan{options, BoxPartition(options.elements, options.ranks)});
  if (absl::Status status = plan->partition.check(); !status.ok()) return status;
  trace::format::Info info;
  info.ranks = options.ranks;
  info.application = fmt::format("minife-{}", options.ranks);
  info.source = fmt::format("skeleton: miniFE, grid {}, {} iterations, host {}", to_string(options.elements),
                            options.iterations, options.host.name);
  return std::shared_ptr<const Minife>(new Minife(std::move(info), std::move(plan)));
}

std::unique_ptr<trace::format::EventSource> Minife::rank(uint32_t rank) const {
  return std::make_unique<MinifeRank>(plan_, rank);
}

}  // namespace fabrictwin::skeleton
