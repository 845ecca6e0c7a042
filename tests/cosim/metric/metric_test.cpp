// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/metric/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Constructed in another order than that of the catalogue.
const metric::Gauge kLastByName{{.name = "fabrictwin_test_b", .help = "B"}};
const metric::Summary kLater{{.name = "fabrictwin_test_a_seconds", .unit = "seconds", .help = "A", .order = 20}};
const metric::Gauge kFirstByName{{.name = "fabrictwin_test_a", .help = "A", .labels = {"x", "y"}}};
const metric::Counter kFirst{
    {.name = "fabrictwin_test_z_total", .help = "Z", .labels = {"x"}, .order = 10, .in_report = false}};
const metric::Gauge kAllLabels{{.name = "fabrictwin_test_c", .help = "C", .labels = {"p", "q", "r", "s"}}};

TEST(Metric, StandsInTheCatalogueByOrderThenByName) {
  std::vector<const metric::Metric*> all(metric::catalogue().begin(), metric::catalogue().end());
  std::erase_if(all, [](const metric::Metric* metric) { return !metric->name().starts_with("fabrictwin_test_"); });
  // Those of sink_test.cpp are in this program, too.
  std::erase_if(all, [](const metric::Metric* metric) { return metric->name().starts_with("fabrictwin_test_sink"); });
  EXPECT_THAT(all, ElementsAre(&kFirst, &kLater, &kFirstByName, &kLastByName, &kAllLabels));
}

TEST(Metric, IsFoundByItsNameOnly) {
  EXPECT_EQ(metric::find("fabrictwin_test_z_total"), &kFirst);
  EXPECT_EQ(metric::find("fabrictwin_test_z"), nullptr);
  EXPECT_EQ(metric::find(""), nullptr);
}

TEST(Metric, SaysWhatWasDeclared) {
  EXPECT_EQ(kFirst.kind(), metric::Kind::kCounter);
  EXPECT_EQ(kFirst.unit(), "1");
  EXPECT_FALSE(kFirst.in_report());
  EXPECT_THAT(kFirst.labels(), ElementsAre("x"));
  EXPECT_EQ(kLater.kind(), metric::Kind::kSummary);
  EXPECT_EQ(kLater.unit(), "seconds");
  EXPECT_EQ(kLater.help(), "A");
  EXPECT_TRUE(kLater.in_report());
  EXPECT_THAT(kLater.labels(), IsEmpty());
  EXPECT_EQ(kFirstByName.kind(), metric::Kind::kGauge);
  EXPECT_THAT(kAllLabels.labels(), ElementsAre("p", "q", "r", "s"));
}

TEST(Metric, KindsAreNamedAsByPrometheus) {
  EXPECT_EQ(to_string(metric::Kind::kCounter), "counter");
  EXPECT_EQ(to_string(metric::Kind::kGauge), "gauge");
  EXPECT_EQ(to_string(metric::Kind::kSummary), "summary");
}

}  // namespace
}  // namespace fabrictwin
