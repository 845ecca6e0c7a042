// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gemm/tile_engine.h"

#include <algorithm>

#include "cosim/base/clock.h"
#include "workloads/gemm/schedule.h"

namespace fabrictwin::gemm {

Time TileEngine::work(int32_t rows, int32_t columns, int32_t inner) const {
  const int64_t deep = inner / spec_.tile;
  const int64_t results = int64_t{rows / spec_.tile} * (columns / spec_.tile);
  const Time arithmetic = Clock(spec_.clock).edge(deep * spec_.tile_cycles);
  const __int128 bits = static_cast<__int128>(2 * deep + 2) * spec_.tile * spec_.tile * 32;
  const __int128 fs =
      (bits * 1'000'000'000'000'000 + spec_.memory_rate.bits_per_second - 1) / spec_.memory_rate.bits_per_second;
  const Time each =
      std::max(arithmetic, fs < Time::never().fs() ? Time::from_fs(static_cast<int64_t>(fs)) : Time::never());
  const __int128 all = static_cast<__int128>(each.fs()) * results;
  return all < Time::never().fs() ? Time::from_fs(static_cast<int64_t>(all)) : Time::never();
}

int64_t TileEngine::cycles(int32_t rows, int32_t columns, int32_t inner) const {
  const AcceleratorShape shape{.tile = spec_.tile, .lanes = spec_.lanes, .memory_latency = spec_.memory_latency};
  return accelerator_cycles(shape, rtl::accel::gemm::gemm_command(rows, columns, inner, spec_.tile));
}

Time TileEngine::time_of(int64_t cycles) const { return Clock(spec_.clock).edge(cycles); }

}  // namespace fabrictwin::gemm
