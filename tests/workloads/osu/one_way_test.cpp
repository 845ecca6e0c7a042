// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages from network interface to network interface, on models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/run/run.h"
#include "models/network/builder.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "workloads/osu/one_way_workload.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  absl::Status status;
  v1::Report report;
};

/// On the network of `text`, whatever its workload.
Outcome measure(const std::string& text, const osu::OsuSpec& spec, std::array<int32_t, 2> hosts) {
  auto experiment = test::parse_experiment(text + "\nworkload { traffic { load: 0.1 } }", "test.textproto");
  if (!experiment.ok()) return {experiment.status(), {}};
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_system;
  registry.model = [&](const run::PartitionContext& context) {
    return partition::create_model_partition(
        context,
        [&](const experiment::Experiment&, const system::SystemGraph&)
            -> absl::StatusOr<std::unique_ptr<host::Workload>> { return osu::OneWayWorkload::create(spec, hosts); });
  };
  auto run = run::Run::create(*std::move(experiment), std::move(registry), {}, {});
  if (!run.ok()) return {run.status(), {}};
  const absl::Status status = (*run)->execute(std::stop_token());
  return {status, (*run)->report()};
}

osu::OsuSpec spec_of(std::vector<Bytes> sizes, int32_t iterations = 3) {
  osu::OsuSpec spec;
  spec.benchmark = v1::Osu::ONE_WAY_LAT;
  spec.sizes = std::move(sizes);
  spec.iterations = iterations;
  spec.warmup = 1;
  spec.window = 1;
  return spec;
}

const std::string kBoard = "topology { exanest { blades: 1 qfdbs: 1 } }";
const std::string kRing = "topology { torus { dims: 4 } }";

TEST(OneWay, GrowsByALinkPerHop) {
  const Outcome near = measure(kRing, spec_of({Bytes{0}}), {0, 1});
  const Outcome far = measure(kRing, spec_of({Bytes{0}}), {0, 2});
  ASSERT_TRUE(near.status.ok()) << near.status;
  ASSERT_TRUE(far.status.ok()) << far.status;
  const double hop = far.report.osu().results(0).value() - near.report.osu().results(0).value();
  // The link's 120 ns and a router, in which a word takes a few cycles of 6.4 ns.
  EXPECT_GT(hop, 0.120);
  EXPECT_LT(hop, 0.200);
  EXPECT_EQ(near.report.osu().benchmark(), "one_way_lat");
  EXPECT_EQ(near.report.osu().unit(), "us");
  ASSERT_EQ(near.report.ranks_size(), 2);
  EXPECT_EQ(near.report.ranks(0).messages_sent(), 4u);
  EXPECT_EQ(far.report.ranks(1).host(), 2);
}

TEST(OneWay, OnlyMeasuredMessagesCountAndAllAreAlike) {
  const osu::OsuSpec few = spec_of({Bytes{0}, Bytes{32}, Bytes{4096}}, 2);
  const osu::OsuSpec many = spec_of({Bytes{0}, Bytes{32}, Bytes{4096}}, 20);
  const Outcome a = measure(kBoard, few, {2, 3});
  const Outcome b = measure(kBoard, many, {2, 3});
  ASSERT_TRUE(a.status.ok()) << a.status;
  ASSERT_TRUE(b.status.ok()) << b.status;
  ASSERT_EQ(a.report.osu().results_size(), 3);
  for (int i = 0; i < 3; ++i) {
    const double value = a.report.osu().results(i).value();
    // An edge of the network interface's clock, 6.4 ns, may come earlier or later.
    EXPECT_NEAR(b.report.osu().results(i).value(), value, 0.0064);
  }
  EXPECT_LT(a.report.osu().results(0).value(), a.report.osu().results(1).value());
  EXPECT_LT(a.report.osu().results(1).value(), a.report.osu().results(2).value());
}

TEST(OneWay, HasAPartialReport) {
  const Outcome outcome =
      measure(kBoard + " stop { after_simulated: \"4us\" }", spec_of({Bytes{0}, Bytes{65536}}), {0, 1});
  EXPECT_FALSE(outcome.report.complete());
  EXPECT_EQ(outcome.report.osu().results_size(), 1);
}

TEST(OneWay, NeedsTwoHosts) {
  const auto same = osu::OneWayWorkload::create(spec_of({Bytes{0}}), {3, 3});
  ASSERT_FALSE(same.ok());
  EXPECT_THAT(std::string(same.status().message()), HasSubstr("both ranks are on host 3"));
}

}  // namespace
}  // namespace fabrictwin
