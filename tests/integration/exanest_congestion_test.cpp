// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management of exanest machines (docs/models/exanet-congestion.md): nodes as models and as RTL mark, send
// notices and slow down, wherever they run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/congestion_report.h"
#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

const std::string kExchange = kExperiments + "exanest-alltoall.textproto";
constexpr const char* kOff = "congestion.ib_cca.threshold=0";  ///< Nothing is marked.

double notices(const nlohmann::json& report) { return number(report.at("control").at("notices")); }

class ExanestCongestion : public ::testing::TestWithParam<std::string> {
 protected:
  static std::vector<std::string> use(const std::string& rule) {
    return rule.empty() ? std::vector<std::string>() : std::vector<std::string>{"--use", rule};
  }
};

// The same messages arrive, later at their hosts.
TEST_P(ExanestCongestion, MarksCauseNoticesAndGaps) {
  const nlohmann::json with = run_report(kExchange, {}, use(GetParam()));
  const nlohmann::json without = run_report(kExchange, {kOff}, use(GetParam()));
  EXPECT_GT(notices(with), 20);
  EXPECT_EQ(number(with.at("control").at("marks")), notices(with));
  EXPECT_EQ(number(with.at("control").at("bytes")), 32 * notices(with));
  EXPECT_EQ(notices(without), 0);
  EXPECT_EQ(with.at("payload_digest"), without.at("payload_digest"));
  EXPECT_NE(with.at("timing_digest"), without.at("timing_digest"));
}

INSTANTIATE_TEST_SUITE_P(Some, ExanestCongestion, ::testing::Values("", "qfdb[*].*=RTL"));
INSTANTIATE_TEST_SUITE_P(More, ExanestCongestion, ::testing::Values("qfdb[0].router=RTL", "qfdb[1].*=RTL"));

// Models are not the RTL cycle by cycle, so they mark other packets; what arrives is the same.
TEST(ExanestCongestionLaw, ModelsAndRtlDeliverTheSame) {
  const nlohmann::json models = run_report(kExchange, {});
  const nlohmann::json rtl = run_report(kExchange, {}, {"--use", "qfdb[*].*=RTL"});
  EXPECT_GT(notices(models), 20);
  EXPECT_GT(notices(rtl), 20);
  for (const char* field : {"payload_digest", "packets_delivered", "bytes_delivered"})
    EXPECT_EQ(models.at(field), rtl.at(field)) << field;
}

// A scheme that marks nothing leaves models as they are without one.
TEST(ExanestCongestionLaw, WithoutMarksModelsAreAsWithoutAScheme) {
  const std::vector<std::string> minife = {"workloads/experiments/exanest-demo.textproto", "--set",
                                           "stop.after_simulated=5ms"};
  const Digests without = digests_of(minife, {"qfdb[*].*=MODEL"});
  EXPECT_GT(without.packets, 100u);
  EXPECT_EQ(digests_of(minife, {"qfdb[*].*=MODEL"}, {"--set", kOff}), without);
}

TEST(ExanestCongestionLaw, PlacesAndThreadsDoNotShow) {
  const std::string some = "qfdb[0].router,qfdb[1].switch[2]";
  const Digests here = digests_of({kExchange}, {some + "=RTL"});
  EXPECT_GT(here.packets, 100u);
  EXPECT_EQ(digests_of({kExchange}, {some + "=RTL@worker:shm"}), here);
  EXPECT_EQ(digests_of({kExchange}, {"qfdb[0].router=RTL@worker:unix", "qfdb[1].switch[2]=BOARD@soft"}), here);
  EXPECT_EQ(digests_of({kExchange}, {some + "=RTL"}, {"--threads", "3"}), here);
}

TEST(ExanestCongestionLaw, ModelsAreTheSameEachTime) {
  EXPECT_EQ(digests_of({kExchange}, {}, {"--threads", "2"}), digests_of({kExchange}, {}));
}

}  // namespace
}  // namespace fabrictwin
