// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI_Allreduce by the accelerators of the nodes, from experiment to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fmt/format.h"
#include "tests/workloads/run_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

Outcome reduce(const std::string& workload, const std::string& host = "allreduce: ACCELERATOR", int blades = 1) {
  return run_text(fmt::format("topology {{ exanest {{ blades: {} qfdbs: 4 }} }}\nhost {{ {} }}\nworkload {{ {} }}\n",
                              blades, host, workload));
}

std::string osu(const std::string& sizes, const std::string& hosts) {
  return fmt::format("osu {{ benchmark: ALLREDUCE sizes: [{}] iterations: 4 warmup: 1 }} placement {{ hosts: \"{}\" }}",
                     sizes, hosts);
}

double latency(const Outcome& outcome, int size) { return outcome.report.osu().results(size).value(); }

// Results are compared bit for bit in the run itself.
TEST(AcceleratorRun, IsFasterThanSoftware) {
  const std::string workload = osu("\"4B\", \"256B\", \"512B\", \"768B\", \"1000B\"", "0..15");
  const Outcome hardware = reduce(workload);
  ASSERT_TRUE(hardware.status.ok()) << hardware.status;
  EXPECT_TRUE(hardware.report.complete());
  const Outcome software = reduce(workload, "allreduce: SOFTWARE");
  ASSERT_TRUE(software.status.ok()) << software.status;
  for (int size = 0; size < 5; ++size) EXPECT_LT(latency(hardware, size), latency(software, size)) << size;
  // Larger vectors go block after block.
  EXPECT_NEAR(latency(hardware, 3) - latency(hardware, 2), latency(hardware, 2) - latency(hardware, 1), 0.1);
  EXPECT_EQ(reduce(workload).report.timing_digest(), hardware.report.timing_digest());
  // Software is the default.
  EXPECT_EQ(reduce(workload, "").report.timing_digest(), software.report.timing_digest());
}

TEST(AcceleratorRun, ServesWholeBoardsAnywhere) {
  for (const char* const hosts : {"0..3", "4..11", "12..15,0..3"}) {
    const Outcome outcome = reduce(osu("\"64B\"", hosts));
    EXPECT_TRUE(outcome.status.ok()) << hosts << ": " << outcome.status;
  }
  EXPECT_TRUE(reduce(osu("\"64B\"", "0..127"), "allreduce: ACCELERATOR", 8).status.ok());
}

TEST(AcceleratorRun, NamesTheRankThatIsMissing) {
  const std::string patient = "allreduce: ACCELERATOR allreduce_timeout: \"1ms\"";
  EXPECT_TRUE(reduce(osu("\"64B\"", "0..15"), patient).status.ok());
  // No vector comes so soon.
  const std::string impatient = "allreduce: ACCELERATOR allreduce_timeout: \"100ns\"";
  EXPECT_THAT(
      std::string(reduce(osu("\"64B\"", "0..15"), impatient).status.message()),
      ::testing::ContainsRegex("mpsoc.[0-9]+. at .*: the Allreduce accelerator gave up, because of rank [0-9]+: "
                               "its vector did not come in time"));
  const std::string endless = "allreduce: ACCELERATOR allreduce_timeout: \"11s\"";
  EXPECT_THAT(std::string(reduce(osu("\"64B\"", "0..15"), endless).status.message()),
              HasSubstr("test.textproto:2:50: error: allreduce_timeout of 11 s is more than 10 s"));
}

TEST(AcceleratorRun, RefusesWhatItCannotServe) {
  const auto refusal = [](const std::string& hosts, const std::string& more = "") {
    return std::string(reduce(osu("\"64B\"", hosts) + more).status.message());
  };
  const std::string where = "test.textproto:2:19: error: the Allreduce accelerators cannot serve osu: ";
  EXPECT_THAT(refusal("0..5"), HasSubstr(where + "it has 6 ranks, and they reduce over 4, 8, 16, ... up to 1024"));
  EXPECT_THAT(refusal("0..11"), HasSubstr("it has 12 ranks"));
  EXPECT_THAT(refusal("1..4"),
              HasSubstr(where + "rank 0 is on mpsoc[1], and ranks 4 k to 4 k + 3 must be on F1 to F4 of one board"));
  EXPECT_THAT(refusal("0,1,2,7"), HasSubstr("rank 3 is on mpsoc[7]"));
  EXPECT_THAT(std::string(run_text("topology { torus { dims: [2, 2] } }\nhost { allreduce: ACCELERATOR }\n"
                                   "workload { osu { benchmark: ALLREDUCE } }\n")
                              .status.message()),
              HasSubstr("test.textproto:2:19: error: the Allreduce accelerator is logic of the nodes of topology"));
  EXPECT_THAT(std::string(reduce(osu("\"64B\"", "0..3"), "allreduce_timeout: \"1us\"").status.message()),
              HasSubstr("test.textproto:2:27: error: allreduce_timeout is that of the Allreduce accelerator"));
}

}  // namespace
}  // namespace fabrictwin
