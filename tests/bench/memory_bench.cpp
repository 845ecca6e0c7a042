// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What this machine takes to change one cache line of a table, by the size of the table: random lines, fetched ahead,
// that do not depend on each other. The baseline for what a packet-hop takes in a large network
// (docs/models/packet-network.md).
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "cosim/base/line_vector.h"
#include "cosim/base/prefetch.h"
#include "cosim/base/random.h"

namespace fabrictwin {
namespace {

constexpr size_t kAhead = 32;         ///< More lines than a core has under way at a time.
constexpr uint64_t kRound = 1 << 21;  ///< Lines.

struct alignas(64) Line {
  uint64_t changes = 0;
};

void random_lines(benchmark::State& state) {
  constexpr size_t kMebibyte = 1 << 20;
  LineVector<Line> table(static_cast<size_t>(state.range(0)) * kMebibyte / sizeof(Line));
  std::array<Line*, kAhead> ahead{};
  uint64_t drawn = 0;
  const auto draw = [&] {
    Line& next = table[static_cast<size_t>((static_cast<unsigned __int128>(mix64(drawn)) * table.size()) >> 64)];
    prefetch(next);
    ahead[drawn++ % kAhead] = &next;
  };
  while (drawn < kAhead) draw();
  uint64_t changed = 0;
  for (auto _ : state) {
    for (const uint64_t end = changed + kRound; changed != end; ++changed) {
      ++ahead[changed % kAhead]->changes;
      draw();
    }
  }
  uint64_t changes = 0;
  for (const Line& line : table) changes += line.changes;
  if (changes != changed) state.SkipWithError("a change is missing");
  state.counters["time_a_line"] =
      benchmark::Counter(static_cast<double>(changed),
                         benchmark::Counter::Flags(benchmark::Counter::kIsRate | benchmark::Counter::kInvert));
}
// About what networks of 576, 4116, 32 928 and 158 976 nodes take, without process and plan.
BENCHMARK(random_lines)->ArgName("mebibytes")->Arg(8)->Arg(60)->Arg(450)->Arg(2100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin
