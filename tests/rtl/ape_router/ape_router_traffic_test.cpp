// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random traffic through every parameter set, and the corner cases by name.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/rtl/ape_router/ape_traffic.h"

namespace fabrictwin::test {
namespace {

ApeConfig middle_of_lattice(const ApeShape& shape) {
  // Sizes even and odd, so that there are ties and none.
  std::array<int, 3> dims{5, 1, 1};
  std::array<int, 3> here{2, 0, 0};
  if (shape.dims() > 1) {
    dims[1] = 4;
    here[1] = 1;
  }
  if (shape.dims() > 2) {
    dims[2] = 3;
    here[2] = 1;
  }
  return ape_config(shape, dims, here);
}

class ApeRouterTraffic : public testing::TestWithParam<ApeVariant> {
 protected:
  ApeCoverage run(const ApeTrafficPlan& plan) {
    std::unique_ptr<ApeModel> model = make_ape_model(GetParam());
    const ApeConfig config = middle_of_lattice(model->shape());
    ApeTraffic traffic(std::move(model), config, plan);
    traffic.run();
    return traffic.coverage();
  }
};

TEST_P(ApeRouterTraffic, SaturatedWithoutStalls) {
  const ApeCoverage seen = run({.seed = 1, .packets = 4000});
  EXPECT_GT(seen.delivered, 2000);
  EXPECT_GT(seen.empty_packets, 0);
  EXPECT_GT(seen.largest_packets, 0);
  EXPECT_GT(seen.back_to_back, 0);
  EXPECT_GT(seen.mixed, 0);
  std::unique_ptr<ApeModel> model = make_ape_model(GetParam());
  const ApeShape shape = model->shape();
  // A third of all pairs and more: an input VC reaches every other port, through a tile port with its own VC only.
  EXPECT_GT(seen.ways, static_cast<uint64_t>(shape.ports() * shape.ports()));
}

TEST_P(ApeRouterTraffic, CreditExhaustion) {
  const ApeCoverage seen =
      run({.seed = 2, .packets = 800, .rx = 90, .ready = 90, .credit = 4, .tiny_neighbours = true});
  EXPECT_GT(seen.credit_stalls, 1000);
}

TEST_P(ApeRouterTraffic, FifosFull) {
  // Enough to fill the deep FIFOs of the published depths too.
  const bool deep = GetParam() == ApeVariant::k3x2;
  const ApeCoverage seen = run({.seed = 3, .packets = deep ? 6000 : 1000, .rx = 100, .ready = 10, .credit = 50});
  EXPECT_GT(seen.full, 1000);
}

TEST_P(ApeRouterTraffic, SparseInput) {
  const ApeCoverage seen = run({.seed = 4, .packets = 500, .rx = 5, .ready = 90, .credit = 90});
  EXPECT_GT(seen.delivered, 250);
}

TEST_P(ApeRouterTraffic, PrioritiesChangeMidTraffic) {
  const ApeCoverage seen = run({.seed = 5, .packets = 2000, .rx = 95, .ready = 90, .credit = 60, .reconfigure = 20});
  EXPECT_GT(seen.priority_changes, 50);
}

TEST_P(ApeRouterTraffic, PortsDisabledMidTraffic) {
  std::unique_ptr<ApeModel> model = make_ape_model(GetParam());
  const ApeShape shape = model->shape();
  // The first "+" link, the last tile port and the last link, while the others go on.
  const uint32_t toggled = 1u << shape.intra | 1u << (shape.intra - 1) | 1u << (shape.ports() - 1);
  const ApeCoverage seen =
      run({.seed = 6, .packets = 3000, .rx = 90, .ready = 90, .credit = 60, .toggle = 5, .toggled = toggled});
  EXPECT_GT(seen.disables, 10);
  EXPECT_GT(seen.dropped_disabled, 20);
  EXPECT_GT(seen.delivered, 500);
}

TEST_P(ApeRouterTraffic, MalformedDisturbsNobody) {
  const ApeCoverage seen = run({.seed = 7, .packets = 3000, .rx = 90, .ready = 80, .credit = 50, .bad = 300});
  EXPECT_GT(seen.malformed, 300);
  EXPECT_GT(seen.dropped_route, 100);
}

TEST_P(ApeRouterTraffic, EverythingAtOnce) {
  const ApeCoverage seen = run({.seed = 8,
                                .packets = 3000,
                                .rx = 80,
                                .ready = 70,
                                .credit = 30,
                                .bad = 100,
                                .reconfigure = 10,
                                .toggle = 5,
                                .toggled = 2});
  EXPECT_GT(seen.malformed, 50);
  EXPECT_GT(seen.disables, 10);
}

TEST_P(ApeRouterTraffic, SenderWithoutCreditsLosesOnlyItsOwn) {
  const bool deep = GetParam() == ApeVariant::k3x2;
  const ApeCoverage seen =
      run({.seed = 9, .packets = deep ? 8000 : 1500, .rx = 100, .ready = 15, .credit = 50, .overflow = true});
  EXPECT_GT(seen.overflows, 10);
}

TEST_P(ApeRouterTraffic, MarksWhereWordsWait) {
  const ApeCoverage seen =
      run({.seed = 11, .packets = 3000, .rx = 100, .ready = 50, .credit = 90, .mark_threshold = 20});
  EXPECT_GT(seen.must_mark, 50);
  EXPECT_GE(seen.marked, seen.must_mark);
  EXPECT_GT(seen.must_not_mark, 10);
}

TEST_P(ApeRouterTraffic, MarksOneOfMany) {
  const ApeCoverage seen = run({.seed = 12,
                                .packets = 3000,
                                .rx = 100,
                                .ready = 60,
                                .credit = 90,
                                .mark_threshold = 10,
                                .mark_rate = 3,
                                .mark_least = 4});
  EXPECT_GT(seen.marked, 30);
  EXPECT_LT(seen.marked * 3, seen.delivered);
  EXPECT_GT(seen.must_not_mark, seen.empty_packets);
}

// An output that lacks credits is no root of a congestion, unless it leads to a host and is told to mark.
TEST_P(ApeRouterTraffic, MarksOnlyAtTheRoot) {
  ApeTrafficPlan plan{.seed = 13, .packets = 1500, .rx = 100, .ready = 90, .credit = 20, .tiny_neighbours = true};
  plan.mark_threshold = 5;
  plan.mark_hosts = false;
  EXPECT_EQ(run(plan).marked, 0);
  plan.mark_hosts = true;
  const ApeCoverage seen = run(plan);
  EXPECT_GT(seen.marked, 10);
  EXPECT_GT(seen.must_not_mark, 10);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ApeRouterTraffic, testing::ValuesIn(ape_variants()),
                         [](const auto& info) { return name_of(info.param); });

RC_GTEST_PROP(ApeRouterProperties, HoldUnderAnyStallsAndConfiguration, (uint64_t seed)) {
  // Those with deep FIFOs or many ports take long.
  std::vector<ApeVariant> variants = ape_variants();
  std::erase_if(variants, [](ApeVariant v) { return v == ApeVariant::k3x2 || v == ApeVariant::k4x6Pruned; });
  const auto variant = *rc::gen::elementOf(variants);
  std::unique_ptr<ApeModel> model = make_ape_model(variant);
  ApeConfig config = middle_of_lattice(model->shape());
  // Any order of the dimensions, among them such that leave one out or name one twice.
  for (int& d : config.order) d = *rc::gen::inRange(0, 4);
  config.vc_by_direction = *rc::gen::arbitrary<bool>();
  config.fixed_priority = *rc::gen::arbitrary<bool>();
  for (int& priority : config.priority) priority = *rc::gen::inRange(0, 16);
  ApeTrafficPlan plan;
  plan.seed = seed;
  plan.packets = 150;
  plan.rx = *rc::gen::inRange(3, 101);
  plan.ready = *rc::gen::inRange(3, 101);
  plan.credit = *rc::gen::inRange(3, 101);
  plan.bad = *rc::gen::element(0, 200);
  ApeTraffic traffic(std::move(model), config, plan);
  traffic.run();
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace fabrictwin::test
