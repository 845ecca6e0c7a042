// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One rank of a matrix multiplication.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "workloads/gemm/accelerators.h"
#include "workloads/gemm/matrix.h"
#include "workloads/gemm/tile_engine.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::gemm {

/// What the ranks of a multiplication in one process share. Several threads may simulate them.
struct State {
  /// What one rank has measured.
  struct Result {
    Time begin;
    Time end;
    Time busy;  ///< Busy time of the engine.
    double error = 0;
    bool ended = false;
  };
  /// A panel that its owner has begun to send, kept until all have it.
  struct Panel {
    std::shared_ptr<const Block> block;
    int32_t readers = 0;
  };

  GemmSpec spec;
  Accelerators accelerators;
  std::vector<Result> results;  ///< By rank.
  std::vector<char> here;       ///< By rank: whether this process has it. Complete before the first one begins.
  std::mutex panels_mutex;
  std::map<std::tuple<Factor, int32_t, int32_t>, Panel> panels;  ///< By factor, row or column of ranks, and number.
};

/// SUMMA (van de Geijn and Watts, 1997): for each panel, the ranks that own a piece of it broadcast it, A along the row
/// of the grid, B along the column; then each rank adds the product to its block of C. A rank multiplies the values
/// that the owner had when it began to send. Not thread-safe.
class Rank final : public mpi::RankProgram {
 public:
  /// `state` outlives it.
  Rank(State& state, int32_t rank);

  absl::StatusOr<bool> next(Time now, trace::format::Event& event) override;

 private:
  enum class Stage : uint8_t {
    kInit,
    kRow,
    kColumn,
    kBarrier,
    kSendA,
    kSendB,
    kWait,
    kCompute,
    kMultiply,
    kDrain,
    kFinalize,
    kEnd
  };

  bool make_communicator(uint32_t number, int32_t first, int32_t stride, int32_t members,
                         trace::format::Event& event) const;
  bool broadcast(Factor factor, trace::format::Event& event);
  absl::StatusOr<std::shared_ptr<const Block>> take(Factor factor);
  /// The rank that owns the current panel of a factor in the row or column of this one.
  int32_t owner(Factor factor) const;
  /// What that panel is, and how many ranks of this process read it.
  State::Panel make_panel(Factor factor) const;
  absl::Status multiply();
  /// With overlap: the rest of the engine's work as an event; false without.
  bool wait_for_engine(Time now, trace::format::Event& event) const;
  /// How long the engine works on the current panel.
  absl::StatusOr<Time> start_engine();
  absl::StatusOr<Time> run_accelerator(const Block& a, const Block& b);
  int32_t panels() const { return state_.spec.size / state_.spec.panel; }

  State& state_;
  int32_t rank_;
  int32_t row_;
  int32_t column_;
  TileEngine engine_;
  Block c_;
  Stage stage_ = Stage::kInit;
  int32_t panel_ = 0;
  Time engine_free_;
  int64_t cycles_ = 0;    ///< Cycles of a panel; 0 until they are known.
  Multiply accelerator_;  ///< Empty until it is used.
};

}  // namespace fabrictwin::gemm
