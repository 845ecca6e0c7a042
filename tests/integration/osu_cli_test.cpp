// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// fabrictwin osu, from the command line to what the suite would print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/dashboards/html/page_data.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::MatchesRegex;

const std::string kExanest = "workloads/experiments/exanest.textproto";

class Osu : public ::testing::Test {
 protected:
  /// The benchmark with a few iterations.
  static CliResult osu(const std::string& benchmark, const std::string& file, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"osu", benchmark, file, "--quiet", "--iterations", "3", "--warmup", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cli(arguments);
  }

  static nlohmann::json report(const std::string& benchmark, const std::string& file, std::vector<std::string> more) {
    more.emplace_back("--json");
    const CliResult result = osu(benchmark, file, std::move(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, IsEmpty());
    nlohmann::json json = result.exit_code == 0 ? nlohmann::json::parse(result.out) : nlohmann::json::object();
    // Where it comes from is another thing each time.
    EXPECT_EQ(json.erase("provenance"), result.exit_code == 0 ? 1u : 0u);
    return json;
  }

  /// The value of the only size.
  static double value(const std::string& benchmark, const std::string& file, std::vector<std::string> more) {
    const nlohmann::json json = report(benchmark, file, std::move(more));
    return json.contains("results") && json["results"].size() == 1 ? json["results"][0]["value"].get<double>() : -1;
  }

  const TestFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  const std::string ring_ =
      temporary_.write("ring.textproto", "topology { torus { dims: 4 } }\nworkload { traffic { load: 0.3 } }\n");
};

const std::vector<std::string> kBlade = {"--set", "topology.exanest.blades=1"};

std::vector<std::string> on_blade(std::vector<std::string> more) {
  more.insert(more.end(), kBlade.begin(), kBlade.end());
  return more;
}

TEST_F(Osu, LatencyBetweenHostsByName) {
  const nlohmann::json json =
      report("latency", kExanest, on_blade({"--place", "mpsoc[0],mpsoc[5]", "--sizes", "0,64,4KiB"}));
  EXPECT_EQ(json["benchmark"], "latency");
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_EQ(json["unit"], "us");
  ASSERT_EQ(json["results"].size(), 3u);
  EXPECT_EQ(json["results"][2]["bytes"], 4096);
  EXPECT_EQ(json["results"][2]["iterations"], 3);
  double last = 0;
  for (const auto& result : json["results"]) {
    EXPECT_GT(result["value"].get<double>(), last);
    last = result["value"];
  }
  // Another board is further away than the next MPSoC, which has two names.
  const double next = value("latency", kExanest, on_blade({"--place", "mpsoc[0],mpsoc[1]", "--sizes", "0"}));
  EXPECT_LT(next, json["results"][0]["value"].get<double>());
  EXPECT_EQ(value("latency", kExanest, on_blade({"--place", "mpsoc[0.0.0], mpsoc[0.0.1]", "--sizes", "0B"})), next);
  // What the experiment says of the firmware counts, not its calibration.
  EXPECT_LT(value("latency", kExanest, on_blade({"--sizes", "64", "--set", "host.firmware_delay=0ns"})) + 1,
            value("latency", kExanest, on_blade({"--sizes", "64"})));
  // Without --place, ranks are on the first hosts; threads do not show.
  EXPECT_EQ(value("osu_latency", kExanest, on_blade({"--sizes", "0", "--threads", "2"})), next);
}

TEST_F(Osu, APageHasPublishedResultsOfTheMachine) {
  const TestFolder folder;
  const auto labels = [&](const std::string& file) {
    const CliResult result = osu("latency", file, {"--sizes", "0,64", "--html", folder.file("page.html")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::ifstream page(folder.file("page.html"));
    const std::string html(std::istreambuf_iterator<char>(page), {});
    std::vector<std::string> all;
    const nlohmann::json chart = page_section(page_data(html), "OSU latency");
    for (const nlohmann::json& curve : chart["curves"]) all.push_back(curve["label"]);
    return all;
  };
  EXPECT_THAT(labels(kExanest), IsSupersetOf({"latency", "published: one hop in a QFDB"}));
  EXPECT_THAT(labels("workloads/experiments/mesh.textproto"), ElementsAre("latency"));
}

TEST_F(Osu, TheOrderOfPlacesIsThatOfRanks) {
  // Rank 0, the root, is in the middle of the line of the other ranks, or at its end.
  const auto bcast = [&](const std::string& place) {
    return value("bcast", ring_, {"--place", place, "--sizes", "8", "--set", "topology.torus.wrap=false"});
  };
  EXPECT_LT(bcast("host[1],host[0],host[2]"), bcast("host[0],host[1],host[2]"));
  EXPECT_EQ(bcast("host[0..2]"), bcast("host[0],host[1],host[2]"));
  EXPECT_EQ(bcast("host[1,0,2]"), bcast("host[1],host[0],host[2]"));
}

TEST_F(Osu, PrintsWhatTheSuitePrints) {
  const CliResult latency = osu("latency", ring_, {"--sizes", "0,8"});
  ASSERT_EQ(latency.exit_code, 0) << latency.err;
  EXPECT_THAT(latency.out, MatchesRegex("# OSU MPI Latency Test\n"
                                        "# Size          Latency \\(us\\)\n"
                                        "0  +[0-9]+\\.[0-9][0-9]\n"
                                        "8  +[0-9]+\\.[0-9][0-9]\n"));
  const CliResult allreduce = osu("allreduce", ring_, {"--sizes", "4", "--ranks", "4"});
  ASSERT_EQ(allreduce.exit_code, 0) << allreduce.err;
  EXPECT_THAT(
      allreduce.out,
      MatchesRegex("# OSU MPI Allreduce Latency Test\n"
                   "# Size       Avg Latency\\(us\\)   Min Latency\\(us\\)   Max Latency\\(us\\)        Iterations\n"
                   "4  +[0-9]+\\.[0-9][0-9] +[0-9]+\\.[0-9][0-9] +[0-9]+\\.[0-9][0-9] +3\n"));
  const CliResult rate = osu("mbw_mr", ring_, {"--sizes", "1024", "--ranks", "4", "--window", "8"});
  ASSERT_EQ(rate.exit_code, 0) << rate.err;
  EXPECT_THAT(rate.out, HasSubstr("# [ pairs: 2 ]\n"));
}

TEST_F(Osu, EveryBenchmarkRuns) {
  for (const std::string name : {"latency", "bw", "bibw", "mbw_mr", "bcast", "allreduce", "alltoall", "barrier",
                                 "one_way_lat", "reduce", "allgather", "gather", "scatter", "reduce_scatter"}) {
    const std::vector<std::string> sizes = {"--sizes", "4,256"};
    const nlohmann::json json = report(name, ring_, name == "barrier" ? std::vector<std::string>() : sizes);
    ASSERT_TRUE(json.contains("results")) << name;
    ASSERT_EQ(json["results"].size(), name == "barrier" ? 1u : 2u) << name;
    for (const auto& result : json["results"]) EXPECT_GT(result["value"].get<double>(), 0) << name;
  }
}

TEST_F(Osu, BandwidthIsBelowThatOfTheLinkAndTwiceAsMuchBothWays) {
  const double one = value("bw", ring_, {"--sizes", "64KiB", "--window", "4"});
  const double both = value("bibw", ring_, {"--sizes", "64KiB", "--window", "4"});
  // 10 Gb/s, of which 16 of 18 words are payload.
  EXPECT_GT(one, 900);
  EXPECT_LT(one, 1250 * 16 / 18);
  EXPECT_GT(both, 1.8 * one);
  EXPECT_LT(both, 2.1 * one);
}

TEST_F(Osu, TwoRanksMayShareAHost) {
  const double same = value("latency", ring_, {"--place", "host[1],host[1]", "--sizes", "0"});
  EXPECT_GT(same, 0);
  EXPECT_EQ(value("latency", ring_, {"--place", "host[1]", "--ranks-per-host", "2", "--sizes", "0"}), same);
  EXPECT_LT(same, value("latency", ring_, {"--place", "host[1],host[2]", "--sizes", "0"}));
}

TEST_F(Osu, EachHostMayHaveSeveralRanks) {
  const auto allgather = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--sizes", "4KiB"});
    return value("allgather", ring_, more);
  };
  const double blocks = allgather({"--place", "host[2],host[2],host[1],host[1]"});
  EXPECT_EQ(blocks, allgather({"--place", "host[2],host[1]", "--ranks-per-host", "2"}));
  const double turns = allgather({"--place", "host[2],host[1],host[2],host[1]"});
  EXPECT_EQ(turns, allgather({"--ranks", "4", "--ranks-per-host", "2", "--set", "workload.placement.hosts=2,1", "--set",
                              "workload.placement.kind=ROUND_ROBIN"}));
  EXPECT_NE(turns, blocks);
}

TEST_F(Osu, PlacesReplaceThePlacementOfTheExperiment) {
  const std::vector<std::string> places = {"--place", "host[1],host[0]", "--sizes", "8"};
  const nlohmann::json plain = report("latency", ring_, places);
  std::ofstream(folder_ / "ranks.txt") << "0\n3\n";
  for (const std::string placement : {"kind: FROM_FILE file: \"ranks.txt\"", "ranks_per_host: 2"}) {
    const std::string file = (folder_ / "placed.textproto").string();
    std::ofstream(file) << "topology { torus { dims: 4 } }\nworkload { osu { benchmark: BW } placement { " << placement
                        << " } }\n";
    EXPECT_EQ(report("latency", file, places), plain) << placement;
  }
}

// The eager limit is that of the hosts, or of the trace that the experiment would replay.
TEST_F(Osu, EagerLimitsAreThoseOfTheExperiment) {
  const std::string trace = (folder_ / "trace.textproto").string();
  std::ofstream(trace) << "topology { torus { dims: 4 } }\n"
                          "workload { mpi_trace { path: \"none.fttrace\" eager_limit: \"4KiB\" } }\n";
  const std::vector<std::string> size = {"--sizes", "1024"};
  const double rendezvous = value("latency", ring_, size);
  const double eager = value("latency", ring_, {"--sizes", "1024", "--set", "host.eager_limit=4KiB"});
  EXPECT_LT(eager, rendezvous);
  EXPECT_EQ(value("latency", trace, size), eager);
  EXPECT_EQ(value("latency", trace, {"--sizes", "1024", "--set", "host.eager_limit=32B"}), rendezvous);
  // Whatever else is said of the benchmark, or wrong with the workload that does not run.
  const CliResult set = run_cli({"osu", "latency", trace, "--sizes", "1024", "--set", "workload.osu.iterations=3"});
  EXPECT_EQ(set.exit_code, 0);
  EXPECT_THAT(set.err, HasSubstr("messages up to 4 KiB are sent eagerly"));
  const auto with_workload = [&](const std::string& workload) {
    const std::string file = (folder_ / "other.textproto").string();
    std::ofstream(file) << "topology { torus { dims: 4 } }\nworkload { " << workload << " }\n";
    return file;
  };
  const std::string negative =
      with_workload("mpi_trace { path: \"none.fttrace\" eager_limit: \"4KiB\" compute_scale: -1 }");
  EXPECT_EQ(value("latency", negative, size), eager);
  const std::string no_limit = with_workload("mpi_trace { path: \"none.fttrace\" eager_limit: \"4Kib\" }");
  const CliResult wrong = osu("latency", no_limit, size);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("other.textproto:2:58: error: "));
  // Of which one has the default.
  const std::string two = with_workload(
      "jobs { job { mpi_trace { path: \"a.fttrace\" eager_limit: \"4KiB\" } } "
      "job { mpi_trace { path: \"b.fttrace\" } } }");
  const CliResult several = osu("latency", two, {"--sizes", "1024", "--json"});
  ASSERT_EQ(several.exit_code, 0) << several.err;
  EXPECT_THAT(several.err, HasSubstr("have different eager limits; the benchmark has that of its hosts, 32 B"));
  EXPECT_EQ(nlohmann::json::parse(several.out)["results"][0]["value"], rendezvous);
  const CliResult loud = run_cli({"osu", "latency", trace, "--sizes", "1024"});
  EXPECT_EQ(loud.exit_code, 0);
  EXPECT_THAT(loud.err, HasSubstr("messages up to 4 KiB are sent eagerly"));
  const CliResult below = run_cli({"osu", "one_way_lat", trace, "--sizes", "1024"});
  EXPECT_EQ(below.exit_code, 0) << below.err;
  EXPECT_THAT(below.err, ::testing::Not(HasSubstr("sent eagerly"))) << "the network interface has no MPI";
}

TEST_F(Osu, RanksAreOnOneCoreEach) {
  const CliResult result = osu("bcast", kExanest, on_blade({"--ranks", "4", "--ranks-per-host", "5", "--sizes", "1"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("--ranks-per-host:1:1: error: ranks_per_host 5: an MPSoC has 4 cores"));
  const CliResult full = osu("bcast", kExanest, on_blade({"--ranks", "65", "--ranks-per-host", "4", "--sizes", "1"}));
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.err, HasSubstr("with 4 each; write at most 64, or take a larger topology"));
}

TEST_F(Osu, RtlInTheWayIsAsFastAsItsModel) {
  const std::vector<std::string> sizes = {"--place", "host[0],host[2]", "--sizes", "0,32,1024"};
  const nlohmann::json model = report("latency", ring_, sizes);
  std::vector<std::string> mixed = sizes;
  mixed.insert(mixed.end(), {"--use", "router[1]=RTL"});
  EXPECT_EQ(report("latency", ring_, mixed), model);
}

TEST_F(Osu, AnExperimentMayHaveAskedForIt) {
  const std::string file = (folder_ / "osu.textproto").string();
  std::ofstream(file) << "topology { torus { dims: 4 } }\n"
                         "workload { osu { benchmark: BCAST sizes: [\"8B\", \"16B\"] ranks: 3 iterations: 2 } }\n";
  const CliResult run = run_cli({"run", file, "--quiet", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const CliResult same = run_cli({"osu", "bcast", file, "--quiet", "--json"});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  nlohmann::json alone = nlohmann::json::parse(same.out);
  alone.erase("provenance");
  EXPECT_EQ(nlohmann::json::parse(run.out)["osu"], alone);
}

TEST_F(Osu, APartialResultIsSaid) {
  const CliResult result = osu("latency", ring_, {"--sizes", "0,1MiB", "--set", "stop.after_simulated=20us"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, MatchesRegex("# OSU MPI Latency Test\n[^\n]+\n0 [^\n]+\n"));
  EXPECT_THAT(result.err, HasSubstr("has not come to its end"));
}

TEST_F(Osu, WrongInputIsRefusedBeforeAnythingRuns) {
  struct Case {
    std::string benchmark;
    std::vector<std::string> more;
    std::string what;
  };
  for (const Case& c : std::vector<Case>{
           {"latncy", {}, "unknown benchmark \"latncy\" (did you mean \"latency\"?)"},
           {"latency",
            {"--place", "host[0],host[9]"},
            "--place: there is no host[9]; the elements are router[0..3] and host[0..3]"},
           {"latency", {"--place", "host[0],hots[1]"}, "did you mean \"host\"?"},
           {"latency", {"--place", "host[0],router[1]"}, "--place: router[1] is no host"},
           {"latency", {"--place", "host[0]"}, "--place: 2 ranks of latency do not fit on 1 host with 1 each"},
           {"latency", {"--place", "host[0],host[0],host[0]"}, "--place: latency has 2 ranks, and with 3 each 1 host"},
           {"allreduce", {"--sizes", "6"}, "fabrictwin: error: allreduce reduces floats"},
           {"bcast", {"--place", "host[0],host[1],host[0]"}, "names a host twice"},
           {"bcast", {"--place", "host[0..2]", "--ranks", "5"}, "5 ranks of bcast do not fit on 3 hosts"},
           {"bcast",
            {"--ranks", "5", "--ranks-per-host", "1"},
            "--ranks: 5 ranks do not fit on 4 hosts with 1 each; write at most 4, or --ranks-per-host 2"},
           {"bcast", {"--ranks-per-host", "65"}, "--ranks-per-host: Value 65 not in range 1 to 64"},
           {"bcast", {"--window", "4"}, "--window: bcast has no window; it is for bw, bibw and mbw_mr"},
           {"bcast", {"--set", "workload.osu.window=4"}, "--set:1:1: error: bcast has no window; it is for"},
           {"barrier", {"--set", "workload.osu.sizes=8B"}, "--set:1:1: error: barrier has no message sizes; leave"},
           {"bcast",
            {"--place", "host[0..2]", "--set", "workload.osu.ranks=2"},
            "--set:1:1: error: --place says where ranks run"},
           {"latency", {"--place", ""}, "--place: name hosts"},
           {"latency", {"--sizes", ""}, "--sizes: \"\" is not a size"},
           {"latency", {"--sizes", "12q"}, "--sizes: "},
           {"latency",
            {"--sizes", "0,18446744073709551616"},
            "--sizes: \"18446744073709551616\" is not a size: it is too large"},
           {"latency",
            {"--sizes", "9223372036854775807"},
            "--sizes: \"9223372036854775807\" is not a size: it is too large"},
           {"latency", {"--sizes", "8GiB"}, "--sizes:1:1: error: 8 GiB is too long"},
           {"latency",
            {"--set", "workload.mpi_trace.eager_limit=4KiB"},
            "--set:1:1: error: the benchmark runs instead of the workload of the experiment"},
           {"latency", {"--set", "workload.osu.benchmark=BW"}, "--set:1:1: error: BENCHMARK says it, so this changes"},
           {"bcast", {"--ranks", "3", "--set", "workload.osu.ranks=4"}, "--set:1:1: error: --ranks says it, so this"},
           {"latency",
            {"--place", "host[0..1]", "--set", "workload.placement.kind=RANDOM"},
            "--set:1:1: error: --place says where ranks run"},
           {"bcast", {"--place", "host[0],host[1],host[1],host[0]"}, "neither all equally often in blocks"},
           {"bcast", {"--place", "host[0],host[0]", "--ranks-per-host", "2"}, "leave --ranks-per-host out"},
           {"barrier", {"--sizes", "8"}, "--sizes: barrier has no message sizes; leave"},
           {"one_way_lat", {"--place", "host[1],host[1]"}, "both ranks are on host 1"}}) {
    const CliResult result = osu(c.benchmark, ring_, c.more);
    EXPECT_EQ(result.exit_code, 2) << c.what << "\n" << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(c.what));
  }
}

TEST_F(Osu, AnInterruptKeepsTheSizesBefore) {
  // Eight bytes take microseconds; a millisecond of simulated time is in the second size.
  const std::string page = (folder_ / "page.html").string();
  const CliResult result =
      run_cli({"osu", "latency", ring_, "--sizes", "8,1GiB", "--json", "--html", page}, {}, " ms simulated");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.err, HasSubstr("interrupted; the sizes before are printed"));
  const nlohmann::json report = nlohmann::json::parse(result.out);
  ASSERT_EQ(report.at("results").size(), 1u);
  EXPECT_EQ(report.at("results")[0].at("bytes"), 8);
  std::ifstream file(page);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), HasSubstr("Interrupted; the result is partial."));
}

}  // namespace
}  // namespace fabrictwin
