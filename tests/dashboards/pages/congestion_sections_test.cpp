// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/congestion_sections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "dashboards/pages/run_page.h"
#include "tests/dashboards/html/page_data.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CongestionSections, ShowsImpactFactorsOfGpcnet) {
  v1::Report report;
  report.mutable_gpcnet()->set_hosts(64);
  report.mutable_gpcnet()->set_ranks(128);
  report.mutable_gpcnet()->set_victim_hosts(13);
  report.mutable_gpcnet()->set_congestor_hosts(51);
  for (const auto& [test, factor] : {std::pair("RR Two-sided Lat (8 B)", 2.0), std::pair("Allreduce (8 B)", 4.0)}) {
    v1::GpcnetRow& row = *report.mutable_gpcnet()->add_rows();
    row.set_test(test);
    row.set_unit("us");
    row.set_isolated_mean(1.5);
    row.set_isolated_p99(2);
    row.set_congested_mean(1.5 * factor);
    row.set_congested_p99(20 * factor);
    row.set_cif_mean(factor);
    row.set_cif_p99(10 * factor);
  }
  const nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(page_titles(data),
              ElementsAre("Summary", "Network", "Congestion impact factors", "GPCNeT", "The report as text"));
  const nlohmann::json bars = page_section(data, "Congestion impact factors");
  EXPECT_EQ(bars["bars"], true);
  EXPECT_EQ(bars["curves"][0]["y"].dump(), "[2.0,4.0]");
  EXPECT_EQ(bars["curves"][1]["y"].dump(), "[20.0,40.0]");
  EXPECT_EQ(bars["note"], "1: RR Two-sided Lat (8 B); 2: Allreduce (8 B)");
  const nlohmann::json table = page_section(data, "GPCNeT");
  EXPECT_EQ(table["rows"][0].dump(), R"row(["RR Two-sided Lat (8 B)","us","1.5","2","3","40","2","20"])row");
  EXPECT_EQ(table["note"], "13 victim and 51 congestor hosts of 64, 128 ranks.");
}

// Links of packets and of words tell of different things; a table has the columns that its faults have.
TEST(CongestionSections, ShowsFaultsAndWhatControlSends) {
  v1::Report report;
  v1::FaultReport& slow = *report.add_faults();
  slow.set_link("router[0].up0");
  slow.set_at_seconds(1e-3);
  slow.set_until_seconds(2e-3);
  slow.set_rate(0.25);
  slow.set_queue_bytes(12'500);
  slow.set_recovery_seconds(3.5e-5);
  v1::FaultReport& down = *report.add_faults();
  down.set_link("host[3]");
  report.mutable_control()->set_marks(12);
  report.mutable_control()->set_notices(3);
  report.mutable_control()->set_acknowledgements(100);
  report.mutable_control()->set_bytes(6592);
  nlohmann::json data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(page_titles(data),
              ElementsAre("Summary", "Network", "Faults", "Congestion control", "The report as text"));
  EXPECT_EQ(page_section(data, "Faults")["columns"].dump(),
            R"(["link","from [us]","until [us]","rate left","longest queue [kB]","empty again after [us]"])");
  EXPECT_EQ(page_section(data, "Faults")["rows"].dump(), R"([["router[0].up0","1000","2000","0.25","12.5","35"],)"
                                                         R"(["host[3]","0","the end","fails","0",""]])");
  EXPECT_EQ(page_section(data, "Congestion control")["facts"].dump(),
            R"([["Marked packets","12"],["Acknowledgements","100"],["Notices","3"],["Bytes of both","6592"]])");
  report.mutable_control()->set_false_marks(4);
  report.mutable_faults(0)->set_goodput_recovery_seconds(2.5e-4);
  report.mutable_series()->set_interval_seconds(1e-3);
  for (int i = 1; i <= 3; ++i) {
    report.mutable_series()->add_points()->set_seconds(1e-3 * i);
    report.mutable_series()->mutable_points(i - 1)->add_flow_bytes(1000);
  }
  data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_THAT(page_section(data, "Faults")["rows"].dump(), HasSubstr(R"("35","250")"));
  EXPECT_THAT(page_section(data, "Goodput over time").dump(),
              AllOf(HasSubstr("fault of router[0].up0 ends"), HasSubstr("95 % of before again")));
  report.clear_series();
  report.clear_faults();
  v1::FaultReport& words = *report.add_faults();
  words.set_link("qfdb[0].router.x+");
  words.set_bit_error_rate(1e-6);
  words.set_wrong_bits(9);
  words.set_lost_packets(0);
  data = page_data(dashboards::pages::run_page({}, report, ""));
  EXPECT_EQ(page_section(data, "Faults")["columns"].dump(),
            R"(["link","from [us]","until [us]","bit errors","wrong bits","lost packets"])");
  EXPECT_EQ(page_section(data, "Faults")["rows"][0].dump(), R"(["qfdb[0].router.x+","0","the end","1e-06","9","0"])");
  EXPECT_EQ(page_section(data, "Congestion control")["facts"][1].dump(), R"(["False marks","4"])");
}

}  // namespace
}  // namespace fabrictwin
