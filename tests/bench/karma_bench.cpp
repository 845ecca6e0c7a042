// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast the tops of the self-test simulate: clock cycles a second, loaded and with nothing to do.
#include <benchmark/benchmark.h>

#include "rtl/karma/karma_top.h"

namespace fabrictwin {
namespace {

constexpr int kCycles = 20'000;

void Cycles(benchmark::State& state, KarmaTopKind kind, bool loaded) {
  const std::unique_ptr<KarmaTop> top = KarmaTop::create(kind);
  KarmaPins pins;
  pins.senders = 3;
  pins.payload_bytes = 256;
  pins.packets = UINT32_MAX;
  pins.hops = kind == KarmaTopKind::kNode ? 2 : 0;
  pins.reset = true;
  for (int i = 0; i < 4; ++i) top->edge(pins);
  pins.reset = false;
  pins.start = loaded;
  top->edge(pins);
  pins.start = false;
  for (auto _ : state) {
    for (int i = 0; i < kCycles; ++i) top->edge(pins);
  }
  if (loaded && top->sink().packets == 0) state.SkipWithError("no packet has arrived");
  state.counters["cycles"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kCycles, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(Cycles, router_loaded, KarmaTopKind::kRouter, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, router_idle, KarmaTopKind::kRouter, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, link_loaded, KarmaTopKind::kLink, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, link_idle, KarmaTopKind::kLink, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, three_nodes_loaded, KarmaTopKind::kNode, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, three_nodes_idle, KarmaTopKind::kNode, false)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin
