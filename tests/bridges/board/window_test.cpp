// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

#include "bridges/board/agent.h"
#include "bridges/board/stream.h"

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
    const auto window = bridges::board::Window::attach(path_);
    EXPECT_FALSE(window.ok());
    return std::string(window.status().message());
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(BoardWindowTest, BothSidesSeeTheSameRings) {
  const auto board = bridges::board::Window::create(path_);
  ASSERT_TRUE(board.ok()) << board.status();
  const auto agent = bridges::board::Window::attach(path_);
  ASSERT_TRUE(agent.ok()) << agent.status();
  for (int32_t port = 0; port < bridges::board::kBoardPorts; ++port) {
    link::RingProducer producer((*agent)->ring(port, true));
    link::Record record;
    record.channel = static_cast<uint32_t>(port);
    record.kind = link::RecordKind::kHost;
    record.flags = 9;
    record.count = 3;
    record.words = {link::Word{1, 2}, link::Word{3, 4}, link::Word{5, 6}};
    ASSERT_TRUE(producer.try_push(record));
    link::RingConsumer consumer((*board)->ring(port, true));
    ASSERT_NE(consumer.front(), nullptr);
    EXPECT_EQ(consumer.front()->channel, static_cast<uint32_t>(port));
    EXPECT_EQ(consumer.front()->kind, record.kind);
    EXPECT_EQ(consumer.front()->flags, record.flags);
    EXPECT_EQ(consumer.front()->count, record.count);
    EXPECT_EQ(consumer.front()->words, record.words);
    EXPECT_EQ(link::RingConsumer((*board)->ring(port, false)).front(), nullptr);
  }
}

TEST_F(BoardWindowTest, RingsDoNotOverlap) {
  const auto board = bridges::board::Window::create(path_);
  ASSERT_TRUE(board.ok()) << board.status();
  std::vector<const std::byte*> rings;
  for (int32_t port = 0; port < bridges::board::kBoardPorts; ++port) {
    for (const bool to_board : {true, false})
      rings.push_back(reinterpret_cast<const std::byte*>((*board)->ring(port, to_board)));
  }
  std::sort(rings.begin(), rings.end());
  for (size_t i = 1; i < rings.size(); ++i)
    EXPECT_GE(rings[i] - rings[i - 1], static_cast<std::ptrdiff_t>(link::ring_bytes(link::kDefaultRingSlots)));
}

TEST_F(BoardWindowTest, ReadingHasNoSideEffect) {
  const auto board = bridges::board::Window::create(path_);
  ASSERT_TRUE(board.ok());
  link::RingProducer producer((*board)->ring(2, true));
  ASSERT_TRUE(producer.try_push(link::Record{}));
  const auto bytes = [&] {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = bytes();
  const link::RingConsumer consumer((*board)->ring(2, true));
  EXPECT_NE(consumer.front(), nullptr);
  EXPECT_NE(consumer.front(), nullptr);
  EXPECT_TRUE((*board)->channels().ok());
  EXPECT_EQ(bytes(), before);
}

TEST_F(BoardWindowTest, HasOneAgent) {
  const auto board = bridges::board::Window::create(path_);
  const auto agent = bridges::board::Window::attach(path_);
  ASSERT_TRUE(agent.ok());
  EXPECT_THAT(attach_error(), HasSubstr("already has an agent"));
}

TEST_F(BoardWindowTest, MissingFile) { EXPECT_THAT(attach_error(), HasSubstr("cannot open the board's window")); }

// Memory of a device takes no futex.
TEST_F(BoardWindowTest, NoRegularFile) {
  path_ = "/dev/zero";
  EXPECT_THAT(attach_error(), HasSubstr("/dev/zero: is no regular file, and windows of soft boards are in files"));
}

TEST_F(BoardWindowTest, ShortFile) {
  std::ofstream(path_) << "short";
  EXPECT_THAT(attach_error(), HasSubstr("is no board's memory window: 5 bytes"));
}

TEST_F(BoardWindowTest, OtherFile) {
  std::ofstream(path_) << std::string(1 << 20, 'x');
  EXPECT_THAT(attach_error(), HasSubstr("wrong magic"));
}

TEST_F(BoardWindowTest, OtherVersion) {
  const auto board = bridges::board::Window::create(path_);
  (*board)->registers().identity.version = 9;
  EXPECT_THAT(attach_error(), HasSubstr("has window version 9, this agent speaks 6"));
}

// Hardware whose router has 16 ports has the window that it always had.
TEST_F(BoardWindowTest, OfSixteenPorts) {
  const auto board = bridges::board::Window::create(path_, bridges::board::kBoardBasePorts);
  ASSERT_TRUE(board.ok()) << board.status();
  const bridges::board::Identity& identity = (*board)->registers().identity;
  EXPECT_EQ(identity.sync_offset, 36864u);
  EXPECT_EQ(identity.rings_offset, 40960u);
  EXPECT_EQ(identity.ring_bytes, 16512u);
  EXPECT_EQ(identity.window_bytes, std::filesystem::file_size(path_));
  EXPECT_EQ(identity.window_bytes, 569344u);
  const auto agent = bridges::board::Window::attach(path_);
  ASSERT_TRUE(agent.ok()) << agent.status();
  EXPECT_EQ((*agent)->ports(), 16);
  std::vector<uint8_t> routes(bridges::board::board_routes(16), 7);
  (*agent)->set_routes(routes);
  EXPECT_EQ((*board)->routes().value(), routes);
  ++(*board)->registers().config.route_count;
  EXPECT_EQ((*board)->routes().status().code(), absl::StatusCode::kInvalidArgument);
}

// What lies where in a window of 16 ports lies there in one of 64, and the rest comes behind it.
TEST_F(BoardWindowTest, OfSixtyFourPorts) {
  const auto board = bridges::board::Window::create(path_);
  const auto agent = bridges::board::Window::attach(path_);
  ASSERT_TRUE(agent.ok()) << agent.status();
  EXPECT_EQ((*agent)->ports(), 64);
  EXPECT_EQ(offsetof(bridges::board::Registers, control), 33792u);
  EXPECT_EQ(offsetof(bridges::board::Registers, wide), 34816u);
  std::vector<uint8_t> routes(bridges::board::board_routes(64));
  for (size_t i = 0; i < routes.size(); ++i) routes[i] = static_cast<uint8_t>(i % 101);
  (*agent)->set_routes(routes);
  EXPECT_EQ((*board)->routes().value(), routes);
  for (const int32_t port : {0, 15, 16, 63}) {
    (*agent)->port(port).enabled = 1;
    (*agent)->port(port).latency_fs = 1000 + port;
    (*agent)->port(port).word_clock_numerator = (*agent)->port(port).word_clock_denominator = 1;
    (*agent)->port(port).channel_to_board = static_cast<uint32_t>(2 * port);
    (*agent)->port(port).channel_from_board = static_cast<uint32_t>(2 * port + 1);
    (*board)->counters(port).words.set(static_cast<uint64_t>(port));
  }
  EXPECT_EQ((*agent)->counters(63).words.get(), 63u);
  const auto channels = (*board)->channels();
  ASSERT_TRUE(channels.ok());
  ASSERT_EQ(channels->size(), 8u);
  EXPECT_EQ(channels->back().port, 63);
  EXPECT_EQ(channels->back().spec.latency, Time::from_fs(1063));
  (*agent)->clear_configuration();
  EXPECT_TRUE((*board)->channels()->empty());
  EXPECT_TRUE((*board)->routes()->empty());
  (*board)->reset();
  EXPECT_EQ((*agent)->counters(63).words.get(), 0u);
}

TEST_F(BoardWindowTest, OfSixtyFourPortsCutShort) {
  { const auto board = bridges::board::Window::create(path_); }
  std::filesystem::resize_file(path_, 1 << 20);
  EXPECT_THAT(attach_error(), HasSubstr("is no board's memory window: 1048576 bytes instead of "));
}

TEST_F(BoardWindowTest, OtherElement) {
  const auto board = bridges::board::Window::create(path_);
  (*board)->registers().identity.ports = 3;
  EXPECT_THAT(attach_error(), HasSubstr("with 3 ports"));
}

TEST_F(BoardWindowTest, BadConfiguration) {
  const auto board = bridges::board::Window::create(path_);
  bridges::board::PortRegisters& port = (*board)->registers().config.ports[1];
  port.enabled = 1;
  const auto refused = [&](int64_t latency, int64_t numerator, int64_t denominator) {
    port.latency_fs = latency;
    port.word_clock_numerator = numerator;
    port.word_clock_denominator = denominator;
    return (*board)->channels().status().code() == absl::StatusCode::kInvalidArgument;
  };
  EXPECT_FALSE(refused(1000, 2, 1));
  EXPECT_TRUE(refused(0, 2, 1));
  EXPECT_TRUE(refused(1000, 0, 1));
  EXPECT_TRUE(refused(1000, 2, 0));
}

// Hardware gives no process whose end could be seen.
TEST_F(BoardWindowTest, HardwareWhoseHeartbeatStandsIsNamed) {
  const auto board = bridges::board::Window::create(path_);
  ASSERT_TRUE(board.ok()) << board.status();
  bridges::board::Status& said = (*board)->registers().status;
  said.pid.store(0);
  bridges::board::Pulse pulse(**board, std::chrono::milliseconds(20));
  absl::Status status;
  while (status.ok()) status = pulse.check(1);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(status.message()),
            "the board at " + path_ + " does not answer: its heartbeat has stood for 20 ms");
  said.heartbeat.fetch_add(1);
  EXPECT_TRUE(pulse.check(1).ok());
  // What it says of itself comes first.
  said.run.store(1);
  said.state.store(static_cast<uint32_t>(bridges::board::State::kFailed));
  EXPECT_EQ(pulse.check(1).code(), absl::StatusCode::kInternal);
}

TEST_F(BoardWindowTest, AgentRefusesClocksThatASoftBoardDoesNotHave) {
  const auto board = bridges::board::Window::create(path_);
  ASSERT_TRUE(board.ok()) << board.status();
  bridges::board::AgentOptions options;
  options.window = path_;
  options.listen = "127.0.0.1:0";
  options.clock = bridges::board::shell::ClockMode::kPaced;
  const absl::Status status = bridges::board::serve_board_agent(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("is a soft board, which is gated and cannot be paced"));
}

}  // namespace
}  // namespace fabrictwin
