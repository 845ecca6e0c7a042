// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The history with 100 000 results: 200 series of 500 results, each with 3 measured and 7 exact metrics and a digest.
// From the project's root: build/release/bench/history_bench
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cosim/base/random.h"
#include "dashboards/history/check.h"
#include "dashboards/history/database.h"
#include "dashboards/history/trend.h"
#include "dashboards/pages/history_site.h"
#include "fmt/format.h"

namespace fabrictwin::dashboards {
namespace {

constexpr int kSeries = 200;
constexpr int kResults = 500;

history::Result made_result(int series, int index, RandomStream& random) {
  history::Result result;
  result.name = fmt::format("series{}", series);
  result.kind = "run";
  result.provenance.set_commit(fmt::format("{:012x}", index));
  result.provenance.set_date(
      fmt::format("2026-{:02}-{:02}T{:02}:00:00Z", 1 + index / 25 / 28, 1 + index / 25 % 28, index % 25 % 24));
  result.provenance.set_host("node1");
  result.provenance.set_experiment(fmt::format("seed: {}\n", series));
  for (int i = 0; i < 3; ++i) {
    result.metrics.push_back({fmt::format("measured{}", i), "s", history::Better::kLower,
                              80 * (1 + 0.03 * (random.next_unit() - 0.5)) * (index > 300 && i == 0 ? 1.1 : 1)});
  }
  for (int i = 0; i < 7; ++i)
    result.metrics.push_back({fmt::format("exact{}", i), "s", history::Better::kExact, static_cast<double>(i)});
  result.texts.push_back({"digest", "0123456789abcdef"});
  return result;
}

/// A database that is filled once.
history::Database& filled_database() {
  static history::Database* const database = [] {
    const std::string file = (std::filesystem::temp_directory_path() / "fabrictwin_history_bench.db").string();
    std::filesystem::remove(file);
    auto* made = new history::Database(*history::Database::open(file, true));
    RandomStream random(1, 0, RandomPurpose::kTest);
    for (int index = 0; index < kResults; ++index) {
      std::vector<history::Result> results;
      for (int series = 0; series < kSeries; ++series) results.push_back(made_result(series, index, random));
      if (!made->add(results).ok()) std::exit(1);
    }
    return made;
  }();
  return *database;
}

void record(benchmark::State& state) {
  history::Database& database = filled_database();
  RandomStream random(2, 0, RandomPurpose::kTest);
  std::vector<int64_t> ids;
  for (auto _ : state) {
    const history::Result result = made_result(0, kResults - 1, random);
    const auto added = database.add(std::span(&result, 1));
    if (!added.ok()) return state.SkipWithError("not recorded");
    ids.push_back(added->front());
  }
  if (!database.remove(ids).ok()) state.SkipWithError("not removed");
}
BENCHMARK(record)->Unit(benchmark::kMillisecond)->Iterations(50);

void trend(benchmark::State& state) {
  for (auto _ : state) {
    const auto trends = history::find_trends(filled_database(), "series7", "measured0", {});
    if (!trends.ok() || trends->size() != 1) return state.SkipWithError("no trend");
    benchmark::DoNotOptimize(trends->front().changes.size());
  }
}
BENCHMARK(trend)->Unit(benchmark::kMillisecond);

void check(benchmark::State& state) {
  for (auto _ : state) {
    const auto result = history::check(filled_database(), {});
    if (!result.ok()) return state.SkipWithError("no check");
    benchmark::DoNotOptimize(result->findings.size());
  }
}
BENCHMARK(check)->Unit(benchmark::kMillisecond)->Iterations(3);

void site(benchmark::State& state) {
  for (auto _ : state) {
    const auto trends = history::find_trends(filled_database(), "", "", {});
    if (!trends.ok()) return state.SkipWithError("no trends");
    benchmark::DoNotOptimize(pages::history_site(*trends, {}).size());
  }
}
BENCHMARK(site)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace fabrictwin::dashboards
