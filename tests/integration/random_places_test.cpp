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
#include "tests/test_folder.h"

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

/// What an element of words can be besides a model. A shell is for routers of tori and the like, so it is not for all
/// systems.
const std::string& draw_hardware(Draw& draw, bool shells) {
  static const Words kWithoutShells = {"RTL", "RTL@worker:shm", "RTL@worker:unix", "BOARD@soft"};
  static const Words kWithShells = kWithoutShells + Words{"BOARD@shell"};
  const Words& hardware = shells ? kWithShells : kWithoutShells;
  return hardware[static_cast<size_t>(draw.below(static_cast<int>(hardware.size())))];
}

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

/// How the run is started, and the places besides its own process: at most `most`.
Words draw_kinds(Draw& draw, int most, Places& places) {
  static const Words kTransports = {"worker:shm", "worker:unix", "worker:tcp"};
  Words kinds;
  const Words mpi = mpi_launchers();
  if (!mpi.empty() && draw.one_in(5)) {
    places.mpirun = mpi[static_cast<size_t>(draw.below(static_cast<int>(mpi.size())))];
    places.ranks = 2 + draw.below(most);
    // A rank for which nothing is drawn has nothing to do.
    for (int rank = 1; rank < places.ranks; ++rank) kinds.push_back(fmt::format("mpi:{}", rank));
    if (draw.one_in(2)) places.options.push_back("--no-shm");
  } else {
    const int others = 1 + draw.below(most);
    for (int place = 0; place < others; ++place) kinds.push_back(kTransports[static_cast<size_t>(draw.below(3))]);
  }
  return kinds;
}

/// Starts a run without MPI if nothing is at another rank, which is refused.
void leave_unused_ranks(Places& places) {
  const std::string options = fmt::format("{}", fmt::join(places.options, " "));
  if (options.find("@mpi:") != std::string::npos) return;
  places.mpirun.clear();
  std::erase(places.options, "--no-shm");
}

Places draw_places(Draw& draw, bool words) {
  Places places;
  const Words kinds = draw_kinds(draw, kMostPlaces, places);
  places.options = places.options + draw_rules(draw, words, kinds);
  leave_unused_ranks(places);
  // Words may be those of hardware.
  if (words && draw.one_in(2)) {
    const int router = draw.below(kRouters);
    places.options = places.options + Words{"--use", fmt::format("router[{}]={}", router, draw_hardware(draw, true))};
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

/// A system whose routers of words can be of several kinds.
struct System {
  std::string name;
  std::string text;  ///< Its topology and, unless they are those of ExaNet, its routers.
  std::vector<std::string> workloads;
  Words logic;       ///< The names of its routers or nodes.
  std::string host;  ///< The name of hosts that can be elsewhere than their routers; empty if they cannot.
  int hosts = 0;
  Words depths;          ///< What routers can be besides words.
  bool hardware = true;  ///< Single routers can be RTL and boards,
  bool exact = true;     ///< and have the same times then.
  std::string implementation = "MODEL";
};

Words named(const std::string& kind, int count) {
  Words names;
  for (int i = 0; i < count; ++i) names.push_back(fmt::format("{}[{}]", kind, i));
  return names;
}

const std::vector<System>& systems() {
  static const std::string kExchange = R"(exchange { bytes: "3000B" allreduce: "8B" })";
  static const std::string kSkeleton = R"(skeleton { ranks: 6 minife { global: "8x8x8" iterations: 1 } })";
  static const std::string kTraffic = R"(traffic { load: 0.3 duration: "3us" })";
  static const std::string kStar = fmt::format(
      R"(topology {{ torus {{ dims: 1 hosts_per_router: 4 link_rate: "2Gbps" tile_rate: "2Gbps" }} }}
router {{ model: EXTERNAL vcs: 4 buffer_words: 128 packet_payload: "128B" library: "{}" words {{ word_bits: 64
  header {{ name: DESTINATION lsb: 0 bits: 8 }} header {{ name: SOURCE lsb: 20 bits: 5 }}
  header {{ name: PAYLOAD_BYTES lsb: 30 bits: 13 }} header {{ name: SEQUENCE lsb: 50 bits: 8 }} }} }}
use {{ select: "router[*]" implementation: RTL }})",
      STAR_ROUTER);
  static const Words kCoarse = {"PACKET", "INPUT_QUEUED"};
  static const std::vector<System> kSystems = {
      {"torus",
       "topology { torus { dims: [2, 2, 2] } }",
       {kExchange, kTraffic},
       named("router", 8),
       "host",
       8,
       kCoarse},
      {"fat tree",
       "topology { fat_tree { down: [2, 2, 2] } }",
       {kSkeleton, kTraffic},
       named("router", 12),
       "host",
       8,
       kCoarse},
      {"dragonfly",
       "topology { dragonfly { groups: 3 rows: 1 columns: 2 hosts_per_router: 1 row_links: 1 column_links: 1 "
       "global_ports: 1 } }",
       {kSkeleton, kTraffic},
       named("router", 6),
       "host",
       6,
       kCoarse},
      // Their hosts are where they are.
      {"nodes",
       "topology { exanest { blades: 1 qfdbs: 2 } }",
       {kSkeleton, R"(traffic { load: 0.1 duration: "20us" })"},
       {"qfdb[0].router", "qfdb[0].switch[1]", "qfdb[0].switch[2]", "qfdb[0].switch[3]", "qfdb[1].router",
        "qfdb[1].switch[1]", "qfdb[1].switch[2]", "qfdb[1].switch[3]"},
       "",
       8,
       {"PACKET"},
       true,
       false},
      {"star",
       kStar,
       {R"(traffic { load: 0.15 payload: "250B" duration: "60us" })"},
       {"router[0]"},
       "host",
       4,
       {},
       false,
       true,
       "RTL"}};
  return kSystems;
}

/// What each router of a system is.
struct Kinds {
  Words depths;   ///< "" for words.
  int hard = -1;  ///< One that is hardware.
};

Kinds draw_router_kinds(Draw& draw, const System& system) {
  Kinds kinds;
  kinds.depths.resize(system.logic.size());
  // None, some, or nearly all, of one depth or of several.
  const int words_of_five = 5 - 2 * draw.below(3);
  const int many = system.depths.empty() ? 0 : 1 + draw.below(static_cast<int>(system.depths.size()));
  const int first = system.depths.empty() ? 0 : draw.below(static_cast<int>(system.depths.size()));
  std::vector<int> of_words;
  for (size_t router = 0; router < system.logic.size(); ++router) {
    const bool words = draw.below(5) < words_of_five || many == 0;
    if (words) {
      of_words.push_back(static_cast<int>(router));
      continue;
    }
    kinds.depths[router] = system.depths[static_cast<size_t>(first + draw.below(many)) % system.depths.size()];
  }
  if (system.hardware && !of_words.empty() && !draw.one_in(3))
    kinds.hard = of_words[static_cast<size_t>(draw.below(static_cast<int>(of_words.size())))];
  return kinds;
}

/// A rule for each group of elements, by what they are.
Words rules_of(const std::map<std::string, Words>& groups) {
  Words options;
  for (const auto& [what, names] : groups)
    options = options + Words{"--use", fmt::format("{}={}", fmt::join(names, ","), what)};
  return options;
}

/// What routers are, all in the process of the run: the run that others are compared with.
Words rules_here(const System& system, const Kinds& kinds) {
  std::map<std::string, Words> groups;
  for (size_t router = 0; router < system.logic.size(); ++router) {
    if (!kinds.depths[router].empty()) groups["MODEL/" + kinds.depths[router]].push_back(system.logic[router]);
  }
  Words options = rules_of(groups);
  if (kinds.hard >= 0 && !system.exact)
    options = options + Words{"--use", system.logic[static_cast<size_t>(kinds.hard)] + "=RTL"};
  return options;
}

/// Routers and hosts at the places `others`. Rules of routers come after those of hosts, since coarser ones have their
/// hosts with them.
Words draw_rules(Draw& draw, const System& system, const Kinds& kinds, const Words& others) {
  const auto somewhere = [&] {
    const int place = draw.below(static_cast<int>(others.size()) + 1);
    return place == 0 ? std::string() : "@" + others[static_cast<size_t>(place - 1)];
  };
  std::map<std::string, Words> hosts;
  for (int host = 0; host < (system.host.empty() ? 0 : system.hosts); ++host) {
    if (const std::string place = somewhere(); !place.empty())
      hosts["MODEL" + place].push_back(fmt::format("{}[{}]", system.host, host));
  }
  std::map<std::string, Words> routers;
  for (size_t router = 0; router < system.logic.size(); ++router) {
    const std::string& depth = kinds.depths[router];
    routers[system.implementation + (depth.empty() ? "" : "/" + depth) + somewhere()].push_back(system.logic[router]);
  }
  Words options = rules_of(hosts) + rules_of(routers);
  if (kinds.hard >= 0) {
    options = options + Words{"--use", fmt::format("{}={}", system.logic[static_cast<size_t>(kinds.hard)],
                                                   draw_hardware(draw, false))};
  }
  return options;
}

class RandomSystems : public ::testing::TestWithParam<int> {};

// The number of a test is the seed of its system, of what its routers are, and of its places.
TEST_P(RandomSystems, DoNotShow) {
  Draw draw(static_cast<uint32_t>(1000 + GetParam()));
  const System& system = systems()[static_cast<size_t>(draw.below(static_cast<int>(systems().size())))];
  const std::string& workload =
      system.workloads[static_cast<size_t>(draw.below(static_cast<int>(system.workloads.size())))];
  const Kinds kinds = draw_router_kinds(draw, system);
  Places places;
  const Words others = draw_kinds(draw, 2, places);
  places.options = places.options + draw_rules(draw, system, kinds, others);
  leave_unused_ranks(places);
  places.options = places.options + Words{"--threads", std::to_string(1 + draw.below(3))};

  const TestFolder folder;
  const Words file = {
      folder.write("system.textproto", fmt::format("{}\nworkload {{ {} }}\nseed: 1\n", system.text, workload))};
  const Words alone = rules_here(system, kinds);
  const Digests expected = digests_of(file, {}, alone);
  ASSERT_GT(expected.packets, 20u);
  EXPECT_EQ(run_at(file, places), expected) << system.name << ": " << workload << " "
                                            << fmt::format("{}", fmt::join(alone, " ")) << " against " << places.text();
}

INSTANTIATE_TEST_SUITE_P(Some, RandomSystems, ::testing::Range(0, 4));
INSTANTIATE_TEST_SUITE_P(Any, RandomSystems, ::testing::Range(4, 164));

}  // namespace
}  // namespace fabrictwin
