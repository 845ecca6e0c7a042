// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gemm/rank.h"

#include <algorithm>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::gemm {
namespace {

constexpr uint32_t kRowCommunicator = 1;
constexpr uint32_t kColumnCommunicator = 2;

}  // namespace

Rank::Rank(State& state, int32_t rank)
    : state_(state),
      rank_(rank),
      row_(rank / state.spec.columns),
      column_(rank % state.spec.columns),
      engine_(state.spec) {
  const GemmSpec& spec = state_.spec;
  c_.rows = spec.size / spec.rows;
  c_.columns = spec.size / spec.columns;
  c_.first_row = row_ * c_.rows;
  c_.first_column = column_ * c_.columns;
  state_.results[static_cast<size_t>(rank)] = {};
  // A job that begins anew has its ranks, and others may be looking.
  if (char& here = state_.here[static_cast<size_t>(rank)]; here == 0) here = 1;
}

absl::StatusOr<bool> Rank::next(Time now, trace::format::Event& event) {
  const GemmSpec& spec = state_.spec;
  State::Result& result = state_.results[static_cast<size_t>(rank_)];
  while (stage_ != Stage::kEnd) {
    event = trace::format::Event();
    switch (stage_) {
      case Stage::kInit:
        c_.values.assign(static_cast<size_t>(c_.rows) * static_cast<size_t>(c_.columns), 0.0F);
        stage_ = Stage::kRow;
        event.action = v1::INIT;
        return true;
      case Stage::kRow:
        stage_ = Stage::kColumn;
        if (make_communicator(kRowCommunicator, row_ * spec.columns, 1, spec.columns, event)) return true;
        break;
      case Stage::kColumn:
        stage_ = Stage::kBarrier;
        if (make_communicator(kColumnCommunicator, column_, spec.columns, spec.rows, event)) return true;
        break;
      case Stage::kBarrier:
        stage_ = Stage::kSendA;
        event.action = v1::BARRIER;
        return true;
      case Stage::kSendA:
        if (panel_ == 0) result.begin = now;
        stage_ = Stage::kSendB;
        if (broadcast(Factor::kA, event)) return true;
        break;
      case Stage::kSendB:
        stage_ = Stage::kWait;
        if (broadcast(Factor::kB, event)) return true;
        break;
      case Stage::kWait:
        stage_ = Stage::kCompute;
        if (wait_for_engine(now, event)) return true;
        break;
      case Stage::kCompute: {
        stage_ = Stage::kMultiply;
        const absl::StatusOr<Time> work = start_engine();
        if (!work.ok()) return work.status();
        result.busy += *work;
        engine_free_ = now + spec.start_overhead + *work;
        event.action = v1::COMPUTE;
        event.duration = spec.overlap ? spec.start_overhead : spec.start_overhead + *work;
        return true;
      }
      case Stage::kMultiply:
        if (absl::Status status = multiply(); !status.ok()) return status;
        stage_ = ++panel_ < panels() ? Stage::kSendA : Stage::kDrain;
        break;
      case Stage::kDrain:
        stage_ = Stage::kFinalize;
        if (wait_for_engine(now, event)) return true;
        break;
      case Stage::kFinalize:
        result.end = now;
        result.error = gemm_compare(c_, spec.size).relative;
        result.ended = true;
        c_.values = {};
        stage_ = Stage::kEnd;
        event.action = v1::FINALIZE;
        return true;
      case Stage::kEnd:
        break;
    }
  }
  return false;
}

bool Rank::make_communicator(uint32_t number, int32_t first, int32_t stride, int32_t members,
                             trace::format::Event& event) const {
  if (members == 1) return false;
  event.action = v1::COMM_CREATE;
  event.count = number;
  for (int32_t i = 0; i < members; ++i) event.send_counts.push_back(static_cast<uint64_t>(first + i * stride));
  return true;
}

int32_t Rank::owner(Factor factor) const {
  const int32_t begin = panel_ * state_.spec.panel;
  if (factor == Factor::kA) return row_ * state_.spec.columns + begin / c_.columns;
  return begin / c_.rows * state_.spec.columns + column_;
}

State::Panel Rank::make_panel(Factor factor) const {
  const GemmSpec& spec = state_.spec;
  const bool left = factor == Factor::kA;
  const int32_t begin = panel_ * spec.panel;
  Block block = left ? gemm_block(factor, c_.first_row, begin, c_.rows, spec.panel)
                     : gemm_block(factor, begin, c_.first_column, spec.panel, c_.columns);
  State::Panel panel{std::make_shared<Block>(std::move(block))};
  for (int32_t rank = 0; rank < static_cast<int32_t>(state_.here.size()); ++rank) {
    const bool reads = left ? rank / spec.columns == row_ : rank % spec.columns == column_;
    if (reads && state_.here[static_cast<size_t>(rank)] != 0) ++panel.readers;
  }
  return panel;
}

// A row or column with one rank has nothing to send, but its panels must still be registered.
bool Rank::broadcast(Factor factor, trace::format::Event& event) {
  const GemmSpec& spec = state_.spec;
  const bool left = factor == Factor::kA;
  if (owner(factor) == rank_) {
    State::Panel panel = make_panel(factor);
    const std::lock_guard lock(state_.panels_mutex);
    state_.panels[{factor, left ? row_ : column_, panel_}] = std::move(panel);
  }
  if ((left ? spec.columns : spec.rows) == 1) return false;
  event.action = v1::BCAST;
  event.communicator = left ? kRowCommunicator : kColumnCommunicator;
  event.peer = owner(factor);
  event.datatype = v1::FLOAT;
  event.count = static_cast<uint64_t>(left ? c_.rows : c_.columns) * static_cast<uint64_t>(spec.panel);
  return true;
}

absl::StatusOr<std::shared_ptr<const Block>> Rank::take(Factor factor) {
  // A receiver of a panel runs after its owner has begun to send it, on whatever thread.
  const std::lock_guard lock(state_.panels_mutex);
  auto found = state_.panels.find({factor, factor == Factor::kA ? row_ : column_, panel_});
  if (found == state_.panels.end()) {
    if (state_.here[static_cast<size_t>(owner(factor))] != 0) {
      return absl::InternalError(fmt::format("gemm: rank {} has panel {} of {} before its owner has sent it", rank_,
                                             panel_, factor == Factor::kA ? "A" : "B"));
    }
    // Messages have no values. The owner makes the same ones in its process.
    found = state_.panels.emplace(std::tuple(factor, factor == Factor::kA ? row_ : column_, panel_), make_panel(factor))
                .first;
  }
  std::shared_ptr<const Block> block = found->second.block;
  if (--found->second.readers == 0) state_.panels.erase(found);
  return block;
}

bool Rank::wait_for_engine(Time now, trace::format::Event& event) const {
  if (!state_.spec.overlap) return false;
  event.action = v1::COMPUTE;
  event.duration = std::max(engine_free_, now) - now;
  return true;
}

// An engine with lanes multiplies when it is started: only the RTL knows how long it takes.
absl::StatusOr<Time> Rank::start_engine() {
  const GemmSpec& spec = state_.spec;
  if (spec.lanes == 0) return engine_.work(c_.rows, c_.columns, spec.panel);
  const auto a = take(Factor::kA);
  if (!a.ok()) return a.status();
  const auto b = take(Factor::kB);
  if (!b.ok()) return b.status();
  if (std::binary_search(spec.rtl_ranks.begin(), spec.rtl_ranks.end(), rank_)) return run_accelerator(**a, **b);
  gemm_multiply_in_lanes(**a, **b, c_, spec.lanes);
  if (cycles_ == 0) cycles_ = engine_.cycles(c_.rows, c_.columns, spec.panel);
  return engine_.time_of(cycles_);
}

absl::StatusOr<Time> Rank::run_accelerator(const Block& a, const Block& b) {
  const GemmSpec& spec = state_.spec;
  if (!accelerator_) {
    auto accelerator = state_.accelerators.make(spec.tile, spec.lanes, spec.memory_latency);
    if (!accelerator.ok()) return accelerator.status();
    accelerator_ = *std::move(accelerator);
  }
  const auto cycles = accelerator_(a.values, b.values, c_.values, c_.rows, c_.columns, spec.panel);
  if (!cycles.ok()) {
    return absl::Status(cycles.status().code(),
                        fmt::format("gemm: rank {}, panel {}: {}", rank_, panel_, message_of(cycles.status())));
  }
  return engine_.time_of(*cycles);
}

absl::Status Rank::multiply() {
  if (state_.spec.lanes > 0) return absl::OkStatus();
  const auto a = take(Factor::kA);
  if (!a.ok()) return a.status();
  const auto b = take(Factor::kB);
  if (!b.ok()) return b.status();
  gemm_multiply(**a, **b, c_);
  return absl::OkStatus();
}

}  // namespace fabrictwin::gemm
