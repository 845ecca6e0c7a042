// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for network interfaces of Tofu: the same digests wherever routers and hosts run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

/// 48 nodes of TofuD with this after their routers.
std::string tofu(const std::string& rest) {
  return "topology { tofu { x: 2 y: 2 z: 1 generation: TOFUD } }\nrouter { model: PACKET }\nseed: 1\n" + rest;
}

TEST(TofuPlaces, DoNotShow) {
  const TestFolder folder;
  for (const char* workload :
       {"traffic { load: 0.3 duration: \"20us\" payload: \"256B\" }", "exchange { bytes: \"16KiB\" iterations: 1 }"}) {
    const std::string file =
        folder.write("tofu.textproto", tofu(std::string("host { nic: TOFU }\nworkload { ") + workload + " }\n"));
    const Digests one = digests_of({file}, {});
    ASSERT_GT(one.packets, 1000u) << workload;
    EXPECT_EQ(digests_of({file}, {}, {"--split", "3"}), one) << workload;
    EXPECT_EQ(digests_of({file}, {"router[0..11]=MODEL@worker:tcp", "router[12..30]=MODEL@worker:shm"}), one)
        << workload;
  }
}

// Lanes are watched by the router that sends, and all places have their share of what was wrong until the end.
TEST(TofuPlaces, DoNotShowInLanesWithBitErrors) {
  const TestFolder folder;
  const std::string file = folder.write(
      "lanes.textproto", tofu("host { nic: TOFU }\nfault { link: \"router[0].x+\" bit_error_rate: 1e-4 }\n"
                              "fault { link: \"router[5].y+\" bit_error_rate: 2e-4 at: \"2us\" until: \"8us\" }\n"
                              "workload { traffic { load: 0.3 duration: \"10us\" payload: \"256B\" } }\n"));
  const nlohmann::json one = report_of({file}, {});
  ASSERT_GT(one.at("faults").at(0).at("damaged_packets"), 2);
  for (const std::vector<std::string>& uses :
       {std::vector<std::string>{"router[0]=MODEL@worker:shm"}, {"router[0..11]=MODEL@worker:unix"}}) {
    const nlohmann::json apart = report_of({file}, uses);
    EXPECT_EQ(apart.at("timing_digest"), one.at("timing_digest"));
    EXPECT_EQ(apart.at("faults"), one.at("faults"));
  }
}

// Signals of barriers are packets, and gates are those of their host.
TEST(TofuPlaces, DoNotShowInBarriers) {
  const TestFolder folder;
  const std::string file = folder.write(
      "barriers.textproto", tofu("host { nic: TOFU allreduce: ACCELERATOR }\n"
                                 "workload { osu { benchmark: ALLREDUCE sizes: \"8B\" iterations: 2 warmup: 0 } }\n"));
  const nlohmann::json one = report_of({file}, {});
  ASSERT_NE(one.at("timing_digest"), report_of({file, "--set", "host.allreduce=SOFTWARE"}, {}).at("timing_digest"));
  for (const std::vector<std::string>& uses :
       {std::vector<std::string>{"router[0]=MODEL@worker:shm"},
        {"router[0..11]=MODEL@worker:unix", "router[20..40]=MODEL@worker:shm"}}) {
    const nlohmann::json apart = report_of({file}, uses);
    for (const char* field : {"timing_digest", "payload_digest", "simulated_fs", "packets_delivered", "osu", "ranks"})
      EXPECT_EQ(apart.at(field), one.at(field)) << field;
  }
}

}  // namespace
}  // namespace fabrictwin
