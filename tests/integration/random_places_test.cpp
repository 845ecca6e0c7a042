// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law at places that nobody has chosen: any routers and hosts in any processes, by any transport, with any threads.
// The number of a test is the seed of its places.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/integration/mpi_launchers.h"

namespace fabrictwin {
namespace {

using Words = std::vector<std::string>;

constexpr int kRouters = 8;
constexpr int kMostPlaces = 3;  ///< Besides the process of the run.

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Eight routers, each with a host.
const std::vector<Words> kWorkloads = {
    {"workloads/experiments/all-model.textproto", "--set", "workload.exchange.bytes=3000B", "--set",
     "workload.exchange.allreduce=8B"},
    {"workloads/experiments/all-model.textproto", "--set", "workload.skeleton.ranks=8", "--set",
     "workload.skeleton.minife.global=8x8x8", "--set", "workload.skeleton.minife.iterations=1"},
    {"workloads/experiments/uniform.textproto", "--set", "topology.torus.dims=2x2x2", "--set",
     "workload.traffic.duration=3us", "--set", "workload.traffic.load=0.4"}};
const std::array kModels = {"EXANET", "PACKET", "INPUT_QUEUED"};

/// Numbers of a test. Standard distributions differ from one library to the next, and what is drawn should not.
class Draw {
 public:
  explicit Draw(uint32_t seed) : numbers_(seed) {}
  int below(int bound) { return static_cast<int>(numbers_() % static_cast<uint32_t>(bound)); }
  bool one_in(int number) { return below(number) == 0; }

 private:
  std::mt19937 numbers_;
};

/// A run, and who simulates what in it.
struct Places {
  Words options;
  std::string mpirun;  ///< Empty: it is started without.
  int ranks = 1;

  std::string text() const { return fmt::format("{} {} {}", mpirun, ranks, fmt::join(options, " ")); }
};

/// A rule for routers and hosts at each of the other places.
Words draw_rules(Draw& draw, bool hosts_move, const Words& kinds) {
  std::vector<Words> here(kinds.size() + 1);
  for (int router = 0; router < kRouters; ++router) {
    here[static_cast<size_t>(draw.below(static_cast<int>(here.size())))].push_back(fmt::format("router[{}]", router));
    if (hosts_move)
      here[static_cast<size_t>(draw.below(static_cast<int>(here.size())))].push_back(fmt::format("host[{}]", router));
  }
  Words options;
  for (size_t place = 1; place < here.size(); ++place) {
    if (here[place].empty()) continue;
    options = options + Words{"--use", fmt::format("{}=MODEL@{}", fmt::join(here[place], ","), kinds[place - 1])};
  }
  return options;
}

Places draw_places(Draw& draw, bool words) {
  static const Words kTransports = {"worker:shm", "worker:unix", "worker:tcp"};
  Places places;
  Words kinds;
  const Words mpi = mpi_launchers();
  if (!mpi.empty() && draw.one_in(5)) {
    places.mpirun = mpi[static_cast<size_t>(draw.below(static_cast<int>(mpi.size())))];
    places.ranks = 2 + draw.below(kMostPlaces);
    // A rank for which nothing is drawn has nothing to do.
    for (int rank = 1; rank < places.ranks; ++rank) kinds.push_back(fmt::format("mpi:{}", rank));
    if (draw.one_in(2)) places.options.push_back("--no-shm");
  } else {
    const int others = 1 + draw.below(kMostPlaces);
    for (int place = 0; place < others; ++place) kinds.push_back(kTransports[static_cast<size_t>(draw.below(3))]);
  }
  places.options = places.options + draw_rules(draw, words, kinds);
  // Words may be those of hardware.
  if (words && draw.one_in(2)) {
    static const Words kHardware = {"RTL", "RTL@worker:shm", "RTL@worker:unix", "BOARD@soft"};
    const std::string& hardware = kHardware[static_cast<size_t>(draw.below(static_cast<int>(kHardware.size())))];
    places.options = places.options + Words{"--use", fmt::format("router[{}]={}", draw.below(kRouters), hardware)};
  }
  places.options = places.options + Words{"--threads", std::to_string(1 + draw.below(3))};
  return places;
}

Digests run_at(const Words& experiment, const Places& places) {
  if (places.mpirun.empty()) return digests_of(experiment, {}, places.options);
  const Words run = Words{places.mpirun, "-n", std::to_string(places.ranks), cli_binary(), "run", "--json", "--quiet"} +
                    experiment + places.options;
  const CliResult result = run_process(run, mpi_environment());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return digests_in(result.out);
}

class RandomPlaces : public ::testing::TestWithParam<int> {};

TEST_P(RandomPlaces, DoNotShow) {
  Draw draw(static_cast<uint32_t>(GetParam()));
  const size_t model = static_cast<size_t>(draw.below(static_cast<int>(kModels.size())));
  const bool words = model == 0;
  const size_t traffic = kWorkloads.size() - 1;
  const auto workload = static_cast<size_t>(draw.below(static_cast<int>(kWorkloads.size())));
  Words experiment = kWorkloads[workload] + Words{"--set", fmt::format("router.model={}", kModels[model])};
  // Interfaces that still answer at the end.
  if (words && workload != traffic && draw.one_in(2)) experiment = experiment + Words{"--set", "host.nic=RDMA"};
  static std::map<std::string, Digests> known;
  const auto [alone, made] = known.try_emplace(fmt::format("{}", fmt::join(experiment, " ")));
  if (made) alone->second = digests_of(experiment, {});
  ASSERT_GT(alone->second.packets, 20u);
  const Places places = draw_places(draw, words);
  EXPECT_EQ(run_at(experiment, places), alone->second) << alone->first << " " << places.text();
}

INSTANTIATE_TEST_SUITE_P(Some, RandomPlaces, ::testing::Range(0, 8));
INSTANTIATE_TEST_SUITE_P(Any, RandomPlaces, ::testing::Range(8, 248));

}  // namespace
}  // namespace fabrictwin
