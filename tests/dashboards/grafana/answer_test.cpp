// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace fabrictwin::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(AnswerTest, AMatrixHasSeriesWithPoints) {
  const auto answer = read_answer(R"({"status":"success","data":{"resultType":"matrix","result":[
    {"metric":{"__name__":"up","instance":"a"},"values":[[10,"1"],[11.5,"2.5e-7"]]},
    {"metric":{},"values":[]}]}})");
  ASSERT_TRUE(answer.ok()) << answer.status();
  ASSERT_EQ(answer->size(), 2u);
  EXPECT_THAT((*answer)[0].labels, ElementsAre(Pair("__name__", "up"), Pair("instance", "a")));
  ASSERT_EQ((*answer)[0].points.size(), 2u);
  EXPECT_EQ((*answer)[0].points[1].time, 11.5);
  EXPECT_EQ((*answer)[0].points[1].value, 2.5e-7);
  EXPECT_TRUE((*answer)[1].points.empty());
}

TEST(AnswerTest, AVectorAndAScalarHaveOnePoint) {
  const auto vector = read_answer(
      R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"x":"y"},"value":[10,"-3"]}]}})");
  ASSERT_TRUE(vector.ok()) << vector.status();
  ASSERT_EQ(vector->size(), 1u);
  EXPECT_EQ((*vector)[0].points.at(0).value, -3);
  const auto scalar = read_answer(R"({"status":"success","data":{"resultType":"scalar","result":[10,"4"]}})");
  ASSERT_TRUE(scalar.ok()) << scalar.status();
  EXPECT_EQ(scalar->at(0).points.at(0).value, 4);
}

TEST(AnswerTest, ValuesNeedNotBeFinite) {
  const auto answer = read_answer(
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"NaN"],[2,"+Inf"],[3,"-Inf"]]}]}})");
  ASSERT_TRUE(answer.ok()) << answer.status();
  const auto& points = answer->at(0).points;
  EXPECT_TRUE(std::isnan(points.at(0).value));
  EXPECT_TRUE(std::isinf(points.at(1).value) && points.at(1).value > 0);
  EXPECT_TRUE(std::isinf(points.at(2).value) && points.at(2).value < 0);
}

TEST(AnswerTest, ARefusalIsAnErrorInPrometheusWords) {
  const auto answer = read_answer(R"({"status":"error","errorType":"bad_data","error":"parse error: no closing"})");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(std::string(answer.status().message()), HasSubstr("parse error: no closing"));
}

TEST(AnswerTest, WhatIsNoAnswerIsAnError) {
  for (const char* const text :
       {"", "[]", "{", R"({"status":"success"})", R"({"status":"success","data":[]})",
        R"({"status":"success","data":{"resultType":"matrix"}})",
        R"({"status":"success","data":{"resultType":"string","result":[1,"x"]}})",
        R"({"status":"success","data":{"resultType":"string","result":[]}})",
        R"({"status":"success","data":{"resultType":"scalar","result":[]}})",
        R"({"status":"success","data":{"resultType":"matrix","result":[7]}})",
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":1},"values":[]}]}})",
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{}}]}})",
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":7}]}})",
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,2]]}]}})",
        R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"x"]}]}})"})
    EXPECT_FALSE(read_answer(text).ok()) << text;
}

}  // namespace
}  // namespace fabrictwin::test
