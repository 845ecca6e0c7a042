// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/metric_report.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

namespace fabrictwin {
namespace {

const metric::Counter kSent{{.name = "fabrictwin_test_sent_bytes_total",
                             .unit = "bytes",
                             .help = "Bytes that a host has sent",
                             .labels = {"host"}}};
const metric::Gauge kHidden{{.name = "fabrictwin_test_hidden", .help = "Elsewhere in the report", .in_report = false}};
const metric::Summary kWait{{.name = "fabrictwin_test_wait_seconds", .unit = "seconds", .help = "How long hosts wait"}};

observe::MetricReports some() {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, true);
  reporter.add(kSent, 3e9, {"host[1]"});
  reporter.add(kHidden, 7);
  reporter.add(kWait, {.count = 4, .sum = 10, .quantiles = {1, 2, 3, 4, 5, 6}});
  return reports;
}

/// One series as text.
std::string text_of(const v1::MetricReport& report) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(report, &text);
  return text;
}

/// What is left of `reports` after another process has sent them.
observe::MetricReports sent(const observe::MetricReports& reports, const std::string& place = {}) {
  observe::MetricReports result;
  observe::MetricReporter reporter(result, true);
  observe::send_metrics(reports, place, reporter);
  return result;
}

TEST(MetricReport, HoldsNameUnitLabelsAndValue) {
  const observe::MetricReports reports = some();
  ASSERT_EQ(reports.size(), 3);
  EXPECT_EQ(text_of(reports[0]),
            "name: \"fabrictwin_test_sent_bytes_total\" unit: \"bytes\" labels { name: \"host\" value: \"host[1]\" } "
            "value: 3000000000 ");
  EXPECT_EQ(text_of(reports[2]),
            "name: \"fabrictwin_test_wait_seconds\" unit: \"seconds\" "
            "summary { count: 4 sum: 10 p50: 1 p90: 2 p99: 4 p99_9: 5 p99_99: 6 p95: 3 } ");
}

TEST(MetricReport, ReportsOfRunsLeaveOutWhatTheyHaveAFieldFor) {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, false);
  reporter.add(kHidden, 7);
  reporter.add(kSent, 1, {"host[0]"});
  ASSERT_EQ(reports.size(), 1);
  EXPECT_EQ(reports[0].name(), kSent.name());
}

TEST(MetricReport, ComesBackAsItWas) {
  const observe::MetricReports before = some();
  const observe::MetricReports after = sent(before);
  ASSERT_EQ(after.size(), before.size());
  for (int i = 0; i < before.size(); ++i) EXPECT_EQ(text_of(after[i]), text_of(before[i]));
}

TEST(MetricReport, APlaceIsOneMoreLabel) {
  const observe::MetricReports there = sent(some(), "worker:shm");
  ASSERT_EQ(there.size(), 3);
  ASSERT_EQ(there[0].labels_size(), 2);
  EXPECT_EQ(there[0].labels(1).name(), "place");
  EXPECT_EQ(there[0].labels(1).value(), "worker:shm");
  ASSERT_EQ(there[1].labels_size(), 1);
  // It stays when it is shown, and nobody can call himself otherwise.
  EXPECT_EQ(text_of(sent(there)[0]), text_of(there[0]));
  const observe::MetricReports renamed = sent(there, "worker:unix");
  ASSERT_EQ(renamed[0].labels_size(), 2);
  EXPECT_EQ(renamed[0].labels(1).value(), "worker:unix");
}

// Another build of the program may have other metrics, and a broken one anything.
TEST(MetricReport, WhatDoesNotFitTheCatalogueIsLeftOut) {
  for (const char* text : {
           "",
           "name: 'fabrictwin_test_of_tomorrow' value: 1",
           "name: 'fabrictwin_test_hidden'",
           "name: 'fabrictwin_test_hidden' summary { count: 1 }",
           "name: 'fabrictwin_test_hidden' value: 1 labels { name: 'bad name' value: 'x' }",
           "name: 'fabrictwin_test_sent_bytes_total' value: 1",
           "name: 'fabrictwin_test_sent_bytes_total' value: 1 labels { name: 'port' value: 'x' }",
           "name: 'fabrictwin_test_sent_bytes_total' value: 1 labels { name: 'place' value: 'x' }",
           "name: 'fabrictwin_test_wait_seconds' value: 1",
       }) {
    observe::MetricReports reports;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, reports.Add())) << text;
    EXPECT_TRUE(sent(reports).empty()) << text;
    EXPECT_TRUE(sent(reports, "worker:tcp").empty()) << text;
  }
}

}  // namespace
}  // namespace fabrictwin
