// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/point/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using nlohmann::ordered_json;
using study::point::Outcome;

/// The outcome as another process reads it.
Outcome sent(const Outcome& outcome) {
  absl::StatusOr<Outcome> read =
      study::point::parse_outcome(ordered_json::parse(study::point::outcome_json(outcome).dump()));
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *std::move(read) : Outcome();
}

TEST(PointOutcome, ReportsKeepAllDigits) {
  Outcome outcome;
  v1::Report& report = outcome.report;
  report.set_timing_digest("0123456789abcdef");
  report.set_simulated_seconds(0.1 + 0.2);
  report.mutable_traffic()->set_offered_load(1.0 / 3);
  report.set_packets_delivered(std::numeric_limits<uint64_t>::max());
  report.add_links()->set_name("a \"link\"\n\u00e4");
  EXPECT_EQ(sent(outcome).report.SerializeAsString(), report.SerializeAsString());
  // What is not set stays so, and what is set to nothing, too.
  EXPECT_FALSE(sent(Outcome()).report.has_traffic());
  report.mutable_traffic()->mutable_latency_cycles();
  EXPECT_TRUE(sent(outcome).report.traffic().has_latency_cycles());
}

TEST(PointOutcome, ErrorsKeepTheirKind) {
  Outcome outcome;
  outcome.status = absl::InternalError("a bug: \"x\"\nin two lines");
  EXPECT_EQ(sent(outcome).status, outcome.status);
}

TEST(PointOutcome, WhatIsNoOutcomeIsNotRead) {
  for (const char* text : {"3", "{}", "[]", "{\"code\":0}", "{\"code\":\"x\",\"error\":\"\"}",
                           "{\"code\":0,\"error\":\"\",\"report\":{\"no_such_field\":1}}",
                           "{\"code\":0,\"error\":\"\",\"search\":{\"load\":1}}"}) {
    EXPECT_TRUE(absl::IsDataLoss(study::point::parse_outcome(ordered_json::parse(text)).status())) << text;
  }
}

}  // namespace
}  // namespace fabrictwin
