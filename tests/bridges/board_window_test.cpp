// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bridges/board_agent.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

class BoardWindowTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "board_window_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    path_ = folder_ / "window";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string attach_error() {
    const auto window = BoardWindow::attach(path_);
    EXPECT_FALSE(window.ok());
    return std::string(window.status().message());
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(BoardWindowTest, BothSidesSeeTheSameRings) {
  const auto board = BoardWindow::create(path_);
  ASSERT_TRUE(board.ok()) << board.status();
  const auto agent = BoardWindow::attach(path_);
  ASSERT_TRUE(agent.ok()) << agent.status();
  for (int32_t port = 0; port < kBoardPorts; ++port) {
    RingProducer producer((*agent)->ring(port, true));
    Record record;
    record.channel = static_cast<uint32_t>(port);
    record.kind = RecordKind::kHost;
    record.flags = 9;
    record.count = 3;
    record.words = {Word{1, 2}, Word{3, 4}, Word{5, 6}};
    ASSERT_TRUE(producer.try_push(record));
    RingConsumer consumer((*board)->ring(port, true));
    ASSERT_NE(consumer.front(), nullptr);
    EXPECT_EQ(consumer.front()->channel, static_cast<uint32_t>(port));
    EXPECT_EQ(consumer.front()->kind, record.kind);
    EXPECT_EQ(consumer.front()->flags, record.flags);
    EXPECT_EQ(consumer.front()->count, record.count);
    EXPECT_EQ(consumer.front()->words, record.words);
    EXPECT_EQ(RingConsumer((*board)->ring(port, false)).front(), nullptr);
  }
}

TEST_F(BoardWindowTest, ReadingHasNoSideEffect) {
  const auto board = BoardWindow::create(path_);
  ASSERT_TRUE(board.ok());
  RingProducer producer((*board)->ring(2, true));
  ASSERT_TRUE(producer.try_push(Record{}));
  const auto bytes = [&] {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = bytes();
  const RingConsumer consumer((*board)->ring(2, true));
  EXPECT_NE(consumer.front(), nullptr);
  EXPECT_NE(consumer.front(), nullptr);
  EXPECT_TRUE((*board)->channels().ok());
  EXPECT_EQ(bytes(), before);
}

TEST_F(BoardWindowTest, HasOneAgent) {
  const auto board = BoardWindow::create(path_);
  const auto agent = BoardWindow::attach(path_);
  ASSERT_TRUE(agent.ok());
  EXPECT_THAT(attach_error(), HasSubstr("already has an agent"));
}

TEST_F(BoardWindowTest, MissingFile) { EXPECT_THAT(attach_error(), HasSubstr("cannot open the board's window")); }

TEST_F(BoardWindowTest, ShortFile) {
  std::ofstream(path_) << "short";
  EXPECT_THAT(attach_error(), HasSubstr("is no board's memory window: 5 bytes"));
}

TEST_F(BoardWindowTest, OtherFile) {
  std::ofstream(path_) << std::string(1 << 20, 'x');
  EXPECT_THAT(attach_error(), HasSubstr("wrong magic"));
}

TEST_F(BoardWindowTest, OtherVersion) {
  const auto board = BoardWindow::create(path_);
  (*board)->registers().identity.version = 9;
  EXPECT_THAT(attach_error(), HasSubstr("has window version 9, this agent speaks 4"));
}

TEST_F(BoardWindowTest, OtherElement) {
  const auto board = BoardWindow::create(path_);
  (*board)->registers().identity.ports = 3;
  EXPECT_THAT(attach_error(), HasSubstr("with 3 ports"));
}

TEST_F(BoardWindowTest, BadConfiguration) {
  const auto board = BoardWindow::create(path_);
  (*board)->registers().config.ports[1].enabled = 1;
  EXPECT_EQ((*board)->channels().status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(BoardWindowTest, AgentRefusesOtherLinksThanGated) {
  BoardAgentOptions options;
  options.window = path_;
  options.listen = "127.0.0.1:0";
  options.link_kind = "paced";
  const absl::Status status = serve_board_agent(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"paced\""));
}

}  // namespace
}  // namespace fabrictwin
