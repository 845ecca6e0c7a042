// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/node_timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

experiment::Experiment calibrated(const std::vector<std::pair<std::string, int64_t>>& parameters) {
  experiment::Experiment experiment;
  experiment.calibration.emplace();
  experiment.calibration_location = {"e.textproto", "calibration: \"c\"", 1, 14};
  for (const auto& [name, value] : parameters) {
    v1::CalibratedParameter& parameter = *experiment.calibration->add_parameter();
    parameter.set_name(name);
    parameter.set_value(value);
  }
  return experiment;
}

TEST(NodeTiming, WithoutACalibrationIsWhatWasMeasuredAtPins) {
  const auto timing = nic::exanet::node_timing(experiment::Experiment());
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->ni.doorbell, nic::exanet::Timing().doorbell);
  EXPECT_FALSE(timing->ni.accesses());
  EXPECT_EQ(timing->network_link, 0);
  EXPECT_EQ(timing->router_gap, 2);
}

TEST(NodeTiming, EveryParameterHasItsOwnField) {
  std::set<std::string> names;
  std::set<const int32_t*> fields;
  nic::exanet::NodeTiming timing;
  for (const nic::exanet::NodeTimingParameter& parameter : nic::exanet::node_timing_parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_TRUE(fields.insert(&parameter.field(timing)).second) << parameter.name;
    EXPECT_LT(parameter.least, parameter.most) << parameter.name;
    EXPECT_GE(parameter.start, parameter.least) << parameter.name;
  }
}

TEST(NodeTiming, TakesWhatTheCalibrationSays) {
  const auto timing = nic::exanet::node_timing(calibrated(
      {{"register_write", 3}, {"register_read", 5}, {"descriptor_write", 2}, {"network_link", 11}, {"doorbell", 6}}));
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_EQ(timing->ni.register_read, 5);
  EXPECT_TRUE(timing->ni.accesses());
  EXPECT_EQ(timing->network_link, 11);
  EXPECT_EQ(timing->ni.doorbell, 6);
  EXPECT_EQ(timing->ni.mailbox, nic::exanet::Timing().mailbox);
  // A prototype whose firmware takes its time, beside RTL that has none.
  const auto slow = nic::exanet::node_timing(calibrated({{"firmware", 248}}));
  ASSERT_TRUE(slow.ok()) << slow.status();
  EXPECT_EQ(slow->ni.firmware, 248);
}

TEST(NodeTiming, SaysWhatIsWrong) {
  const auto error = [](const std::vector<std::pair<std::string, int64_t>>& parameters) {
    const auto timing = nic::exanet::node_timing(calibrated(parameters));
    EXPECT_EQ(timing.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(message_of(timing.status()));
  };
  EXPECT_THAT(error({{"dorbell", 4}}), HasSubstr("e.textproto:1:14: error: "));
  EXPECT_THAT(error({{"dorbell", 4}}), HasSubstr("did you mean \"doorbell\"?"));
  EXPECT_THAT(error({{"cell_interval", 0}}), HasSubstr("must be from 1 to"));
  EXPECT_THAT(error({{"register_write", 3}}), HasSubstr("take time or they do not"));
}

}  // namespace
}  // namespace fabrictwin
