// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace fabrictwin {
namespace {

using testing::HasSubstr;

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::canonical(testing::TempDir()) / ("output-file-test-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }
  std::string message(const char* name) const { return std::string(replaceable_file(path(name)).status().message()); }

  std::filesystem::path folder_;
};

TEST_F(OutputFile, TakesThePlaceOfFilesOnly) {
  EXPECT_EQ(replaceable_file(path("x")).value(), path("x"));
  std::ofstream(path("x")) << "old";
  EXPECT_EQ(replaceable_file(path("x")).value(), path("x"));
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(message("fifo"), HasSubstr("fifo: is a device or a pipe, which a file cannot take the place of; name "
                                         "another file"));
  EXPECT_THAT(message("."), HasSubstr("is a folder"));
}

TEST_F(OutputFile, IsWhatALinkLeadsTo) {
  std::ofstream(path("x")) << "old";
  std::filesystem::create_symlink("x", path("near"));
  std::filesystem::create_symlink(path("near"), path("far"));
  EXPECT_EQ(replaceable_file(path("near")).value(), path("x"));
  EXPECT_EQ(replaceable_file(path("far")).value(), path("x"));
}

TEST_F(OutputFile, LinksThatLeadToNoFileAreRefused) {
  std::filesystem::create_symlink("nothing", path("dangling"));
  EXPECT_THAT(message("dangling"), HasSubstr("dangling: is a link that leads to no file (No such file or directory)"));
  std::filesystem::create_symlink("loop", path("loop"));
  EXPECT_THAT(message("loop"), HasSubstr("loop: is a link that leads to no file (Too many levels of symbolic links)"));
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("fifo", path("pipe"));
  EXPECT_THAT(message("pipe"), HasSubstr("pipe: is a device or a pipe"));
  std::filesystem::create_symlink(".", path("here"));
  EXPECT_THAT(message("here"), HasSubstr("here: is a folder"));
}

}  // namespace
}  // namespace fabrictwin
