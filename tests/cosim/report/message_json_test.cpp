// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/message_json.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "fabrictwin/v1/experiment.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {
namespace {

v1::Report report() {
  v1::Report report;
  report.set_timing_digest("0123456789abcdef");
  report.set_simulated_fs(std::numeric_limits<int64_t>::max());
  report.set_simulated_seconds(0.1);
  report.set_complete(true);
  report.add_violations("late \"record\"\n");
  report.add_ranks()->set_messages_sent(std::numeric_limits<uint64_t>::max());
  return report;
}

TEST(MessageJsonTest, HasTheNamesOfTheProtoNumbersAndZeros) {
  const auto json = nlohmann::json::parse(report::message_json(report()));
  EXPECT_EQ(json.at("timing_digest"), "0123456789abcdef");
  EXPECT_EQ(json.at("simulated_fs"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(json.at("simulated_seconds"), 0.1);
  EXPECT_EQ(json.at("packets_delivered"), 0);
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("reason"), "");
  EXPECT_EQ(json.at("links"), nlohmann::json::array());
  EXPECT_EQ(json.at("ranks").at(0).at("messages_sent"), std::numeric_limits<uint64_t>::max());
  EXPECT_FALSE(json.contains("traffic")) << "a message that is not set is left out";
}

TEST(MessageJsonTest, ProtobufReadsItBack) {
  v1::Report copy;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(report::message_json(report()), &copy).ok());
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(copy, report()));
}

TEST(MessageJsonTest, WritesEnumsAndOptionalFieldsAsProtobufDoes) {
  v1::Experiment experiment;
  experiment.add_use()->set_implementation(v1::RTL);
  experiment.mutable_workload()->mutable_mpi_trace();
  const auto json = nlohmann::json::parse(report::message_json(experiment));
  EXPECT_EQ(json.at("use").at(0).at("implementation"), "RTL");
  EXPECT_FALSE(json.at("workload").at("mpi_trace").contains("compute_scale"));
  EXPECT_FALSE(json.at("workload").contains("traffic"));
}

TEST(MessageJsonTest, IsUtf8WhateverTheNames) {
  v1::Report bad;
  bad.mutable_run()->set_experiment("a\xff.textproto");
  EXPECT_EQ(nlohmann::json::parse(report::message_json(bad)).at("run").at("experiment"), "a\xef\xbf\xbd.textproto");
}

}  // namespace
}  // namespace fabrictwin
