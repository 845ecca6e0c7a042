// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/read_stream.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace fabrictwin {
namespace {

TEST(ReadStream, GivesAll) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{65536}, size_t{100000}}) {
    std::istringstream stream(std::string(size, 'x'));
    EXPECT_EQ(read_stream(stream), std::string(size, 'x'));
  }
}

TEST(ReadStream, AFolderHasNoText) {
  std::ifstream folder("/", std::ios::binary);
  EXPECT_EQ(read_stream(folder), std::nullopt);
}

}  // namespace
}  // namespace fabrictwin
