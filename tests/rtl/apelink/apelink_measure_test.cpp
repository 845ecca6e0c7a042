// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the framing costs and how long a word takes; docs/models/apelink.md quotes the output.
#include <gtest/gtest.h>

#include <cstdio>

#include "VApelinkLink__inputs.h"
#include "tests/rtl/apelink/link_traffic.h"

namespace fabrictwin::test {
namespace {

constexpr int kLatency = 10;            ///< Of the channel in the model, in cycles.
constexpr double kWordsPerCycle = 0.5;  ///< 10 Gb/s at 156.25 MHz.

/// Units of 32 bits for one packet: header, payload, footer; Magic, Start and CRC.
constexpr double expected_efficiency(int bytes) {
  const int words = (bytes + 15) / 16;
  return bytes / 4.0 / (4 * (words + 2) + 3);
}

/// Payload bits by line bits of each direction while both are busy, credits included.
std::array<double, 2> measure(int bytes) {
  ModelLink<VApelinkLink> link;
  LinkTraffic traffic(link, {.packets = 1'000'000, .fixed_payload = bytes, .send = 100, .drain = 100}, 1);
  for (int k = 0; k < 2'000; ++k) traffic.cycle();
  const auto before = traffic.payload_words;
  constexpr int kCycles = 100'000;
  for (int k = 0; k < kCycles; ++k) traffic.cycle();
  std::array<double, 2> result{};
  for (int s = 0; s < 2; ++s) {
    result[s] = static_cast<double>(traffic.payload_words[s] - before[s]) / (kCycles * kWordsPerCycle);
    // The receiver keeps up with the line: no more than a word waits.
    EXPECT_LE(link.high_water(s), 2);
  }
  return result;
}

class ApelinkEfficiency : public testing::TestWithParam<int> {};

TEST_P(ApelinkEfficiency, UnderLoadBothWaysIsAsTheEquationSays) {
  const int bytes = GetParam();
  const auto measured = measure(bytes);
  printf("%d bytes of payload: by the equation %.2f %%, measured %.2f %%\n", bytes, 100 * expected_efficiency(bytes),
         100 * measured[0]);
  for (double m : measured) {
    EXPECT_LE(m, expected_efficiency(bytes) + 0.001);
    EXPECT_GE(m, expected_efficiency(bytes) - 0.005);
    if (bytes == 512) {
      EXPECT_GE(m, 0.92);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, ApelinkEfficiency, testing::Values(32, 512));
INSTANTIATE_TEST_SUITE_P(More, ApelinkEfficiency, testing::Values(64, 128, 256));

TEST(ApelinkMeasure, LatencyOfALonePacket) {
  for (int payload : {0, 16}) {
    ModelLink<VApelinkLink> link;
    for (int k = 0; k < 20; ++k) link.edge();
    // Words are there one after the other; the first is taken at edge 0.
    std::vector<int> arrival;
    const int words = 2 + payload / 16;
    int on_wire = -1;
    int off_wire = -1;
    for (int k = 0; k < 100; ++k) {
      if (k < words) {
        Word data{static_cast<uint32_t>(k), static_cast<uint32_t>(payload) << 16, 0, 0};
        link.tx(0, {0, k == 0, k + 1 == words, false, data});
      }
      link.settle();
      if (on_wire < 0 && link.wire(0)) on_wire = k;
      link.edge();
      if (off_wire < 0 && link.high_water(0) > 0) off_wire = k;
      if (link.rx(1)) arrival.push_back(k);
    }
    ASSERT_EQ(arrival.size(), static_cast<size_t>(words));
    printf(
        "payload %d B: header taken by the channel %d edges after it was taken by the transmitter, "
        "header sampled by the far router after %d, footer after %d edges; channel %d\n",
        payload, on_wire, arrival.front() + 1, arrival.back() + 1, kLatency);
    // The transmitter takes 3 edges. The receiver takes 4, and the next router samples its output at the last of them:
    // the second half of the header comes a word later than the first, in the shadow of finding the frame.
    EXPECT_EQ(on_wire, 3);
    EXPECT_EQ(arrival.front() + 1, on_wire + kLatency + 4);
    EXPECT_EQ(arrival.back() + 1, arrival.front() + 1 + 2 * (words - 1));
  }
}

}  // namespace
}  // namespace fabrictwin::test
