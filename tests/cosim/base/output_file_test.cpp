// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::canonical(testing::TempDir()) / ("output-file-test-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }
  std::string message(const char* name) const { return std::string(replaceable_file(path(name)).status().message()); }

  size_t files() const { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {})); }

  std::filesystem::path folder_;
};

TEST_F(OutputFileTest, TakesThePlaceOfFilesOnly) {
  EXPECT_EQ(replaceable_file(path("x")).value(), path("x"));
  std::ofstream(path("x")) << "old";
  EXPECT_EQ(replaceable_file(path("x")).value(), path("x"));
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(message("fifo"), HasSubstr("fifo: is a device or a pipe, which a file cannot replace; name "
                                         "another file"));
  EXPECT_THAT(message("."), HasSubstr("is a folder"));
}

TEST_F(OutputFileTest, IsWhatALinkLeadsTo) {
  std::ofstream(path("x")) << "old";
  std::filesystem::create_symlink("x", path("near"));
  std::filesystem::create_symlink(path("near"), path("far"));
  EXPECT_EQ(replaceable_file(path("near")).value(), path("x"));
  EXPECT_EQ(replaceable_file(path("far")).value(), path("x"));
}

TEST_F(OutputFileTest, LinksThatLeadToNoFileAreRefused) {
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

TEST_F(OutputFileTest, IsSeenWhenItIsWhole) {
  std::ofstream(path("x")) << "old";
  std::filesystem::create_symlink("x", path("link"));
  absl::StatusOr<OutputFile> created = OutputFile::create(path("link"));
  ASSERT_TRUE(created.ok()) << created.status();
  OutputFile file = *std::move(created);
  EXPECT_TRUE(file.write("new, ").ok());
  EXPECT_TRUE(file.write({}).ok());
  EXPECT_TRUE(file.write("in pieces").ok());
  EXPECT_EQ(read_file(path("x")), "old");
  EXPECT_EQ(files(), 3u);
  EXPECT_TRUE(file.commit().ok());
  EXPECT_EQ(read_file(path("x")), "new, in pieces");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(files(), 2u);
}

TEST_F(OutputFileTest, ThatIsGivenUpLeavesNothing) {
  {
    absl::StatusOr<OutputFile> file = OutputFile::create(path("x"));
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE(file->write("half").ok());
    EXPECT_EQ(files(), 1u);
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFileTest, ThatCannotBeWrittenSaysWhy) {
  const absl::Status missing = OutputFile::create(path("missing/x")).status();
  EXPECT_EQ(missing, absl::UnavailableError("cannot create " + path("missing/x") + ": No such file or directory"));
  absl::StatusOr<OutputFile> file = OutputFile::create(path("x"));
  ASSERT_TRUE(file.ok()) << file.status();
  std::filesystem::create_directory(path("x"));
  EXPECT_EQ(file->commit(), absl::UnavailableError("cannot create " + path("x") + ": Is a directory"));
}

// A limit of the size of files stands for a full disk.
TEST_F(OutputFileTest, ThatFindsNoRoomLeavesNothing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100, before.rlim_max};
  for (const size_t bytes : {size_t{101}, size_t{1} << 20}) {
    absl::StatusOr<OutputFile> file = OutputFile::create(path("x"));
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    // What fits in memory fails when the file is closed.
    absl::Status status = file->write(std::string(bytes, 'x'));
    EXPECT_EQ(status.ok(), bytes == 101);
    if (status.ok()) status = file->commit();
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(status, absl::UnavailableError("cannot write " + path("x") + ": File too large"));
  }
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace fabrictwin
