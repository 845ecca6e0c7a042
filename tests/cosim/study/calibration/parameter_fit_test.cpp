// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/parameter_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

/// Observation i is 1000 + the sum over parameters of weights[i][p] times its value.
study::calibration::ParameterFit::Model linear(std::vector<std::vector<double>> weights) {
  return [weights](const std::vector<int32_t>& values) -> absl::StatusOr<std::vector<double>> {
    std::vector<double> result;
    for (const std::vector<double>& row : weights) {
      double sum = 1000;
      for (size_t p = 0; p < row.size(); ++p) sum += row[p] * values[p];
      result.push_back(sum);
    }
    return result;
  };
}

std::vector<double> observe(const study::calibration::ParameterFit::Model& model, const std::vector<int32_t>& truth) {
  return *model(truth);
}

TEST(ParameterFit, FindsWhatMadeTheObservations) {
  const auto model = linear({{1, 0, 3}, {2, 1, 0}, {0, 5, 1}, {4, 4, 4}, {1, 0, 0}});
  const std::vector<study::calibration::FitParameter> parameters = {
      {"a", 0, 5, 0, 100}, {"b", 0, 5, 0, 100}, {"c", 0, 5, 0, 100}};
  const auto result = study::calibration::ParameterFit(parameters, observe(model, {17, 3, 42}), model).run();
  ASSERT_TRUE(result.ok()) << result.status();
  const int32_t expected[] = {17, 3, 42};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE((*result)[i].identified);
    EXPECT_EQ((*result)[i].value, expected[i]);
    EXPECT_NEAR((*result)[i].standard_error, 0, 1e-9);
  }
}

TEST(ParameterFit, SaysWhichParametersItCannotTellApart) {
  // b always comes with a, and nothing shows c.
  const auto model = linear({{1, 2, 0}, {2, 4, 0}, {3, 6, 0}});
  const std::vector<study::calibration::FitParameter> parameters = {
      {"a", 1, 5, 0, 100}, {"b", 3, 5, 0, 100}, {"c", 9, 5, 0, 100}};
  const auto result = study::calibration::ParameterFit(parameters, observe(model, {10, 3, 77}), model).run();
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE((*result)[0].identified);
  EXPECT_EQ((*result)[0].value, 10);
  EXPECT_FALSE((*result)[1].identified);
  EXPECT_EQ((*result)[1].value, 3);
  EXPECT_THAT((*result)[1].note, HasSubstr("most of all a"));
  EXPECT_FALSE((*result)[2].identified);
  EXPECT_EQ((*result)[2].value, 9);
  EXPECT_THAT((*result)[2].note, HasSubstr("no probe shows it"));
}

TEST(ParameterFit, StaysWithinTheLimits) {
  const auto model = linear({{1}, {2}});
  const auto result = study::calibration::ParameterFit({{"a", 0, 5, 0, 20}}, observe(model, {24}), model).run();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[0].value, 20);
}

// What was measured elsewhere moves only where that explains something.
TEST(ParameterFit, KeepsWhatIsMeasured) {
  const auto model = linear({{10, 0}, {10, 1}, {20, 1}, {0, 10}});
  std::vector<study::calibration::FitParameter> parameters = {{"a", 0, 5, 0, 100}, {"b", 7, 7, 0, 100, 4, true}};
  std::vector<double> observed = observe(model, {30, 7});
  observed[0] += 3;
  auto result = study::calibration::ParameterFit(parameters, observed, model).run();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[1].value, 7);
  EXPECT_FALSE((*result)[1].identified);
  EXPECT_THAT((*result)[1].note, HasSubstr("as measured before"));

  result = study::calibration::ParameterFit(parameters, observe(model, {30, 17}), model).run();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[0].value, 30);
  EXPECT_EQ((*result)[1].value, 17);
  EXPECT_TRUE((*result)[1].identified);
}

TEST(ParameterFit, NoiseShowsInTheStandardError) {
  const auto model = linear({{10}, {10}, {10}, {10}});
  std::vector<double> observed = observe(model, {30});
  observed[0] += 13;
  observed[1] -= 13;
  const auto result = study::calibration::ParameterFit({{"a", 0, 5, 0, 100}}, observed, model).run();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[0].value, 30);
  EXPECT_GT((*result)[0].standard_error, 0.1);
  EXPECT_LT((*result)[0].standard_error, 2);
}

TEST(ParameterFit, PassesOnWhatTheModelFailsWith) {
  const study::calibration::ParameterFit::Model broken =
      [](const std::vector<int32_t>&) -> absl::StatusOr<std::vector<double>> {
    return absl::AbortedError("a run failed");
  };
  EXPECT_EQ(study::calibration::ParameterFit({{"a", 0, 5, 0, 20}}, {1}, broken).run().status().code(),
            absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace fabrictwin
