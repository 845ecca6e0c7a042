// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two streams of packets that become one, against queues, under random stalls.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>

#include "VPacketMerge__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kPackets = 4000;

struct PacketWord {
  uint32_t source = 0;
  uint32_t number = 0;
  bool last = false;
  std::array<uint32_t, 4> bits{};
};

class PacketMerge : public ModuleTest<VPacketMerge> {
 protected:
  PacketMerge() : ModuleTest(3) { reset(); }

  void add_packet(uint32_t source, uint32_t number) {
    const auto bytes = static_cast<uint32_t>(draw(257));
    const uint32_t words = 2 + (bytes + 15) / 16;
    for (uint32_t i = 0; i < words; ++i) {
      PacketWord word{source, number, i + 1 == words, {static_cast<uint32_t>(random_()), 0, source, number}};
      word.bits[1] = i == 0 ? bytes << 16 : static_cast<uint32_t>(random_());
      streams_[source].push_back(word);
    }
  }

  std::array<std::deque<PacketWord>, 2> streams_;
};

TEST_F(PacketMerge, KeepsPacketsWholeAndInTurns) {
  std::array<uint32_t, 2> made{};
  std::array<uint32_t, 2> passed{};  // Packets of the other stream since one was offered.
  int owner = -1;
  uint32_t received = 0;
  for (int64_t edges = 0; received < kPackets; ++edges) {
    ASSERT_LT(edges, 1'000'000);
    for (uint32_t source = 0; source < 2; ++source) {
      if (streams_[source].empty() && made[source] < kPackets / 2 && chance(60)) add_packet(source, made[source]++);
      const bool valid = !streams_[source].empty();
      model_.valid_i = static_cast<uint8_t>((model_.valid_i & ~(1U << source)) | (valid ? 1U << source : 0));
      for (size_t i = 0; i < 4; ++i) model_.data_i[4 * source + i] = valid ? streams_[source].front().bits[i] : 0;
    }
    model_.ready_i = chance(70);
    model_.eval();
    ASSERT_EQ(model_.valid_o != 0, model_.valid_i != 0);
    for (uint32_t source = 0; source < 2; ++source) {
      if ((model_.ready_o >> source & 1) == 0 || (model_.valid_i >> source & 1) == 0) continue;
      const PacketWord word = streams_[source].front();
      streams_[source].pop_front();
      for (size_t i = 0; i < 4; ++i) ASSERT_EQ(model_.data_o[i], word.bits[i]);
      if (owner >= 0) ASSERT_EQ(owner, static_cast<int>(source)) << "another packet within one";
      owner = word.last ? -1 : static_cast<int>(source);
      const bool other_waits = !streams_[1 - source].empty();
      if (word.last) {
        ++received;
        passed[source] = 0;
        passed[1 - source] += other_waits ? 1 : 0;
        ASSERT_LE(passed[1 - source], 2U) << "a stream starves";
      }
    }
    edge();
  }
}

}  // namespace
}  // namespace fabrictwin::test
