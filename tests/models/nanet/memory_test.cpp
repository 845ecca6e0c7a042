// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/memory.h"

#include <gtest/gtest.h>

namespace fabrictwin::nanet {
namespace {

TEST(NanetMemory, WritesBytesWithStrobesOnly) {
  Memory memory;
  memory.write(0x1000, {0x0807060504030201, 0x100f0e0d0c0b0a09}, 0xffff);
  memory.write(0x1000, {0xffffffffffffffff, 0xffffffffffffffff}, 0x8001);
  EXPECT_EQ(memory.read(0x1000, 16), (Bytes{0xff, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xff}));
  EXPECT_EQ(memory.word(0x1000), (link::Word{0x08070605040302ff, 0xff0f0e0d0c0b0a09}));
}

TEST(NanetMemory, WritesBytesAcrossPages) {
  Memory memory;
  memory.write(0xffe, Bytes{1, 2, 3, 4});
  EXPECT_EQ(memory.read(0xffd, 6), (Bytes{0, 1, 2, 3, 4, 0}));
}

TEST(NanetMemory, IsZeroWhereNothingWasWrittenOrWasCleared) {
  Memory memory;
  EXPECT_EQ(memory.read(0x1ffffffff8, 16), Bytes(16));
  memory.write(0xff0, {1, 2}, 0xffff);
  memory.write(0x1000, {3, 4}, 0xffff);
  memory.clear(0xff8, 16);
  EXPECT_EQ(memory.word(0xff0), (link::Word{1, 0}));
  EXPECT_EQ(memory.word(0x1000), (link::Word{0, 4}));
}

}  // namespace
}  // namespace fabrictwin::nanet
