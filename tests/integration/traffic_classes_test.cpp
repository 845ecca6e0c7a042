// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of traffic through the command line: a hotspot and its victims beside BookSim2 (commit 28f43299, two classes,
// accepted loads of classes 0 and 1) and groups of a dragonfly beside the bound of their links. Tolerances are those of
// docs/models/traffic.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kHotspot = "workloads/experiments/congestion/hotspot-torus.textproto";

std::string output_of(const std::vector<std::string>& arguments, const std::vector<std::string>& sets) {
  std::vector<std::string> all{"run", "--quiet"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  for (const std::string& set : sets) all.insert(all.end(), {"--set", set});
  const CliResult result = run_cli(all);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

json classes_of(const std::string& file, const std::vector<std::string>& sets) {
  const json report = json::parse(output_of({"--json", file}, sets), nullptr, false);
  EXPECT_FALSE(report.is_discarded());
  return report.value("classes", json::array());
}

struct Hotspot {
  const char* name;
  int vcs;
  double load, hot, victims;
};

class HotspotAndVictims : public ::testing::TestWithParam<Hotspot> {};

TEST_P(HotspotAndVictims, AcceptWhatBookSimDoes) {
  const Hotspot& booksim = GetParam();
  const json classes = classes_of(kHotspot, {fmt::format("workload.traffic.class[0].load={}", booksim.load),
                                             fmt::format("router.vcs={}", booksim.vcs)});
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].at("name"), "hot");
  EXPECT_EQ(classes[1].at("name"), "victims");
  const double hot = classes[0].at("accepted_load");
  const double victims = classes[1].at("accepted_load");
  EXPECT_NEAR(victims, booksim.victims, 0.2 * booksim.victims);
  if (booksim.load >= 0.05) {
    EXPECT_GE(hot, 0.97);
  }
  // Below saturation, the hot host accepts what is sent to it, which is little: packets are few.
  EXPECT_NEAR(hot, booksim.hot, (booksim.load < 0.01 ? 0.25 : 0.12) * booksim.hot);
}

INSTANTIATE_TEST_SUITE_P(Vcs4, HotspotAndVictims,
                         ::testing::Values(Hotspot{"Free", 4, 0.01, 0.6747, 0.101617},
                                           Hotspot{"Full", 4, 0.02, 0.931, 0.0668854},
                                           Hotspot{"Thrice", 4, 0.05, 0.97345, 0.0243742},
                                           Hotspot{"Often", 4, 0.2, 0.984, 0.0132219}),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(
    All, HotspotAndVictims,
    ::testing::Values(Hotspot{"Idle4", 4, 0.002, 0.1266, 0.101102},
                      Hotspot{"AlmostFull4", 4, 0.014, 0.897733, 0.0998844},
                      Hotspot{"Idle8", 8, 0.002, 0.135067, 0.102244}, Hotspot{"Free8", 8, 0.01, 0.673633, 0.101419},
                      Hotspot{"AlmostFull8", 8, 0.014, 0.915, 0.10101}, Hotspot{"Full8", 8, 0.02, 0.9272, 0.0679539},
                      Hotspot{"Thrice8", 8, 0.05, 0.971133, 0.0256437}, Hotspot{"Often8", 8, 0.2, 0.9848, 0.0120219}),
    [](const auto& info) { return info.param.name; });

TEST(TrafficClasses, AreATableOfEightyColumns) {
  const std::string text = output_of({kHotspot}, {"workload.traffic.sample_cycles=300"});
  const size_t table = text.find("classes of traffic\n");
  ASSERT_NE(table, std::string::npos) << text;
  EXPECT_THAT(text.substr(table), HasSubstr("  victims  10.00 %"));
  for (size_t line = table; line < text.find("busiest links"); line = text.find('\n', line) + 1)
    EXPECT_LE(text.find('\n', line) - line, 80u) << text;
}

TEST(TrafficClasses, AreMetricsOfASweep) {
  const TestFolder folder;
  const std::string text =
      output_of({kHotspot, "--sweep", "workload.traffic.class[0].load=0.01,0.2", "--out", folder.path().string()},
                {"workload.traffic.sample_cycles=300"});
  const std::string csv = read_file(folder.file("sweep.csv"));
  EXPECT_THAT(csv, HasSubstr("classes.hot.accepted_load,classes.hot.latency_mean"));
  EXPECT_THAT(csv, HasSubstr("classes.victims.accepted_load"));
  const std::string plots = read_file(folder.file("sweep.svg"));
  for (const char* title : {"Accepted load", "Accepted load by class", "Latency by class"})
    EXPECT_THAT(plots, HasSubstr(std::string(">") + title + "<"));
}

// A scheme shows in a sweep of traffic: in CSV all that is known of it, in the table the queue.
TEST(TrafficClasses, HaveTheSignsOfASchemeInASweep) {
  const TestFolder folder;
  const std::string table = output_of({"workloads/experiments/congestion/hotspot-packet.textproto", "--sweep",
                                       "workload.traffic.class[0].load=0.02,0.05", "--out", folder.path().string(),
                                       "--html", folder.file("sweep.html")},
                                      {"congestion.dctcp.threshold=6kB", "workload.traffic.duration=40us"});
  EXPECT_THAT(table, HasSubstr("queue"));
  EXPECT_THAT(table, testing::Not(HasSubstr("marks")));
  const std::string csv = read_file(folder.file("sweep.csv"));
  for (const char* column : {"queue_max_bytes", "queue_p50_bytes", "queue_p99_bytes", "marks", "notices",
                             "control_bytes", "classes.hot.goodput_gbps"})
    EXPECT_THAT(csv, HasSubstr(std::string(",") + column)) << csv;
  const std::string page = read_file(folder.file("sweep.html"));
  for (const char* title : {"Accepted load by class", "Latency by class", "Longest queue"})
    EXPECT_THAT(page, HasSubstr(title));
}

TEST(TrafficClasses, DoNotDependOnThreads) {
  const TestFolder folder;
  const std::string file = folder.write("classes.textproto", R"(
topology { torus { dims: 4 dims: 4 } }
router { model: PACKET }
workload { traffic {
  class { name: "hot" pattern: HOTSPOT hotspot_fraction: 1 hotspot_hosts: 5 load: 0.2 start: "1us" stop: "3us" }
  class { name: "others" load: 0.1 payload: "64B" process: BURSTY }
  class { name: "window" process: CLOSED_LOOP window: 2 hosts: "0..3,7" pattern: TORNADO }
  duration: "5us"
} }
)");
  const auto digests = [&](const char* threads, const char* seed) {
    const json report =
        json::parse(output_of({"--json", "--threads", threads, file}, {fmt::format("seed={}", seed)}), nullptr, false);
    return report.at("timing_digest").get<std::string>() + report.at("payload_digest").get<std::string>();
  };
  const std::string one = digests("1", "1");
  EXPECT_EQ(one, digests("2", "1"));
  EXPECT_EQ(one, digests("4", "1"));
  EXPECT_NE(one, digests("1", "2"));
}

TEST(TrafficClasses, HaveNoLoadTogether) {
  const CliResult result = run_cli({"run", kHotspot, "--saturation"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("here each class has its own; sweep that of one class"));
}

const std::string kNextGroup = "workloads/experiments/congestion/dragonfly-next.textproto";

double accepted_to_next_group(const std::vector<std::string>& settings) {
  return classes_of(kNextGroup, settings).at(0).at("accepted_load");
}

// Groups of a dragonfly that all send to the next one share one global link, which is at most 1 / 8 for each of 8
// hosts; over a random group they have more.
TEST(TrafficClasses, OfGroupsShareTheirGlobalLink) {
  constexpr double kBookSim = 0.1107;
  for (const char* seed : {"seed=1", "seed=2"})
    EXPECT_NEAR(accepted_to_next_group({seed}), kBookSim, 0.05 * kBookSim) << seed;
  const double detours = accepted_to_next_group({"routing.algorithm=VALIANT", "router.vcs=3"});
  EXPECT_GE(detours, 0.30);
  EXPECT_LE(detours, 0.32);
  const double adaptive = accepted_to_next_group({"routing.algorithm=UGAL_L", "router.vcs=3"});
  EXPECT_GE(adaptive, 0.16);
  EXPECT_NEAR(adaptive, 0.23, 0.02);
}

TEST(TrafficClasses, OfGroupsHaveMoreOnVcsThatNoClassNeeds) {
  const double shared = accepted_to_next_group({"routing.own_vcs=false"});
  EXPECT_GT(shared, 1.05 * accepted_to_next_group({}));
  EXPECT_LE(shared, 0.125);
}

TEST(TrafficClasses, OwnVcsAreOfDragonflies) {
  const CliResult other = run_cli({"check", "workloads/experiments/congestion/hotspot-torus.textproto", "--set",
                                   "routing.algorithm=VALIANT", "--set", "routing.own_vcs=true"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("--set:1:17: error: own_vcs is for dragonflies, and this is torus 8x8"));
  const CliResult unknown = run_cli({"check", kNextGroup, "--set", "routing.algorithm=UP_DOWN"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("own_vcs is for routing by MINIMAL, VALIANT, UGAL_L, UGAL_G"));
}

}  // namespace
}  // namespace fabrictwin
