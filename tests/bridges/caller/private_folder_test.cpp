// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "bridges/caller/local_process.h"

namespace fabrictwin {
namespace {

namespace fs = std::filesystem;

/// A temporary folder of its own, in which private ones are made.
class PrivateFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = getenv("TMPDIR"); before != nullptr) before_ = before;
    // Its name is short wherever temporary files of tests are.
    std::string name = "/tmp/private_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    ASSERT_EQ(setenv("TMPDIR", folder_.c_str(), 1), 0);
  }
  void TearDown() override {
    // The folder of the next test would be made inside of this one.
    if (before_.has_value()) {
      setenv("TMPDIR", before_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::unique_ptr<bridges::caller::PrivateFolder> make() {
    auto made = bridges::caller::PrivateFolder::create();
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? *std::move(made) : nullptr;
  }

  fs::path folder_;
  std::optional<std::string> before_;  ///< TMPDIR of the test program.
};

TEST_F(PrivateFolderTest, GoesWithItsOwner) {
  std::string path;
  {
    const auto folder = make();
    path = folder->path();
    std::ofstream(path + "/socket") << "x";
    EXPECT_TRUE(fs::is_directory(path));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(PrivateFolderTest, WhatAKilledProcessLeftIsRemovedByTheNextOne) {
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto made = bridges::caller::PrivateFolder::create();
    const std::string path = made.ok() ? (*made)->path() : "?";
    std::ofstream(path + "/1.window") << "left";
    if (write(told[1], path.data(), path.size()) < 0) _exit(1);
    close(told[1]);
    while (true) pause();
  }
  close(told[1]);
  std::string path;
  char buffer[256];
  for (ssize_t size = 0; (size = read(told[0], buffer, sizeof buffer)) > 0;) path.append(buffer, buffer + size);
  close(told[0]);
  ASSERT_TRUE(fs::is_directory(path)) << path;

  // As long as it lives, others leave it alone.
  make();
  EXPECT_TRUE(fs::exists(path + "/1.window"));
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(fs::exists(path + "/1.window"));
  const auto next = make();
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(next->path()));
}

TEST_F(PrivateFolderTest, SocketsHaveNamesThatFit) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const size_t most = sizeof address.sun_path - 1 - std::string("/fabrictwin-run-XXXXXX/99999.sock").size();
  ASSERT_LT(folder_.native().size() + 1, most) << "the test's own folder has too long a name";
  const fs::path longest = folder_ / std::string(most - folder_.native().size() - 1, 'x');
  fs::create_directories(longest);
  ASSERT_EQ(setenv("TMPDIR", longest.c_str(), 1), 0);
  const auto folder = make();
  ASSERT_NE(folder, nullptr);
  (folder->path() + "/99999.sock").copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(socket);

  const fs::path longer = longest.native() + "x";
  fs::create_directories(longer);
  ASSERT_EQ(setenv("TMPDIR", longer.c_str(), 1), 0);
  const std::string message(bridges::caller::PrivateFolder::create().status().message());
  EXPECT_NE(message.find(longer.native() + " (from TMPDIR), has a name of " + std::to_string(most + 1) +
                         " bytes, and sockets of workers take one of at most " + std::to_string(most)),
            std::string::npos)
      << message;
  EXPECT_TRUE(fs::is_empty(longer));
  EXPECT_TRUE(bridges::caller::PrivateFolder::create(false).ok());
}

TEST_F(PrivateFolderTest, AFolderThatIsNotThereIsNamedWithItsVariable) {
  const std::string none = folder_ / "none";
  ASSERT_EQ(setenv("TMPDIR", none.c_str(), 1), 0);
  const std::string message(bridges::caller::PrivateFolder::create().status().message());
  EXPECT_NE(message.find(none + " (from TMPDIR)"), std::string::npos) << message;
}

TEST_F(PrivateFolderTest, OthersKeepWhatIsTheirs) {
  const auto alive = make();
  const fs::path other = folder_ / "fabrictwin-AbCdEf";  // As versions before this one named theirs, without a lock.
  const fs::path target = folder_ / "target";
  const fs::path link = folder_ / "fabrictwin-run-link";
  const fs::path file = folder_ / "fabrictwin-run-file";
  fs::create_directories(other);
  fs::create_directories(target);
  fs::create_directory_symlink(target, link);
  std::ofstream(file) << "x";
  make();
  for (const fs::path& path : {fs::path(alive->path()), other, target, link, file})
    EXPECT_TRUE(fs::exists(path)) << path;
}

}  // namespace
}  // namespace fabrictwin
