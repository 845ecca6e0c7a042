// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// `fabrictwin top` beside runs that serve their metrics.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kShort = "20us";
constexpr const char* kEndless = "1000s";

class TopTest : public ::testing::Test {
 protected:
  /// Starts a run of traffic for so much simulated time, which waits for whoever sees its end; then its address is
  /// known.
  void start_run(const std::string& duration, const std::vector<std::string>& more = {}) {
    const std::string experiment =
        folder_.write("traffic.textproto",
                      "topology { torus { dims: 2 dims: 2 } }\n"
                      "workload { traffic { pattern: UNIFORM load: 0.3 payload: \"256B\" duration: \"" +
                          duration + "\" } }\n");
    std::vector<std::string> words{cli_binary(),       "run", experiment, "--metrics", "127.0.0.1:0",
                                   "--metrics-linger", "600s"};
    words.insert(words.end(), more.begin(), more.end());
    run_ = std::make_unique<BackgroundProcess>(words, folder_.file("run.log"));
    ASSERT_TRUE(eventually([&] { return port_in(run_->log()) != 0; })) << run_->log();
    address_ = "127.0.0.1:" + std::to_string(port_in(run_->log()));
  }

  /// Starts top, and waits for its first view.
  std::unique_ptr<BackgroundProcess> start_top() const {
    auto top = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{cli_binary(), "top", address_, "--interval", "20ms"}, folder_.file("top.log"),
        folder_.file("top.out"));
    EXPECT_TRUE(eventually([&] { return read_file(folder_.file("top.out")).find("state") != std::string::npos; }))
        << top->log();
    return top;
  }

  const TestFolder folder_;
  std::unique_ptr<BackgroundProcess> run_;
  std::string address_;
};

TEST_F(TopTest, OneScrapeAsTextAndAsJson) {
  start_run(kEndless);
  const CliResult text = run_cli({"top", address_, "--once"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.err, "");
  for (const char* part : {"metrics     http://127.0.0.1:", "topology    torus 2x2", "state       running  [",
                           "\nsimulated ", "\nlinks ", "injection ", "\npartition ", "\nprocess "})
    EXPECT_THAT(text.out, HasSubstr(part));
  EXPECT_THAT(text.out, Not(HasSubstr("\033"))) << "a pipe is no terminal";
  std::istringstream lines(text.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;

  const CliResult json = run_cli({"top", "http://" + address_, "--once", "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  const auto view = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_TRUE(view.is_object()) << json.out;
  EXPECT_EQ(view["state"], "running");
  EXPECT_EQ(view["topology"], "torus 2x2");
  EXPECT_EQ(view["link_classes"].size(), 3u);
  EXPECT_EQ(view["partitions"].size(), 1u);
  EXPECT_GT(view["resident_bytes"], 0);
}

TEST_F(TopTest, FollowsARunToItsEnd) {
  start_run(kShort);
  const CliResult top = run_cli({"top", address_, "--interval", "10ms"});
  EXPECT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("state       complete  ["));
  EXPECT_THAT(top.out, HasSubstr("] 100.0 %\n"));
  EXPECT_THAT(top.out, EndsWith("\nexit code   0\n")) << "it has seen all of the end";
  EXPECT_EQ(run_->wait(), 0) << run_->log();
}

TEST_F(TopTest, SaysThatARunHasEndedEarly) {
  start_run(kEndless, {"--set", "stop.after_simulated=5us"});
  const CliResult top = run_cli({"top", address_, "--interval", "10ms"});
  EXPECT_EQ(top.exit_code, 1);
  EXPECT_THAT(top.out, HasSubstr("state       ended early"));
  EXPECT_THAT(top.err, HasSubstr("the run has ended early"));
}

TEST_F(TopTest, SaysThatNobodyAnswersAnyMore) {
  start_run(kEndless);
  const auto top = start_top();
  run_->send(SIGKILL);
  EXPECT_EQ(top->wait(), 1);
  EXPECT_THAT(read_file(folder_.file("top.log")), HasSubstr("http://" + address_ + "/metrics no longer answers"));
}

TEST_F(TopTest, IsInterrupted) {
  start_run(kEndless);
  const auto top = start_top();
  top->send(SIGINT);
  EXPECT_EQ(top->wait(), 130);
}

TEST_F(TopTest, RedrawsATerminalInPlaceAndRestoresIt) {
  start_run(kShort);
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  const winsize size{.ws_row = 6, .ws_col = 50, .ws_xpixel = 0, .ws_ypixel = 0};
  // Open while the size is set, as the last one who closes it resets it.
  const int held = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  BackgroundProcess top({cli_binary(), "top", address_, "--interval", "10ms"}, folder_.file("top.log"),
                        ptsname(terminal));
  std::string shown;
  ASSERT_TRUE(eventually([&] {
    std::array<char, 4096> buffer;
    const ssize_t got = read(terminal, buffer.data(), buffer.size());
    if (got > 0) shown.append(buffer.data(), static_cast<size_t>(got));
    return shown.find("\033[?25h") != std::string::npos;
  })) << shown;
  close(held);
  close(terminal);
  EXPECT_EQ(top.wait(), 0) << top.log();
  EXPECT_EQ(shown.rfind("\033[?25l\033[2J", 0), 0u) << "the cursor is hidden";
  EXPECT_THAT(shown, EndsWith("\033[?25h")) << "and shown again";
  EXPECT_THAT(shown, HasSubstr("\033[Hmetrics     http://127.0.0.1:"));
  EXPECT_THAT(shown, HasSubstr("state       complete  [##"));
  EXPECT_THAT(shown, Not(HasSubstr("packets"))) << "there are only six rows";
}

TEST(TopMistakesTest, AreNamed) {
  const auto expect = [](const std::vector<std::string>& arguments, int code, const char* why) {
    std::vector<std::string> words{"top"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(why));
  };
  expect({"127.0.0.1"}, 2, "metrics address \"127.0.0.1\": there is no port");
  expect({"ftp://127.0.0.1:1/"}, 2, "not by ftp");
  expect({"127.0.0.1:1", "--interval", "soon"}, 2, "--interval");
  expect({"127.0.0.1:1", "--interval", "0s"}, 2, "--interval");
  expect({"127.0.0.1:1", "--json"}, 2, "write --once with it");
  expect({}, 2, "ADDR");
  expect({"127.0.0.1:1"}, 1, "nobody answers at http://127.0.0.1:1/metrics");
  expect({"127.0.0.1:1", "--once"}, 1, "nobody answers at http://127.0.0.1:1/metrics");
}

}  // namespace
}  // namespace fabrictwin
