// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>

namespace fabrictwin {
namespace {

TEST(OutputFile, MayTakeThePlaceOfFilesOnly) {
  const std::string path = testing::TempDir() + "fabrictwin-output-file-test";
  std::remove(path.c_str());
  EXPECT_TRUE(check_replaceable(path).ok());
  std::ofstream(path) << "old";
  EXPECT_TRUE(check_replaceable(path).ok());
  std::remove(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(check_replaceable(path).message(), testing::HasSubstr("is a device or a pipe, which a file cannot take "
                                                                    "the place of; name another file"));
  std::remove(path.c_str());
  EXPECT_THAT(check_replaceable("/dev/null").message(), testing::HasSubstr("/dev/null: is a device"));
  EXPECT_THAT(check_replaceable(testing::TempDir()).message(), testing::HasSubstr("is a folder"));
}

}  // namespace
}  // namespace fabrictwin
