// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cosim/base/text.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string calibration_error(const std::string& text) {
  const auto calibration = experiment::parse_calibration(text, "c.textproto");
  EXPECT_EQ(calibration.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(message_of(calibration.status()));
}

TEST(Calibration, IsRead) {
  const auto calibration = experiment::parse_calibration(
      "version: \"0.1.0\"\nparameter { name: \"doorbell\" value: 4 unit: \"cycles\" identified: true }\n",
      "c.textproto");
  ASSERT_TRUE(calibration.ok()) << calibration.status();
  ASSERT_EQ(calibration->parameter_size(), 1);
  EXPECT_EQ(calibration->parameter(0).value(), 4);
}

TEST(Calibration, MistakesArePlaced) {
  EXPECT_THAT(calibration_error("parameter { nam: \"doorbell\" }"), StartsWith("c.textproto:1:"));
  EXPECT_THAT(calibration_error("parameter {\n  name: \"doorbell\"\n  value: -9999999\n}"),
              AllOf(StartsWith("c.textproto:3:"), HasSubstr("from -1000000 to 1000000")));
  EXPECT_THAT(calibration_error("parameter { value: 1 }"), HasSubstr("has no name"));
  EXPECT_THAT(calibration_error("parameter { name: \"a\" }\nparameter { name: \"a\" }"),
              AllOf(StartsWith("c.textproto:2:"), HasSubstr("given twice")));
  EXPECT_THAT(calibration_error(""), HasSubstr("has no parameters"));
  EXPECT_THAT(calibration_error("parameter { name: \"a\" value: 99999999999 }"), HasSubstr("from -1000000 to 1000000"));
}

class CalibratedExperiment : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("calibration_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "good.textproto") << "parameter { name: \"doorbell\" value: 4 }\n";
    std::ofstream(folder_ / "bad.textproto") << "parameter { name: \"doorbell\" value: -4000000 }\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  absl::StatusOr<experiment::Experiment> parse(const std::string& calibration,
                                               const std::string& topology = "exanest { }") {
    return test::parse_experiment(
        "topology { " + topology + " }\nworkload { traffic { load: 0.1 } }\ncalibration: \"" + calibration + "\"\n",
        (folder_ / "e.textproto").string());
  }

  std::filesystem::path folder_;
};

TEST_F(CalibratedExperiment, FindsTheFileBesideItself) {
  const auto experiment = parse("good.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  ASSERT_TRUE(experiment->calibration.has_value());
  EXPECT_EQ(experiment->calibration->parameter(0).name(), "doorbell");
  EXPECT_EQ(experiment->calibration_location.line, 3);
}

TEST_F(CalibratedExperiment, SaysWhatIsWrongWithIt) {
  const auto error = [&](const std::string& file, const std::string& topology = "exanest { }") {
    return std::string(message_of(parse(file, topology).status()));
  };
  EXPECT_THAT(error("missing.textproto"), AllOf(HasSubstr("e.textproto:3:14: error: "), HasSubstr("cannot be read")));
  EXPECT_THAT(error("bad.textproto"),
              AllOf(HasSubstr("e.textproto:3:14: error: "), HasSubstr("bad.textproto:1:37: error: ")));
  EXPECT_THAT(error("."), HasSubstr("it is a folder"));
  EXPECT_THAT(error(""), HasSubstr("has no path"));
  EXPECT_THAT(error("good.textproto", "torus { dims: 2 }"), HasSubstr("for the models of ExaNeSt nodes"));
}

// A worker has no models that it would be for, and may be on another host.
TEST_F(CalibratedExperiment, NeedNotExistInAWorker) {
  experiment::Overrides overrides;
  overrides.check_files = false;
  const auto experiment = test::parse_experiment(
      "topology { exanest { } }\nworkload { traffic { load: 0.1 } }\ncalibration: \"/nowhere\"\n", "e.textproto",
      overrides);
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  EXPECT_FALSE(experiment->calibration.has_value());
}

}  // namespace
}  // namespace fabrictwin
