// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The published figures of NaNet-10, measured.
#include "rtl/nanet/device/figures.h"

#include <gtest/gtest.h>

#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

using rtl::nanet::loop_cycles;
using rtl::nanet::memory_latency;
using rtl::nanet::MemoryLatency;
using rtl::nanet::read_gbytes;
using rtl::nanet::stream;
using rtl::nanet::Stream;
using rtl::nanet::write_gbytes;

/// The devices begin with random values.
const RandomDevices kRandomDevices;

TEST(NanetFigures, LoopTakesAsLongAsPublished) {
  EXPECT_NEAR(loop_cycles(16, rtl::nanet::kTransceiverCycles), 64, 1);
  EXPECT_LT(loop_cycles(16, 0), 18);
}

TEST(NanetFigures, BuffersUpTo1KiBAreInMemoryWithinAMicrosecond) {
  for (const bool gpu : {false, true}) {
    for (const int bytes : {16, 64, 256, 512, 1024}) {
      const MemoryLatency latency = memory_latency(bytes, gpu);
      EXPECT_LT(latency.data, 1000);
      EXPECT_LT(latency.data, latency.event);
    }
  }
}

TEST(NanetFigures, TakesALineOf10GbsAndFourPortsOfIt) {
  for (const int bytes : {64, 256, 1024}) {
    const Stream one = stream(bytes, 1, 1.0, 200);
    EXPECT_EQ(one.lost, 0);
    EXPECT_GT(one.line_gbps, 9.85);
  }
  const Stream four = stream(1024, 4, 0.5, 100);
  EXPECT_EQ(four.lost, 0);
  EXPECT_GT(four.payload_gbps, 18);
  EXPECT_LT(four.most_ns - four.least_ns, 300);
}

TEST(NanetFigures, MemoriesSetTheRate) {
  const double written = write_gbytes();
  const double read = read_gbytes(3.0);
  const double legacy = read_gbytes(1.5);
  EXPECT_NEAR(written, 2.8, 0.05);
  EXPECT_NEAR(read, 3.0, 0.05);
  EXPECT_NEAR(legacy, 1.5, 0.05);
}

}  // namespace
}  // namespace fabrictwin::test
