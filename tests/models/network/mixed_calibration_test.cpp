// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/mixed_calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "cosim/experiment/check/calibration.h"
#include "models/network/topology.h"
#include "models/nic/exanet/node_timing.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kCalibration = "calibration: \"data/exanest-calibration.textproto\"\n";

/// What is said of two boards with these rules, with one parameter changed.
std::string warning(const std::string& rules, const std::string& changed = "", int64_t value = 0) {
  auto experiment = test::parse_experiment(
      "topology { exanest { blades: 1 qfdbs: 2 } }\nrouter { clock: \"156.25MHz\" }\nworkload { traffic { load: 0.1 } "
      "}\n" +
          rules,
      "workloads/experiments/mixed.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return {};
  if (experiment->calibration.has_value()) {
    for (v1::CalibratedParameter& parameter : *experiment->calibration->mutable_parameter()) {
      if (parameter.name() == changed) parameter.set_value(value);
    }
  }
  auto graph = network::build_topology(*experiment);
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return {};
  const auto plan = system::make_plan(*experiment, *std::move(graph));
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? network::mixed_calibration(*experiment, *plan) : std::string();
}

TEST(MixedCalibration, NamesWhatIsLeftOut) {
  const std::string boards = warning(std::string(kCalibration) + "use { select: \"qfdb[1].*\" implementation: RTL }");
  EXPECT_THAT(boards,
              AllOf(HasSubstr("exanest-calibration.textproto"), HasSubstr("go without network_link 8 cycles (")));
  EXPECT_THAT(boards,
              AllOf(Not(HasSubstr("router_link")), Not(HasSubstr("switch_link")), Not(HasSubstr("they differ in"))))
      << "links within a board have models at both ends, or RTL";
  const std::string router =
      warning(std::string(kCalibration) + "use { select: \"qfdb[1].router\" implementation: RTL }");
  EXPECT_THAT(router, AllOf(HasSubstr("network_link 8 cycles ("), HasSubstr("switch_link -4 cycles (3 channels)")));
  EXPECT_THAT(router, Not(HasSubstr("network_framing"))) << "it is zero";
}

TEST(MixedCalibration, NamesWhatIsNotAsInRtl) {
  const std::string rule = "use { select: \"qfdb[1].*\" implementation: RTL }";
  EXPECT_THAT(warning(kCalibration + rule, "doorbell", 7),
              HasSubstr("they differ in doorbell 7 cycles (RTL: 4); links"));
  const std::string prototype = warning("calibration: \"data/exanest-prototype.textproto\"\n" + rule);
  EXPECT_THAT(prototype,
              AllOf(HasSubstr("register_write 0 cycles (RTL: 3), "), HasSubstr("firmware 253 cycles (RTL: 0)")));
  EXPECT_THAT(prototype, HasSubstr("go without network_link -5 cycles ("));
  EXPECT_THAT(prototype, HasSubstr("network_framing 328 thousandths ("));
}

// What parameters say of the RTL is what the calibration in the repository says.
TEST(MixedCalibration, TheRepositoryHasTheCalibrationOfItsRtl) {
  std::ifstream file("workloads/experiments/data/exanest-calibration.textproto");
  std::stringstream text;
  text << file.rdbuf();
  const auto calibration = experiment::parse_calibration(text.str(), "exanest-calibration.textproto");
  ASSERT_TRUE(calibration.ok()) << calibration.status();
  std::map<std::string, int64_t> values;
  for (const v1::CalibratedParameter& parameter : calibration->parameter())
    values[parameter.name()] = parameter.value();
  for (const nic::exanet::NodeTimingParameter& parameter : nic::exanet::node_timing_parameters()) {
    ASSERT_TRUE(values.contains(parameter.name)) << parameter.name;
    EXPECT_EQ(values[parameter.name], parameter.rtl) << parameter.name;
  }
}

TEST(MixedCalibration, IsSilentWhereNothingDiffers) {
  EXPECT_THAT(warning("use { select: \"qfdb[1].*\" implementation: RTL }"), IsEmpty()) << "no calibration";
  EXPECT_THAT(warning(kCalibration), IsEmpty()) << "models only";
  EXPECT_THAT(warning(std::string(kCalibration) + "use { select: \"qfdb[*].*\" implementation: RTL }"), IsEmpty())
      << "RTL only";
}

}  // namespace
}  // namespace fabrictwin
