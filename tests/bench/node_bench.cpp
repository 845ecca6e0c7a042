// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast the RTL of elements simulates: clock cycles of one element in a second of processor time, one alone and
// several as objects that are stepped in turn by a link latency, as partitions of one thread are. And what it is worth
// to skip edges at which nothing can happen.
//
//   node_bench --benchmark_min_time=0.2 --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
#include "tests/rtl/transactor/node_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <vector>

#include "rtl/transactor/node/model.h"
#include "rtl/transactor/router/model.h"
#include "tests/bench/passing_load.h"
#include "tests/rtl/router_network.h"

namespace fabrictwin::bench {
namespace {

constexpr int kQuantumCycles = 19;  ///< 120 ns at 156.25 MHz.
constexpr int kRoundCycles = 16 * kQuantumCycles;
constexpr int kClearEdges = 1 << 17;  ///< In which a mailbox has cleared its memory.

/// The header of the largest packet to a node: tile port f of the network FPGA at `coordinates`.
link::Word header_to(uint32_t coordinates, uint32_t destination, uint32_t f) {
  return {coordinates | uint64_t{destination} << 24 | uint64_t{link::kMaxPayloadBytes} << 48 | uint64_t{f} << 58, 0};
}

/// A torus router in the middle of 4x4x4, whose six links are crossed straight on.
struct Router {
  using Load = PassingLoad<rtl::router::Pins>;
  static std::unique_ptr<rtl::router::Model> make() {
    std::unique_ptr<rtl::router::Model> model = rtl::router::make_router_model();
    rtl::router::Identity identity;
    identity.coordinates = {1, 1, 1};
    identity.dims = {4, 4, 4};
    identity.port_enable = 0x7f;
    identity.initial_credits.fill(64);
    model->reset(identity);
    return model;
  }
  static std::vector<Load::Stream> streams() {
    std::vector<Load::Stream> streams;
    for (int d = 0; d < 3; ++d) {
      // What comes in through "+" goes on through "-".
      streams.push_back({1 + 2 * d, header_to(0x010101u - (1u << (8 * d)), 0, 0), rtl::router::kRouterBufferWords});
      streams.push_back({2 + 2 * d, header_to(0x010101u + (1u << (8 * d)), 0, 0), rtl::router::kRouterBufferWords});
    }
    return streams;
  }
};

/// A router with 16 or 64 ports and a table, each of which is crossed to the one beside it.
template <int kPorts>
struct TableRouter {
  using Load = PassingLoad<rtl::router::BasicPins<kPorts>>;
  static std::unique_ptr<rtl::router::BasicModel<kPorts>> make() {
    std::unique_ptr<rtl::router::BasicModel<kPorts>> model;
    if constexpr (kPorts == rtl::router::kLargeRouterPorts) {
      model = rtl::router::make_large_router_model();
    } else {
      model = rtl::router::make_wide_router_model();
    }
    rtl::router::Identity identity;
    identity.port_enable = ~uint64_t{0} >> (64 - kPorts);
    identity.initial_credits.fill(64);
    identity.route_destinations = kPorts;
    for (int input = 0; input < kPorts * link::kVcs; ++input) {
      for (int host = 0; host < kPorts; ++host)
        identity.routes.push_back(system::RouteTable::entry(host, input % link::kVcs));
    }
    model->reset(identity);
    return model;
  }
  static auto streams() {
    std::vector<typename Load::Stream> streams;
    for (int p = 0; p < kPorts; ++p)
      streams.push_back({p, header_to(0, static_cast<uint32_t>(p ^ 1), 0), rtl::router::kRouterBufferWords});
    return streams;
  }
};

/// An FPGA of a QFDB whose board links are crossed in a circle; `two_links`: without network links in y and z.
template <bool network, bool two_links = false>
struct Node {
  using Load = PassingLoad<rtl::node::Pins>;
  static std::unique_ptr<rtl::node::Model> make() {
    std::unique_ptr<rtl::node::Model> model = two_links ? rtl::node::make_two_link_node_model()
                                              : network ? rtl::node::make_network_node_model()
                                                        : rtl::node::make_plain_node_model();
    rtl::node::Identity identity;
    identity.node = network ? 0 : 1;
    identity.tile_bits = 2;
    identity.port_enable = 0xf;
    model->reset(identity);
    // Links without a neighbour.
    if (network) *model->pins().m_tready_i = 0x3f;
    return model;
  }
  static std::vector<Load::Stream> streams() {
    // The FPGAs at the board links of F1 and of F2.
    const std::array<uint32_t, 3> ends = network ? std::array<uint32_t, 3>{1, 2, 3} : std::array<uint32_t, 3>{0, 2, 3};
    std::vector<Load::Stream> streams;
    for (int l = 0; l < 3; ++l) {
      const uint32_t to = ends[static_cast<size_t>((l + 1) % 3)];
      streams.push_back({l, header_to(0, to, to), rtl::node::kNodeBoardCredits});
    }
    return streams;
  }
};

template <class Element>
void count_cycles(benchmark::State& state, bool loaded) {
  const int64_t objects = state.range(0);
  using Model = typename decltype(Element::make())::element_type;
  std::vector<std::unique_ptr<Model>> models;
  std::vector<typename Element::Load> loads;
  for (int64_t i = 0; i < objects; ++i) {
    models.push_back(Element::make());
    loads.emplace_back(models.back()->pins(), loaded ? Element::streams() : decltype(Element::streams()){});
  }
  if (!loaded) {
    for (auto& model : models) {
      for (int edge = 0; edge < kClearEdges && *model->pins().idle_o == 0; ++edge) model->edge();
      if (*model->pins().idle_o == 0) state.SkipWithError("does not get idle");
    }
  }
  const auto round = [&] {
    for (int cycle = 0; cycle < kRoundCycles; cycle += kQuantumCycles) {
      for (size_t i = 0; i < models.size(); ++i) {
        for (int k = 0; k < kQuantumCycles; ++k) {
          loads[i].inputs();
          models[i]->edge();
        }
      }
    }
  };
  round();
  const uint64_t before = loads[0].passed();
  for (auto _ : state) round();
  const double cycles = static_cast<double>(state.iterations()) * kRoundCycles;
  if (loaded && loads[0].passed() == before) state.SkipWithError("nothing passes");
  for (const auto& model : models) {
    if (*model->pins().error_o != 0) state.SkipWithError("the logic complains of the packets");
  }
  state.counters["cycles_per_second"] =
      benchmark::Counter(cycles * static_cast<double>(objects), benchmark::Counter::kIsRate);
  state.counters["words_per_cycle"] = static_cast<double>(loads[0].passed() - before) / cycles;
}
void RouterCycles(benchmark::State& state, bool loaded) { count_cycles<Router>(state, loaded); }
void WideRouterCycles(benchmark::State& state, bool loaded) {
  count_cycles<TableRouter<rtl::router::kWideRouterPorts>>(state, loaded);
}
void LargeRouterCycles(benchmark::State& state, bool loaded) {
  count_cycles<TableRouter<rtl::router::kLargeRouterPorts>>(state, loaded);
}
void NetworkFpgaCycles(benchmark::State& state, bool loaded) { count_cycles<Node<true>>(state, loaded); }
void TwoLinkFpgaCycles(benchmark::State& state, bool loaded) { count_cycles<Node<true, true>>(state, loaded); }
void PlainFpgaCycles(benchmark::State& state, bool loaded) { count_cycles<Node<false>>(state, loaded); }
BENCHMARK_CAPTURE(RouterCycles, loaded, true)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(RouterCycles, idle, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WideRouterCycles, loaded, true)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WideRouterCycles, idle, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LargeRouterCycles, loaded, true)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LargeRouterCycles, idle, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(NetworkFpgaCycles, loaded, true)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(NetworkFpgaCycles, idle, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TwoLinkFpgaCycles, loaded, true)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TwoLinkFpgaCycles, idle, false)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PlainFpgaCycles, loaded, true)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PlainFpgaCycles, idle, false)->Arg(1)->Unit(benchmark::kMillisecond);

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// What a run cost and how many edges it evaluated.
struct Cost {
  double seconds = 0;
  uint64_t edges = 0;
};

/// The same simulated time without and with skipping, in turns. `run(idle_skip)` leaves setting up out of the cost.
template <class Run>
void compare_skipping(benchmark::State& state, const Run& run) {
  std::vector<double> ratios;
  Cost every, skipping;
  for (auto _ : state) {
    every = run(false);
    skipping = run(true);
    if (every.edges == 0 || skipping.edges == 0) state.SkipWithError("the run failed");
    ratios.push_back(every.seconds / skipping.seconds);
  }
  if (ratios.empty()) return;
  state.counters["every_to_skipping"] = median(ratios);
  state.counters["edges_every"] = static_cast<double>(every.edges);
  state.counters["edges_skipping"] = static_cast<double>(skipping.edges);
}

/// Eight routers in a torus; each tile sends packets of 18 words, spread over the whole time. The argument is the load
/// in per mille of a word each slot.
void RatioIdleSkipRouters(benchmark::State& state) {
  const int packets = 40;
  const int64_t slots = packets * int64_t{link::kMaxPacketWords} * 1000 / state.range(0);
  compare_skipping(state, [&](bool idle_skip) {
    test::NetworkOptions options;
    options.idle_skip = idle_skip;
    test::RouterNetwork network(options);
    network.add_random_traffic(packets, slots);
    const double start = thread_seconds();
    // A slot of the tile's link carries 128 bits at 20 Gb/s, 6.4 ns.
    const absl::Status status = network.run(Time::from_ns(60), Time::from_ps(slots * 6400));
    const Cost cost{thread_seconds() - start, 0};
    if (!status.ok()) return cost;
    Cost all = cost;
    for (int n = 0; n < network.nodes(); ++n) all.edges += network.router(n).events();
    return all;
  });
}
BENCHMARK(RatioIdleSkipRouters)->Arg(500)->Arg(100)->Arg(10)->Iterations(5)->Unit(benchmark::kMillisecond);

/// Two network and two plain FPGAs with their processors, models of which are part of the cost. The argument is the
/// longest pause before a message or transfer, in microseconds.
void RatioIdleSkipNodes(benchmark::State& state) {
  compare_skipping(state, [&](bool idle_skip) {
    test::BenchOptions options;
    options.messages = 6;
    options.transfers = 2;
    options.pause = Time::from_us(state.range(0));
    options.idle_skip = idle_skip;
    test::NodeBench bench(options);
    const double start = thread_seconds();
    const absl::Status status = bench.run([] { return Time::from_ps(62'500); }, Time::from_us(20'000));
    const double seconds = thread_seconds() - start;
    return Cost{seconds, status.ok() && bench.finished() ? bench.edges() : 0};
  });
}
BENCHMARK(RatioIdleSkipNodes)->Arg(0)->Arg(10)->Arg(100)->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fabrictwin::bench
