// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// 64 Verilated routers in a 4x4x4 torus: an object each, as partitions hold them, against one Verilated top with all of
// them.
//
//   router_bench --benchmark_filter=Ratio     both sides of a ratio in one run, in turns, so that a noisy machine is
//   noisy for both
//
// Routers, harness, traffic and optimisation are the same on both sides; one evaluation a cycle too. The objects win
// because each stays in the cache while it is advanced by a link latency. `top_two_evals` is the top as it is usually
// clocked.
#include <benchmark/benchmark.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <thread>
#include <vector>

#include "rtl/transactor/router/model.h"
#include "tests/bench/router_torus.h"
#include "tests/bench/torus_top.h"

namespace fabrictwin::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kLoadPercent = 50;
constexpr int kWarmUpQuanta = 100;
/// Long enough that a measurement is some tens of milliseconds.
constexpr int kQuantaPerRound = 40;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// CPU time of this thread: what the work costs even if somebody else uses the core in between.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Keeps the calling thread on one core: left alone, short-lived threads on a busy machine stay together on the core of
/// their parent.
void pin_to(const cpu_set_t& cores) { pthread_setaffinity_np(pthread_self(), sizeof(cores), &cores); }

cpu_set_t core(int number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number, &set);
  return set;
}

/// A barrier of two threads that spins and yields, as the executor does where a core is free. One that sleeps lets the
/// scheduler keep both threads on one core when the machine is busy.
class SpinBarrier {
 public:
  void arrive_and_wait() {
    const int round = round_.load(std::memory_order_acquire);
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) == 1) {
      waiting_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
      if (spins > 4000) std::this_thread::yield();
    }
  }

 private:
  std::atomic<int> waiting_{0};
  std::atomic<int> round_{0};
};

/// 64 routers, an object each, and each advanced by a link latency at a time, as the executor does.
class ObjectTorus {
 public:
  explicit ObjectTorus(int load_percent) : nodes_(kRouters) {
    for (int r = 0; r < kRouters; ++r) {
      models_.push_back(rtl::router::make_router_model());
      models_[r]->reset(torus_identity(r));
      nodes_[r].connect(nodes_, r, models_[r]->pins(), load_percent);
    }
  }

  /// Advances by `quanta` link latencies on this thread.
  void run(int quanta) {
    for (int q = 0; q < quanta; ++q, cycle_ += kLinkCycles) quantum(0, kRouters, cycle_);
  }

  /// Runs it on two threads, each with one half of the routers. Returns what it would have taken on two cores of its
  /// own, barriers not counted: the sum over the quanta of the slower half's CPU time.
  double run_on_two_threads(int quanta) {
    SpinBarrier barrier;
    std::array<std::vector<double>, 2> busy;
    const auto half = [&](int first, int last, std::vector<double>& mine) {
      for (int q = 0; q < quanta; ++q) {
        const double start = thread_seconds();
        quantum(first, last, cycle_ + int64_t{q} * kLinkCycles);
        mine.push_back(thread_seconds() - start);
        barrier.arrive_and_wait();
      }
    };
    std::thread other([&] {
      pin_to(core(1));
      half(kRouters / 2, kRouters, busy[1]);
    });
    half(0, kRouters / 2, busy[0]);
    other.join();
    cycle_ += int64_t{quanta} * kLinkCycles;
    double seconds = 0;
    for (int q = 0; q < quanta; ++q) seconds += std::max(busy[0][q], busy[1][q]);
    return seconds;
  }

  uint64_t received() const { return received_words(nodes_); }
  int64_t cycle() const { return cycle_; }

 private:
  void quantum(int first, int last, int64_t from) {
    for (int r = first; r < last; ++r) {
      for (int64_t k = from; k < from + kLinkCycles; ++k) {
        nodes_[r].inputs(k);
        models_[r]->edge();
        nodes_[r].outputs(k);
      }
    }
  }

  std::vector<std::unique_ptr<rtl::router::Model>> models_;
  std::vector<TorusNode> nodes_;
  int64_t cycle_ = 0;
};

/// 64 routers in one Verilated top, which can only be advanced cycle by cycle.
class TopTorus {
 public:
  explicit TopTorus(int load_percent) : nodes_(kRouters) {
    for (int r = 0; r < kRouters; ++r) nodes_[r].connect(nodes_, r, top_->pins(r), load_percent);
  }

  void run(int quanta, bool two_evals) {
    for (const int64_t end = cycle_ + int64_t{quanta} * kLinkCycles; cycle_ < end; ++cycle_) {
      for (TorusNode& node : nodes_) node.inputs(cycle_);
      if (two_evals) {
        top_->edge_in_two();
      } else {
        top_->edge();
      }
      for (TorusNode& node : nodes_) node.outputs(cycle_);
    }
  }

  uint64_t received() const { return received_words(nodes_); }

 private:
  std::unique_ptr<TorusTop> top_ = make_torus_top();
  std::vector<TorusNode> nodes_;
  int64_t cycle_ = 0;
};

void count(benchmark::State& state, int64_t cycles) {
  state.counters["us_per_cycle"] =
      benchmark::Counter(static_cast<double>(cycles) * 1e-6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_RouterObjects(benchmark::State& state) {
  ObjectTorus torus(static_cast<int>(state.range(0)));
  torus.run(kWarmUpQuanta);
  const uint64_t before = torus.received();
  for (auto _ : state) torus.run(1);
  count(state, state.iterations() * kLinkCycles);
  state.counters["words_per_tile_cycle"] =
      static_cast<double>(torus.received() - before) / static_cast<double>(state.iterations() * kLinkCycles * kRouters);
}
BENCHMARK(BM_RouterObjects)->ArgName("load")->Arg(0)->Arg(50);

void BM_RouterTop(benchmark::State& state) {
  TopTorus torus(static_cast<int>(state.range(0)));
  torus.run(kWarmUpQuanta, false);
  for (auto _ : state) torus.run(1, false);
  count(state, state.iterations() * kLinkCycles);
}
BENCHMARK(BM_RouterTop)->ArgName("load")->Arg(0)->Arg(50);

/// Time of the top over time of the objects, one thread. Goal: at least 1.3.
void BM_RatioTopToObjects(benchmark::State& state) {
  ObjectTorus objects(kLoadPercent);
  TopTorus top(kLoadPercent);
  objects.run(kWarmUpQuanta);
  top.run(kWarmUpQuanta, false);
  if (objects.received() != top.received()) {
    state.SkipWithError("objects and top disagree");
    return;
  }
  std::vector<double> one_eval, two_evals;
  for (auto _ : state) {
    auto start = SteadyClock::now();
    objects.run(kQuantaPerRound);
    const double object_seconds = seconds_since(start);
    start = SteadyClock::now();
    top.run(kQuantaPerRound / 2, false);
    one_eval.push_back(2 * seconds_since(start) / object_seconds);
    start = SteadyClock::now();
    top.run(kQuantaPerRound / 2, true);
    two_evals.push_back(2 * seconds_since(start) / object_seconds);
  }
  if (objects.received() != top.received()) state.SkipWithError("objects and top disagree");
  state.counters["top_to_objects"] = median(one_eval);
  state.counters["top_two_evals_to_objects"] = median(two_evals);
}
BENCHMARK(BM_RatioTopToObjects)->Iterations(15)->Unit(benchmark::kMillisecond);

/// Time of the objects on one thread over their time on two. Goal: at least 1.7, where there are two idle cores; the
/// `_cpu` ratio leaves out barriers and what other programs take, so it can be read on a busy machine too.
void BM_RatioOneToTwoThreads(benchmark::State& state) {
  if (std::thread::hardware_concurrency() < 2) return state.SkipWithError("needs two cores");
  cpu_set_t before;
  pthread_getaffinity_np(pthread_self(), sizeof(before), &before);
  pin_to(core(0));
  ObjectTorus torus(kLoadPercent);
  torus.run(kWarmUpQuanta);
  std::vector<double> ratios, work_ratios;
  for (auto _ : state) {
    auto start = SteadyClock::now();
    const double work_start = thread_seconds();
    torus.run(kQuantaPerRound);
    const double one = seconds_since(start);
    const double one_work = thread_seconds() - work_start;
    start = SteadyClock::now();
    const double two_work = torus.run_on_two_threads(kQuantaPerRound);
    ratios.push_back(one / seconds_since(start));
    work_ratios.push_back(one_work / two_work);
  }
  pin_to(before);
  state.counters["one_to_two_threads"] = median(ratios);
  state.counters["one_to_two_threads_cpu"] = median(work_ratios);
}
BENCHMARK(BM_RatioOneToTwoThreads)->Iterations(15)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace fabrictwin::bench
