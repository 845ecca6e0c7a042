// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// GPCNeT from experiment to table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/study/baseline.h"
#include "tests/experiments.h"
#include "tests/workloads/run_helpers.h"
#include "workloads/gpcnet/results_text.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kTree =
    "topology { spine_leaf { spines: 1 leaves: 3 hosts_per_leaf: 4 link_rate: \"100Gbps\" host_rate: \"100Gbps\" } }\n"
    "router { model: PACKET packet_payload: \"1000B\" }\n";

std::string with_gpcnet(const std::string& fields, const std::string& system = kTree) {
  return system + "workload { gpcnet { " + fields + " } }\n";
}

v1::Report both_parts(const std::string& text) {
  const auto experiment = test::parse_experiment(text, "test.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return {};
  const auto baselines = study::run_baselines(*experiment, [](const experiment::Experiment& one) {
    Outcome outcome = run_experiment(one);
    return outcome.status.ok() ? absl::StatusOr<v1::Report>(std::move(outcome.report)) : outcome.status;
  });
  Outcome outcome = run_experiment(*experiment);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_TRUE(baselines.ok()) << baselines.status();
  if (baselines.ok()) study::add_baselines(*experiment, *baselines, outcome.report);
  return outcome.report;
}

TEST(Gpcnet, MeasuresBothParts) {
  const v1::Report report = both_parts(
      with_gpcnet("ranks_per_host: 2 orders: 2 iterations: 3 warmup: 1 bandwidth_bytes: \"16KiB\" congestors: 0.7"));
  const v1::GpcnetReport& gpcnet = report.gpcnet();
  EXPECT_EQ(gpcnet.hosts(), 12);
  EXPECT_EQ(gpcnet.ranks(), 24);
  EXPECT_EQ(gpcnet.victim_hosts(), 4);
  ASSERT_EQ(gpcnet.rows_size(), 3);
  for (const v1::GpcnetRow& row : gpcnet.rows()) {
    const bool latency = row.unit() == "us";
    EXPECT_GT(row.isolated_mean(), 0) << row.test();
    EXPECT_GT(row.congested_mean(), 0) << row.test();
    EXPECT_GE(row.cif_mean(), 0.99) << row.test();
    EXPECT_EQ(row.isolated_p99() >= row.isolated_mean(), latency) << row.test();
  }
  // No rank gets more than its share of the link, in both directions: at most 2 x 95.4 Gbit/s of a host.
  EXPECT_LT(gpcnet.rows(1).isolated_mean(), 2 * 95.4e9 / 8 / 2 / (1 << 20));
  EXPECT_GT(gpcnet.rows(1).cif_mean(), 1.05);
  // Congestors have gone on all the time.
  ASSERT_EQ(report.jobs_size(), 5);
  for (const v1::JobReport& job : report.jobs()) EXPECT_GT(job.completions(), 0u) << job.name();
  std::string text;
  gpcnet::add_results(report, text);
  EXPECT_THAT(text, HasSubstr("|          RR Two-sided Lat (8 B) |"));
  EXPECT_THAT(text, HasSubstr("Network Tests running with Congestion Tests - Key Results"));
  EXPECT_THAT(text, HasSubstr("  Test with 24 MPI ranks (12 nodes)\n"));
}

TEST(Gpcnet, RunsOnOtherRouters) {
  const v1::Report report = both_parts(
      with_gpcnet("orders: 1 iterations: 1 warmup: 0 bandwidth_bytes: \"1KiB\" outstanding: 2 congestor_bytes: \"64B\"",
                  "topology { torus { dims: [4, 3] } } router { model: INPUT_QUEUED }\n"));
  EXPECT_EQ(report.gpcnet().rows_size(), 3);
}

struct GpcnetRefusal {
  const char* name;
  std::string text;
  const char* error;
};

const GpcnetRefusal kGpcnetRefusals[] = {
    {"ShareOne", with_gpcnet("congestors: 1"), "e.textproto:3:33: error: congestors 1: write the share"},
    {"ShareZero", with_gpcnet("congestors: 0"), "e.textproto:3:33: error: congestors 0: write the share"},
    {"ShareNan", with_gpcnet("congestors: nan"), "e.textproto:3:33: error: congestors nan: write the share"},
    {"TooFewCongestors", with_gpcnet("congestors: 0.5"),
     "e.textproto:3:1: error: of 12 hosts, 6 are victims and 6 congestors, and there must be at least 2 and 8"},
    {"TooFewHosts", with_gpcnet("", "topology { torus { dims: 4 } }\nrouter { model: PACKET }\n"),
     "e.textproto:3:1: error: of 4 hosts"},
    {"NoRanks", with_gpcnet("ranks_per_host: 65"), "e.textproto:3:37: error: ranks_per_host 65: write 1 to 64"},
    {"NoOrders", with_gpcnet("orders: -1"), "e.textproto:3:29: error: orders -1: write 1 to"},
    {"NegativeWarmup", with_gpcnet("warmup: -1"), "e.textproto:3:29: error: warmup -1: write 0 to"},
    {"NoBytes", with_gpcnet("congestor_bytes: \"0B\""), "e.textproto:3:38: error: congestor_bytes 0"},
    {"NoOutstanding", with_gpcnet("outstanding: 2000"), "e.textproto:3:34: error: outstanding 2000: write 1 to 1024"},
};

class GpcnetRefused : public ::testing::TestWithParam<GpcnetRefusal> {};

TEST_P(GpcnetRefused, AtItsPlace) {
  const auto experiment = test::parse_experiment(GetParam().text, "e.textproto");
  const absl::Status status = experiment.ok() ? run_experiment(experiment).status : experiment.status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(message_of(status)), HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(Gpcnet, GpcnetRefused, ::testing::ValuesIn(kGpcnetRefusals),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fabrictwin
