// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management in hardware through the command line: docs/models/exanet-congestion.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/congestion_report.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;

json hotspot(const std::vector<std::string>& sets, const std::vector<std::string>& uses = {}) {
  std::vector<std::string> options;
  for (const std::string& use : uses) options.insert(options.end(), {"--use", use});
  return run_report(kExperiments + "hotspot-rtl.textproto", sets, options);
}

double accepted(const json& report, size_t number) {
  return report.at("classes").at(number).at("accepted_load").get<double>();
}
double median_us(const json& report, size_t number) {
  return 1e6 * report.at("classes").at(number).at("latency").at("p50").get<double>();
}

// Victims are offered 0.2, of which an eighth goes to the hot host.
TEST(HotspotInHardware, MarksSpareVictims) {
  const json without = hotspot({"congestion.ib_cca.threshold=0"});
  EXPECT_LE(accepted(without, 1), 0.12);
  EXPECT_GE(median_us(without, 1), 300);
  EXPECT_EQ(number(without.at("control").at("marks")), 0);
  EXPECT_EQ(number(without.at("control").at("notices")), 0);

  const json with = hotspot({});
  EXPECT_GE(accepted(with, 1), 0.18);
  EXPECT_LE(median_us(with, 1), 2);
  EXPECT_GE(accepted(with, 0), 0.97 * accepted(without, 0)) << "the hot link stays busy";
  const json& control = with.at("control");
  EXPECT_GE(number(control.at("marks")), 1000);
  EXPECT_EQ(control.at("notices"), control.at("marks"));
  EXPECT_EQ(number(control.at("bytes")), 32 * number(control.at("notices")));
  EXPECT_EQ(number(control.at("acknowledgements")), 0);
}

// No scheme has the usual network interfaces, which give packets to the link as soon as there is space for them.
TEST(HotspotInHardware, WithoutMarksTheUsualInterfacesSendTheSame) {
  std::string text = read_file(kExperiments + "hotspot-rtl.textproto");
  const size_t scheme = text.find("\ncongestion {");
  ASSERT_NE(scheme, std::string::npos);
  text.erase(scheme, text.find('\n', scheme + 1) - scheme);
  const TestFolder folder;
  const std::string duration = "workload.traffic.duration=200us";
  const json none = run_report(folder.write("none.textproto", text), {duration});
  EXPECT_FALSE(none.contains("control"));
  const json zero = hotspot({"congestion.ib_cca.threshold=0", duration});
  EXPECT_EQ(zero.at("timing_digest"), none.at("timing_digest"));
}

// Words one at a time, since a process has one SystemC kernel, and packets beside them.
TEST(HotspotInHardware, SchemesAreCompared) {
  const CliResult both =
      run_cli({"compare", kExperiments + "hotspot-rtl.textproto", kExperiments + "hotspot-packet.textproto",
               "--schemes", "none,ib_cca,dcqcn", "--set", "workload.traffic.duration=50us", "--jobs", "3", "--quiet"});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  const std::string words = both.out.substr(both.out.find("hotspot-rtl"));
  EXPECT_THAT(words.substr(0, words.find("hotspot-packet")), ::testing::HasSubstr("\n  ib_cca "));
  EXPECT_THAT(both.out, ::testing::HasSubstr("dcqcn: not possible: congestion is for routers of the model PACKET, and "
                                             "these are EXANET, which only mark packets"));
  EXPECT_THAT(words.substr(words.find("hotspot-packet")), ::testing::HasSubstr("\n  dcqcn "));
}

class HotspotPlaces : public ::testing::TestWithParam<const char*> {};

TEST_P(HotspotPlaces, DoNotShow) {
  const std::string duration = "workload.traffic.duration=100us";
  const json models = hotspot({duration});
  EXPECT_GE(number(models.at("control").at("marks")), 50);
  const json mixed = hotspot({duration}, {GetParam()});
  EXPECT_EQ(mixed.at("timing_digest"), models.at("timing_digest"));
  EXPECT_EQ(mixed.at("control"), models.at("control"));
}

INSTANTIATE_TEST_SUITE_P(Uses, HotspotPlaces,
                         ::testing::Values("router[0..3]=RTL", "router[*]=MODEL@worker:shm",
                                           "router[4]=RTL@worker:unix", "router[4]=BOARD@soft",
                                           "router[4]=BOARD@shell"));

}  // namespace
}  // namespace fabrictwin
