// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast the tops of the self-test simulate: clock cycles of one in a second of processor time, loaded and with
// nothing to do, one alone and several as objects that are stepped in turn.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "rtl/karma/karma_top.h"

namespace fabrictwin {
namespace {

constexpr int kQuantumCycles = 19;  ///< 120 ns, the latency of a link.
constexpr int kCycles = 16 * kQuantumCycles;

void Cycles(benchmark::State& state, rtl::karma::TopKind kind, bool loaded) {
  std::vector<std::unique_ptr<rtl::karma::Top>> tops;
  for (int64_t i = 0; i < state.range(0); ++i) tops.push_back(rtl::karma::Top::create(kind));
  rtl::karma::Pins pins;
  pins.senders = 3;
  pins.payload_bytes = 256;
  pins.packets = UINT32_MAX;
  pins.hops = kind == rtl::karma::TopKind::kNode ? 2 : 0;
  pins.reset = true;
  for (const auto& top : tops) {
    pins.reset = true;
    pins.start = false;
    for (int i = 0; i < 4; ++i) top->edge(pins);
    pins.reset = false;
    pins.start = loaded;
    top->edge(pins);
  }
  pins.start = false;
  const auto round = [&] {
    for (int cycle = 0; cycle < kCycles; cycle += kQuantumCycles) {
      for (const auto& top : tops) {
        for (int i = 0; i < kQuantumCycles; ++i) top->edge(pins);
      }
    }
  };
  round();
  for (auto _ : state) round();
  if (loaded && tops[0]->sink().packets == 0) state.SkipWithError("no packet has arrived");
  state.counters["cycles_per_second"] = benchmark::Counter(
      static_cast<double>(state.iterations() * state.range(0)) * kCycles, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(Cycles, router_loaded, rtl::karma::TopKind::kRouter, true)
    ->Arg(1)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, router_idle, rtl::karma::TopKind::kRouter, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, link_loaded, rtl::karma::TopKind::kLink, true)
    ->Arg(1)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, link_idle, rtl::karma::TopKind::kLink, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, three_nodes_loaded, rtl::karma::TopKind::kNode, true)
    ->Arg(1)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Cycles, three_nodes_idle, rtl::karma::TopKind::kNode, false)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin
