// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Links between boards of exanest with the FIFOs of the prototype (docs/models/apelink.md#long-credit-words).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// Two boards a long way apart, and messages between their first MPSoCs, which only links between boards carry.
std::string machine(const TestFolder& folder, const std::string& words) {
  return folder.write("machine.textproto",
                      "topology { exanest { blades: 1 qfdbs: 2 link_latency: \"2us\" " + words +
                          " } }\nworkload { osu { benchmark: BW window: 1 sizes: \"64KiB\" iterations: 1 warmup: 0 } "
                          "placement { hosts: \"0,4\" } }\n"
                          "seed: 1\n");
}
const std::string kDeep = "link_buffer_words: 1152";

json report_of(const std::string& file, const std::vector<std::string>& uses = {}) {
  std::vector<std::string> arguments{"run", "--json", "--quiet", file};
  for (const std::string& use : uses) arguments.insert(arguments.end(), {"--use", use});
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  json report = json::parse(result.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << result.out;
  return report;
}

double seconds(const json& report) {
  const json& value = report.at("simulated_seconds");
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

std::string outcome(const json& report) {
  return report.at("timing_digest").dump() + report.at("payload_digest").dump();
}

TEST(DeepLinks, TheDefaultIsThatOfShallowOnes) {
  const TestFolder folder;
  EXPECT_EQ(outcome(report_of(machine(folder, "link_buffer_words: 128"))), outcome(report_of(machine(folder, ""))));
}

// A round trip of 4 us at 10 Gb/s carries 5 KB, and 128 words are 2 KiB.
TEST(DeepLinks, FillLongLinks) {
  const TestFolder folder;
  const json shallow = report_of(machine(folder, ""));
  const json deep = report_of(machine(folder, kDeep));
  EXPECT_EQ(deep.at("payload_digest"), shallow.at("payload_digest"));
  EXPECT_LT(seconds(deep), 0.7 * seconds(shallow));
}

TEST(DeepLinks, RtlHasThemToo) {
  const TestFolder folder;
  const json models = report_of(machine(folder, kDeep));
  const json rtl = report_of(machine(folder, kDeep), {"qfdb[*].router=RTL"});
  EXPECT_EQ(rtl.at("payload_digest"), models.at("payload_digest"));
  EXPECT_NEAR(seconds(rtl), seconds(models), 0.1 * seconds(models));
  const json shallow = report_of(machine(folder, ""), {"qfdb[*].router=RTL"});
  EXPECT_LT(seconds(rtl), 0.7 * seconds(shallow));
}

TEST(DeepLinks, PlacesDoNotShow) {
  const TestFolder folder;
  const std::string file = machine(folder, kDeep);
  const std::string here = outcome(report_of(file, {"qfdb[*].router=RTL"}));
  EXPECT_EQ(outcome(report_of(file, {"qfdb[0].router=RTL@worker:unix", "qfdb[1].router=BOARD@soft"})), here);
}

TEST(DeepLinks, OthersAreRefused) {
  const TestFolder folder;
  const CliResult few = run_cli({"check", machine(folder, "link_buffer_words: 17")});
  EXPECT_EQ(few.exit_code, 2);
  EXPECT_THAT(few.err, HasSubstr(":1:80: error: link_buffer_words 17: a link holds at least the largest packet; write "
                                 "18 to 1152, for RTL 128 or 1152"));
  EXPECT_EQ(run_cli({"check", machine(folder, "link_buffer_words: 1153")}).exit_code, 2);
  const std::string some = machine(folder, "link_buffer_words: 256");
  EXPECT_EQ(run_cli({"check", some}).exit_code, 0);
  const CliResult rtl = run_cli({"run", "--quiet", some, "--use", "qfdb[0].router=RTL"});
  EXPECT_EQ(rtl.exit_code, 2);
  EXPECT_THAT(rtl.err, HasSubstr("links between boards of RTL nodes hold 128 or 1152 words of each virtual channel, "
                                 "and link_buffer_words is 256; write one of those, or use MODEL"));
  const CliResult plain = run_cli({"run", "--quiet", some, "--use", "qfdb[0].switch[1]=RTL"});
  EXPECT_EQ(plain.exit_code, 0) << "a switch has none of these links: " << plain.err;
}

}  // namespace
}  // namespace fabrictwin
