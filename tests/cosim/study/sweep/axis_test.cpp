// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> values_of(const std::string& argument) {
  const auto axis = study::sweep::parse_axis(argument);
  EXPECT_TRUE(axis.ok()) << axis.status();
  std::vector<std::string> values;
  if (axis.ok()) {
    for (const study::sweep::Axis::Value& value : axis->values) values.push_back(value.text);
  }
  return values;
}

std::string error_of(const std::vector<std::string>& arguments) {
  return std::string(message_of(study::sweep::parse_axes(arguments).status()));
}

TEST(SweepAxis, RangesAreExactInDecimal) {
  EXPECT_THAT(values_of("load=0.1:0.5:0.1"), ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(values_of("load=0.05:0.95:0.3"), ElementsAre("0.05", "0.35", "0.65", "0.95"));
  EXPECT_THAT(values_of("load=.5:1:.25"), ElementsAre("0.5", "0.75", "1"));
  EXPECT_THAT(values_of("load=0.9:0.1:-0.4"), ElementsAre("0.9", "0.5", "0.1"));
  EXPECT_THAT(values_of("load=0.1:0.25:0.1"), ElementsAre("0.1", "0.2"));
  EXPECT_THAT(values_of("seed=-1:1:1"), ElementsAre("-1", "0", "1"));
  EXPECT_THAT(values_of("seed=5:5:1"), ElementsAre("5"));
  EXPECT_THAT(values_of("topology.torus.link_latency=100ns:300ns:100ns"), ElementsAre("100ns", "200ns", "300ns"));
  EXPECT_EQ(values_of("load=0.0001:1:0.0001").size(), study::sweep::kMaxPoints);
}

TEST(SweepAxis, ListsAreTakenAsTheyAre) {
  EXPECT_THAT(values_of("workload.traffic.pattern=uniform,tornado"), ElementsAre("uniform", "tornado"));
  EXPECT_THAT(values_of("topology.torus.dims=4x4,8x8x2"), ElementsAre("4x4", "8x8x2"));
  EXPECT_THAT(values_of("use[0].place=unix:/tmp/a,worker:shm"), ElementsAre("unix:/tmp/a", "worker:shm"));
  EXPECT_THAT(values_of("use[0].place=worker:shm"), ElementsAre("worker:shm"));
}

TEST(SweepAxis, FieldsOfTrafficHaveShortNames) {
  EXPECT_EQ(study::sweep::parse_axis("load=0.1")->path, "workload.traffic.load");
  EXPECT_EQ(study::sweep::parse_axis("pattern=uniform")->path, "workload.traffic.pattern");
  EXPECT_EQ(study::sweep::parse_axis("seed=1")->path, "seed");
  EXPECT_EQ(study::sweep::parse_axis("router.vcs=2")->path, "router.vcs");
}

TEST(SweepAxis, ValuesAreNumbersOfOneUnit) {
  const auto expect = [](const std::string& argument, const std::vector<double>& values, const std::string& unit) {
    const study::sweep::Axis::Numbers numbers = study::sweep::parse_axis(argument)->numbers();
    EXPECT_THAT(numbers.values, ::testing::Pointwise(::testing::DoubleEq(), values)) << argument;
    EXPECT_EQ(numbers.unit, unit) << argument;
  };
  expect("load=0.1,0.2", {0.1, 0.2}, "");
  expect("workload.traffic.payload=64B,1KiB,2kB", {64, 1024, 2000}, "B");
  expect("topology.torus.link_latency=0ns,500ns,2us", {0, 500, 2000}, "ns");
  expect("workload.traffic.duration=2ms,1s", {2, 1000}, "ms");
  expect("topology.torus.link_rate=500Mbps,10Gbps", {0.5, 10}, "Gb/s");
  expect("router.clock=156.25MHz,1GHz", {156.25, 1000}, "MHz");
  expect("load=0.1,much", {}, "");
  expect("topology.torus.link_latency=1us,2B", {}, "");
  expect("workload.traffic.pattern=uniform,tornado", {}, "");
}

TEST(SweepAxis, MistakesArePlacedInTheArgument) {
  EXPECT_THAT(error_of({"load"}), HasSubstr("--sweep:1:5: error: write PATH=FROM:TO:STEP"));
  EXPECT_THAT(error_of({"=1,2"}), HasSubstr("--sweep:1:1: error: write PATH"));
  EXPECT_THAT(error_of({"load="}), HasSubstr("--sweep:1:6: error: there are no values"));
  EXPECT_THAT(error_of({"load=0.1:0.9"}), HasSubstr("--sweep:1:6: error: the range has no step"));
  EXPECT_THAT(error_of({"load=0.1:0.9:0.1:2"}), HasSubstr("a range has three parts"));
  EXPECT_THAT(error_of({"load=0.1:0.9:0"}), HasSubstr("--sweep:1:14: error: step 0"));
  EXPECT_EQ(error_of({"load=0.1:0.9:-0.1"}),
            "--sweep:1:14: error: a step of -0.1 does not lead from 0.1 to 0.9; write 0.1\n"
            "load=0.1:0.9:-0.1\n"
            "             ^");
  EXPECT_THAT(error_of({"load=0.9:0.1:0.2"}), HasSubstr("write -0.2"));
  EXPECT_THAT(error_of({"load=0.1:x:0.1"}), HasSubstr("--sweep:1:10: error: \"x\" is not a decimal number"));
  EXPECT_THAT(error_of({"load=1e-3:1:0.1"}), HasSubstr("\"1e-3\" is not a decimal number"));
  EXPECT_THAT(error_of({"load=1:2:"}), HasSubstr("--sweep:1:10: error: \"\" is not"));
  EXPECT_THAT(error_of({"host.send_overhead=1ns:2us:1ns"}), HasSubstr("--sweep:1:24: error: \"2us\" has another unit"));
  EXPECT_THAT(error_of({"load=0.1,,0.3"}), HasSubstr("--sweep:1:10: error: a value is missing"));
  EXPECT_THAT(error_of({"load=0:1:0.0000000000000000001"}), HasSubstr("too many digits"));
  EXPECT_THAT(error_of({"load=0:1000000000000000000:1"}), HasSubstr("too many digits"));
  EXPECT_THAT(error_of({"load=0:1:0.0001"}), HasSubstr("more than 10000 values"));
  EXPECT_THAT(error_of({"load=0.1,0.2", "workload.traffic.load=0.3"}),
              HasSubstr("--sweep:1:1: error: workload.traffic.load is swept twice"));
  EXPECT_THAT(error_of({"seed=1:101:1", "load=0.01:1:0.01"}), HasSubstr("--sweep:1:6: error: this makes 10100 runs"));
}

TEST(SweepAxis, PointsAreTheProductAndTheFirstVariesFastest) {
  const auto axes = study::sweep::parse_axes({"load=0.1,0.2", "pattern=uniform,tornado"});
  ASSERT_TRUE(axes.ok()) << axes.status();
  std::vector<std::string> names;
  for (const study::sweep::Settings& point : study::sweep::all_settings(*axes))
    names.push_back(study::sweep::point_name(*axes, point));
  EXPECT_THAT(names, ElementsAre("load=0.1 pattern=uniform", "load=0.2 pattern=uniform", "load=0.1 pattern=tornado",
                                 "load=0.2 pattern=tornado"));
  EXPECT_EQ(study::sweep::all_settings({}).size(), 1u);
}

using Texts = std::vector<std::string>;

TEST(SeedList, HasNumbersAndRanges) {
  EXPECT_THAT(study::sweep::parse_seeds(Texts{"7", "3"}).value(), ElementsAre(7, 3));
  EXPECT_THAT(study::sweep::parse_seeds(Texts{"1:3", "9"}).value(), ElementsAre(1, 2, 3, 9));
  EXPECT_THAT(study::sweep::parse_seeds(Texts{"5:5"}).value(), ElementsAre(5));
  EXPECT_THAT(study::sweep::parse_seeds(Texts{"0:11:5"}).value(), ElementsAre(0, 5, 10));
  EXPECT_THAT(study::sweep::parse_seeds(Texts{"18446744073709551614:18446744073709551615"}).value(),
              ElementsAre(18446744073709551614u, 18446744073709551615u));
  EXPECT_EQ(study::sweep::parse_seeds(Texts{"1:10000"}).value().size(), 10'000u);
  EXPECT_TRUE(study::sweep::parse_seeds(Texts{}).value().empty());
}

TEST(SeedList, ShowsTheSeedThatIsWrong) {
  const auto of = [](Texts texts) { return std::string(message_of(study::sweep::parse_seeds(texts).status())); };
  const std::string neither =
      "is neither a seed nor a range of seeds; write numbers from 0 on, as in 1,2,3, or FROM:TO[:STEP], as in 1:3\n";
  EXPECT_EQ(of({"-1"}), "--seeds:1:1: error: \"-1\" " + neither + "-1\n^");
  EXPECT_EQ(of({"1,x"}), "--seeds:1:3: error: \"x\" " + neither + "1,x\n  ^");
  EXPECT_EQ(of({"5", "1,"}), "--seeds:1:3: error: \"\" " + neither + "1,\n  ^");
  EXPECT_EQ(of({""}), "--seeds:1:1: error: \"\" " + neither + "\n^");
  const std::string twice = "is there twice, and means are over runs that differ; write each seed once\n";
  EXPECT_EQ(of({"1,1"}), "--seeds:1:3: error: 1 " + twice + "1,1\n  ^");
  EXPECT_EQ(of({"1:3,9", "2"}), "--seeds:1:1: error: 2 " + twice + "2\n^");
  EXPECT_THAT(study::sweep::parse_seeds(Texts{"1:3,9"}).value(), ElementsAre(1, 2, 3, 9));
}

TEST(SeedList, RefusesWhatIsNoSeed) {
  for (const char* text : {"", "x", "-1", "1.5", "1:", ":3", "1:2:3:4", "1-3", "1..3", "18446744073709551616"}) {
    EXPECT_THAT(std::string(message_of(study::sweep::parse_seeds(Texts{text}).status())),
                HasSubstr(std::string("\"") + text + "\" is neither a seed nor a range of seeds; write numbers"));
  }
  EXPECT_THAT(std::string(message_of(study::sweep::parse_seeds(Texts{"3:1"}).status())),
              HasSubstr("ends before it begins; write 1:3"));
  EXPECT_THAT(std::string(message_of(study::sweep::parse_seeds(Texts{"1:3:0"}).status())),
              HasSubstr("has a step of 0"));
  for (const Texts& texts : {Texts{"0:10000"}, Texts{"1:10000", "7"}, Texts{"0:18446744073709551615"}}) {
    EXPECT_THAT(std::string(message_of(study::sweep::parse_seeds(texts).status())),
                HasSubstr("more than 10000 seeds; write fewer"));
  }
}

}  // namespace
}  // namespace fabrictwin
