// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic beside jobs with ranks: on hosts of its own, for a time, in the background or not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "cosim/study/baseline.h"
#include "tests/experiments.h"
#include "tests/workloads/run_helpers.h"
#include "workloads/tenants.h"
#include "workloads/traffic/traffic_hosts.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kFourRanks =
    "job { name: \"hpcg\" skeleton { ranks: 4 hpcg { local: \"16x16x16\" } } placement { hosts: \"0,1,4,5\" } } ";

std::string on_torus(const std::string& jobs, const std::string& model = "PACKET") {
  return "topology { torus { dims: [4, 2] } }\nrouter { model: " + model + " }\nworkload { jobs { " + jobs + " } }\n";
}

TEST(TrafficHosts, NumberTheHostsOfTheirPlacement) {
  const traffic::TrafficHosts some({6, 2, 3}, true);
  EXPECT_EQ(some.count(), 3);
  EXPECT_EQ(some.host(0), 6);
  EXPECT_EQ(some.number(6), 0);
  EXPECT_EQ(some.number(3), 2);
  EXPECT_EQ(some.number(4), -1);
  EXPECT_EQ(some.number(7), -1) << "beyond all of them";
  const traffic::TrafficHosts all(3);
  EXPECT_EQ(all.host(2), 2);
  EXPECT_EQ(all.number(2), 2);
}

// The run goes on until traffic is over, and its packets stay among its hosts.
TEST(TrafficJobs, AreMeasuredBesideRanks) {
  for (const char* model : {"PACKET", "INPUT_QUEUED", "EXANET"}) {
    const Outcome outcome = run_text(
        on_torus("job { traffic { pattern: INCAST incast_destination: 1 load: 0.2 duration: \"50us\" } placement { "
                 "hosts: \"7,3,6\" } } " +
                     kFourRanks,
                 model));
    ASSERT_TRUE(outcome.status.ok()) << model << outcome.status;
    const v1::Report& report = outcome.report;
    ASSERT_EQ(report.jobs_size(), 1) << model;
    EXPECT_EQ(report.jobs(0).name(), "hpcg");
    EXPECT_GT(report.jobs(0).finish_seconds(), 0);
    EXPECT_GT(report.traffic().packets_received(), 50u) << model;
    EXPECT_EQ(report.traffic().packets_received(), report.traffic().packets_sent()) << model;
    for (const v1::LinkReport& link : report.links()) {
      // Two senders, and one that only receives.
      if (link.name() == "host[3].tile->router[3].tile") EXPECT_EQ(link.packets(), 0u) << model;
      if (link.name() == "host[2].tile->router[2].tile") EXPECT_EQ(link.packets(), 0u) << model << ": has no job";
      if (link.name() == "host[7].tile->router[7].tile") EXPECT_GT(link.packets(), 10u) << model;
    }
  }
}

TEST(TrafficJobs, SlowOthersDown) {
  // Both go through the routers of the other, on a ring of four.
  const std::string ranks =
      "job { osu { benchmark: BW sizes: \"64KiB\" ranks: 2 iterations: 5 } placement { hosts: \"0,2\" } } ";
  const auto finish = [&](const std::string& traffic) {
    const Outcome outcome = run_text("topology { torus { dims: [4] } } router { model: PACKET } workload { jobs { " +
                                     ranks + traffic + " } }");
    EXPECT_TRUE(outcome.status.ok()) << outcome.status;
    return outcome.report.jobs(0).finish_seconds();
  };
  EXPECT_GT(finish("job { traffic { pattern: UNIFORM load: 0.9 duration: \"20ms\" } }"), 1.2 * finish(""));
}

// In the background it ends with the others.
TEST(TrafficJobs, EndWithOthersInTheBackground) {
  const Outcome outcome = run_text(
      on_torus(kFourRanks + "job { traffic { pattern: UNIFORM load: 0.1 duration: \"10s\" } background: true }"));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.report.jobs(0).finish_seconds(), outcome.report.simulated_seconds());
  EXPECT_GT(outcome.report.traffic().packets_received(), 10u);
  EXPECT_TRUE(outcome.report.complete());
}

// Traffic has no end of its own that others could change.
TEST(TrafficJobs, HaveNoBaseline) {
  const auto experiment = test::parse_experiment(
      on_torus(kFourRanks + "job { traffic { pattern: UNIFORM load: 0.5 duration: \"1ms\" } } baseline: true"),
      "t.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_EQ(workloads::kind_of(*experiment).baselines(*experiment).size(), 1u);
}

TEST(TrafficJobs, AreRefusedWhereTheyMakeNoSense) {
  const std::string traffic = "job { traffic { load: 0.1 duration: \"1us\" } ";
  struct Mistake {
    std::string jobs;
    const char* text;
  };
  for (const Mistake& mistake : {
           Mistake{traffic + "}", "traffic has nothing beside it; write workload { traffic { ... } }"},
           Mistake{kFourRanks + traffic + "} " + traffic + "}", "another job is traffic, too"},
           Mistake{kFourRanks + "job { traffic { load: 0.1 } }", "for a fixed time; write duration: \"1ms\""},
           Mistake{kFourRanks + "job { traffic { load: 0.1 sample_cycles: 100 } }", "no fields of samples"},
           Mistake{kFourRanks + traffic + "placement { hosts: \"1..3\" } }",
                   "host[1] is a host of the jobs hpcg and job1, and a job of traffic has hosts of its own"},
           Mistake{kFourRanks + traffic + "placement { hosts: \"2\" } }", "job1 is traffic on 1 hosts, and needs two"},
           Mistake{kFourRanks + traffic + "placement { hosts: \"2,3\" ranks_per_host: 2 } }",
                   "ranks_per_host is for jobs with ranks, and traffic has none"},
           Mistake{kFourRanks + "job { traffic { load: 0.1 duration: \"1us\" pattern: TORNADO } }",
                   "pattern TORNADO needs hosts in a lattice"},
           Mistake{kFourRanks + "job { traffic { load: 2 duration: \"1us\" } }", "load 2"},
       }) {
    const Outcome outcome = run_text(on_torus(mistake.jobs));
    EXPECT_THAT(std::string(message_of(outcome.status)), HasSubstr(mistake.text));
  }
}

}  // namespace
}  // namespace fabrictwin
