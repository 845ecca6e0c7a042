// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for network interfaces of Tofu: the same digests wherever routers and hosts run, and what needs all of them
// in one partition is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

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

TEST(TofuPlaces, WhatIsOfOnePartitionIsRefused) {
  const TestFolder folder;
  const std::string barriers = folder.write(
      "barriers.textproto", tofu("host { nic: TOFU allreduce: ACCELERATOR }\nworkload { skeleton { ranks: 8 hpcg { "
                                 "local: \"16x16x16\" } } }\n"));
  const std::string lanes =
      folder.write("lanes.textproto", tofu("host { nic: TOFU }\nfault { link: \"router[0].x+\" bit_error_rate: 1e-5 }\n"
                                           "workload { traffic { load: 0.1 duration: \"5us\" payload: \"256B\" } }\n"));
  struct Mistake {
    const std::string& file;
    const char* text;
  };
  for (const Mistake& mistake :
       {Mistake{barriers, "the barrier interfaces of Tofu reach each other within one partition"},
        Mistake{lanes, "what lanes with bit errors have sent twice"}}) {
    EXPECT_EQ(run_cli({"check", mistake.file}).exit_code, 0) << mistake.text;
    const CliResult result = run_cli({"run", "--quiet", mistake.file, "--use", "router[0]=MODEL@worker:shm"});
    EXPECT_EQ(result.exit_code, 2) << mistake.text;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--use:1:1: error: "));
    EXPECT_THAT(result.err, HasSubstr(mistake.text));
  }
}

}  // namespace
}  // namespace fabrictwin
