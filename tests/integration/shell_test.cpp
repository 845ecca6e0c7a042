// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A board behind a window as its owner uses it: the self-test, runs one after another, an agent that is started again,
// and a board that dies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "rtl/shell/shell_registers.h"
#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const std::string kStands = "the board at .*window does not answer: its heartbeat has stood for 1500 ms";

class BoardBehindAWindow : public ::testing::Test {
 protected:
  void start_board(const std::vector<std::string>& options) {
    std::vector<std::string> words{cli_binary(), "board", "--window", window_};
    words.insert(words.end(), options.begin(), options.end());
    board_ = std::make_unique<BackgroundProcess>(words, folder_.file("board.log"));
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(window_); })) << board_->log();
  }

  void start_agent(const std::string& rings = "window", const std::string& clock = "gated") {
    agent_ = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{cli_binary(), "board", "--window", window_, "--listen", "127.0.0.1:0", "--ring-memory",
                                 rings, "--clock", clock},
        folder_.file("agent" + std::to_string(++agents_) + ".log"));
    std::smatch found;
    std::string log;
    ASSERT_TRUE(eventually([&] {
      log = agent_->log();
      return std::regex_search(log, found, std::regex("listening at ([0-9.:]+)\n"));
    })) << log;
    use_ = "router[2]=BOARD@" + found[1].str();
  }

  /// A register of the board, as its window has it.
  uint32_t register_at(uint32_t offset) const {
    std::ifstream in(window_, std::ios::binary);
    in.seekg(offset);
    uint32_t value = 0;
    in.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }

  /// Begins a run of a second, which does not end by itself in the time of a test.
  std::unique_ptr<BackgroundProcess> start_run(const std::vector<std::string>& options = {}) {
    std::vector<std::string> words{cli_binary(), "run", "--quiet", "--use", use_};
    const std::vector<std::string> run = experiment("1s");
    words.insert(words.end(), run.begin(), run.end());
    words.insert(words.end(), options.begin(), options.end());
    return std::make_unique<BackgroundProcess>(words, folder_.file("run.log"));
  }

  /// Whether the board has written to the last slot of its ring, which is the end of the two rings.
  bool ring_used() const {
    constexpr std::streamoff kLastStamp = 0x18000 - 8;
    std::ifstream in(window_, std::ios::binary);
    in.seekg(kLastStamp);
    uint64_t stamp = 0;
    in.read(reinterpret_cast<char*>(&stamp), sizeof stamp);
    return stamp != 0;
  }

  /// Changes the window in place from `offset` on, as what maps it sees it.
  void write_window(const std::string& bytes, std::streamoff offset = 0) const {
    std::fstream window(window_, std::ios::binary | std::ios::in | std::ios::out);
    window.seekp(offset);
    window << bytes;
  }

  /// A network at 100 kHz, which a shell that is said to have 1 MHz follows.
  std::string slow_experiment() const {
    return folder_.write("slow.textproto",
                         "topology { torus { dims: 2 dims: 2 link_rate: \"12.8Mbps\" tile_rate: \"12.8Mbps\" "
                         "link_latency: \"500us\" tile_latency: \"500us\" } }\n"
                         "router { clock: \"100kHz\" }\n"
                         "workload { traffic { pattern: UNIFORM load: 0.2 payload: \"64B\" duration: \"10ms\" } }\n"
                         "stop { at_workload_end: true }\nseed: 1\n");
  }

  /// Traffic for so long, with the router on the board.
  std::vector<std::string> experiment(const std::string& duration) const {
    return {"workloads/experiments/uniform.textproto", "--set", "topology.torus.dims=2x2", "--set",
            "workload.traffic.duration=" + duration};
  }

  const TestFolder folder_;
  const std::string window_ = folder_.file("window");
  std::unique_ptr<BackgroundProcess> board_;
  std::unique_ptr<BackgroundProcess> agent_;
  std::string use_;
  int agents_ = 0;
};

class ShellBoard : public BoardBehindAWindow {
 protected:
  void SetUp() override { start_board({"--shell", "--host-memory"}); }
};

TEST_F(ShellBoard, PassesItsSelftest) {
  const CliResult text = run_cli({"board", "--window", window_, "--selftest"});
  EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("ok   heartbeat "), HasSubstr("ok   ring_echo "),
                              ContainsRegex("8 of 8 checks passed\n$")));
  const CliResult json = run_cli({"board", "--window", window_, "--selftest", "--json"});
  const nlohmann::json found = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_TRUE(found.is_object()) << json.out << json.err;
  EXPECT_EQ(found.at("passed"), true);
  ASSERT_EQ(found.at("checks").size(), 8u);
  for (const nlohmann::json& check : found.at("checks")) {
    EXPECT_EQ(check.at("passed"), true) << check;
    if (check.contains("value")) {
      EXPECT_GT(check.at("value"), 0) << check;
    }
  }
}

TEST_F(ShellBoard, ServesRunAfterRunAndAgentAfterAgent) {
  const std::vector<std::string> run = experiment("5us");
  const Digests wanted = digests_of(run, {"router[2]=RTL"});
  ASSERT_GT(wanted.packets, 20u);
  for (int agent = 0; agent < 2; ++agent) {
    start_agent();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(digests_of(run, {use_}), wanted) << "run " << i << " of agent " << agent;
    agent_->send(SIGKILL);
    agent_->wait();
  }
  // An agent that was killed in a run left the board in the midst of it.
  EXPECT_EQ(run_cli({"board", "--window", window_, "--selftest"}).exit_code, 0);
}

TEST_F(ShellBoard, APacedOneHasTheResultOfAGatedOne) {
  const std::string slow = slow_experiment();
  const Digests wanted = digests_of({slow}, {"router[2]=RTL"});
  ASSERT_GT(wanted.packets, 20u);
  start_agent("window", "paced");
  const nlohmann::json report = report_of({slow}, {use_});
  EXPECT_EQ(digests_in(report.dump()), wanted);
  EXPECT_THAT(report.dump(), HasSubstr("\"fabrictwin_board_late_total\""));
}

TEST_F(ShellBoard, AFreeOneEndsAndSaysWhatItsResultIs) {
  const std::string slow = slow_experiment();
  const Digests gated = digests_of({slow}, {"router[2]=RTL"});
  start_agent("window", "free");
  const CliResult run = run_cli({"run", slow, "--json", "--quiet", "--use", use_});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the board's clock is free: results are those of this run alone, and "
                                 "fabrictwin_board_late_total says what came too late"));
  EXPECT_THAT(run.out, HasSubstr("\"fabrictwin_board_late_total\""));
  // Late as they may be, all packets come, and whole.
  const Digests found = digests_in(run.out);
  EXPECT_EQ(found.packets, gated.packets);
  EXPECT_EQ(found.payload, gated.payload);
}

TEST_F(ShellBoard, OneTooSlowForAClockThatDoesNotWaitIsRefused) {
  board_->send(SIGTERM);
  board_->wait();
  std::filesystem::remove(window_);
  start_board({"--shell", "--clock-hertz", "50000"});
  const std::string slow = slow_experiment();
  for (const std::string clock : {"paced", "free"}) {
    start_agent("window", clock);
    const CliResult run = run_cli({"run", slow, "--quiet", "--use", use_});
    EXPECT_EQ(run.exit_code, 1) << run.out;
    EXPECT_THAT(run.err, ContainsRegex("router\\[2\\]: the board at .*window is " + clock +
                                       ", and its shell's clock of 50000 Hz is slower than the element's; a gated "
                                       "board may be"));
    agent_->send(SIGTERM);
    agent_->wait();
  }
}

// An agent has the ring from the board where it wants it, and the next one finds it there.
TEST_F(ShellBoard, WritesToARingInHostMemory) {
  const std::vector<std::string> run = experiment("5us");
  const Digests wanted = digests_of(run, {"router[2]=RTL"});
  const auto used = [&](const std::string& file, std::streamoff ring) {
    std::ifstream in(file, std::ios::binary);
    in.seekg(ring + 56);
    uint64_t stamp = 0;
    in.read(reinterpret_cast<char*>(&stamp), sizeof stamp);
    return stamp != 0;
  };
  constexpr std::streamoff kRingFromBoard = 0x14000;
  for (const bool host : {true, false, true}) {
    start_agent(host ? "host" : "window");
    EXPECT_EQ(digests_of(run, {use_}), wanted) << host;
    EXPECT_TRUE(used(host ? window_ + ".host" : window_, host ? 0 : kRingFromBoard)) << host;
    if (host && agents_ == 1) {
      EXPECT_FALSE(used(window_, kRingFromBoard));
    }
    agent_->send(SIGTERM);
    agent_->wait();
  }
  const CliResult test = run_cli({"board", "--window", window_, "--ring-memory", "host", "--selftest"});
  EXPECT_THAT(test.out, HasSubstr("8 of 8 checks passed")) << test.err;
}

// The shell has a router of 7 ports; what its agent has besides is for 16.
TEST_F(ShellBoard, ARouterWithMorePortsIsRefused) {
  const std::string tree =
      folder_.write("tree.textproto",
                    "topology { fat_tree { down: [4, 4] } }\nworkload { traffic { load: 0.1 duration: \"1us\" } }\n");
  start_agent();
  const CliResult run = run_cli({"run", tree, "--quiet", "--use", "router[0]" + use_.substr(use_.find('='))});
  EXPECT_EQ(run.exit_code, 1) << run.out;
  EXPECT_THAT(run.err, HasSubstr("holds an element of type exanet_router with up to 7 ports, which cannot be router[0] "
                                 "with 8"));
}

TEST_F(ShellBoard, IsNamedWhenItDies) {
  start_agent();
  const std::unique_ptr<BackgroundProcess> running = start_run();
  // It is under way.
  ASSERT_TRUE(eventually([&] { return ring_used(); })) << running->log();
  board_->send(SIGKILL);
  EXPECT_EQ(running->wait(), 1) << running->log();
  EXPECT_THAT(running->log(), ContainsRegex("router\\[2\\] at [0-9.]+ [num]?s: " + kStands));
  // Nor does it answer the next one.
  const CliResult next = run_cli(
      {"run", "workloads/experiments/uniform.textproto", "--set", "topology.torus.dims=2x2", "--quiet", "--use", use_});
  EXPECT_EQ(next.exit_code, 1) << next.out;
  EXPECT_THAT(next.err, ContainsRegex(kStands));
}

// Host 1 sends to host 0, so that nothing comes to router 2.
TEST_F(ShellBoard, IsNamedWhenItDiesWhileItsElementIdles) {
  start_agent();
  const std::unique_ptr<BackgroundProcess> running =
      start_run({"--set", "workload.traffic.pattern=INCAST", "--set", "workload.traffic.incast_sources=1"});
  ASSERT_TRUE(eventually([&] { return register_at(rtl::shell::registers::kStatusRunOffset) != 0; })) << running->log();
  board_->send(SIGKILL);
  EXPECT_EQ(running->wait(), 1) << running->log();
  EXPECT_THAT(running->log(), ContainsRegex("router\\[2\\] at [0-9.]+ [num]?s: " + kStands));
}

// As PCIe gives where a card was, while the program of the board stands still.
TEST_F(ShellBoard, IsNamedWhenItFallsOffItsBusAndComesBack) {
  const std::vector<std::string> run = experiment("5us");
  const Digests wanted = digests_of(run, {"router[2]=RTL"});
  start_agent();
  const std::unique_ptr<BackgroundProcess> running = start_run();
  ASSERT_TRUE(eventually([&] { return ring_used(); })) << running->log();
  board_->send(SIGSTOP);
  const std::string kept = read_file(window_);
  write_window(std::string(kept.size(), '\xff'));
  EXPECT_EQ(running->wait(), 1) << running->log();
  EXPECT_THAT(running->log(),
              ContainsRegex("router\\[2\\] at [0-9.]+ [num]?s: the board at .*window reads all ones: it "
                            "has fallen off its bus"));
  const CliResult lost = run_cli({"board", "--window", window_, "--selftest"});
  EXPECT_EQ(lost.exit_code, 2);
  EXPECT_THAT(lost.err, HasSubstr("the board already has an agent"));
  write_window(kept);
  board_->send(SIGCONT);
  EXPECT_EQ(digests_of(run, {use_}), wanted);
}

// As a card whose memory is switched off: an access to what is not there is a signal to the agent, not all ones.
TEST_F(ShellBoard, IsNamedWhenItsWindowIsCutOff) {
  start_agent();
  const std::unique_ptr<BackgroundProcess> running = start_run();
  ASSERT_TRUE(eventually([&] { return ring_used(); })) << running->log();
  std::filesystem::resize_file(window_, 0);
  EXPECT_EQ(running->wait(), 1) << running->log();
  EXPECT_THAT(running->log(),
              ContainsRegex("router\\[2\\] at [0-9.]+ [num]?s: the board at .*window reads all ones: it "
                            "has fallen off its bus"));
  // The agent lives, and says the same to the next run.
  const CliResult next = run_cli(
      {"run", "workloads/experiments/uniform.textproto", "--set", "topology.torus.dims=2x2", "--quiet", "--use", use_});
  EXPECT_EQ(next.exit_code, 1) << next.out;
  EXPECT_THAT(next.err, ContainsRegex("window reads all ones|window: reads all ones"));
  agent_->send(SIGTERM);
  EXPECT_EQ(agent_->wait(), 0) << agent_->log();
}

// As hardware with the window of a soft board, which has no process.
TEST_F(BoardBehindAWindow, WithoutAProcessIsNamedWhenItDies) {
  constexpr uint32_t kStatusRun = 33856;
  constexpr std::streamoff kPid = 33872;
  start_board({"--soft"});
  start_agent();
  const std::unique_ptr<BackgroundProcess> running = start_run();
  ASSERT_TRUE(eventually([&] { return register_at(kStatusRun) != 0; })) << running->log();
  write_window(std::string(sizeof(int64_t), '\0'), kPid);
  board_->send(SIGKILL);
  EXPECT_EQ(running->wait(), 1) << running->log();
  EXPECT_THAT(running->log(), ContainsRegex(kStands + " at simulated [0-9.]+ "));
  // Nor does it answer the next one.
  const CliResult next = run_cli(
      {"run", "workloads/experiments/uniform.textproto", "--set", "topology.torus.dims=2x2", "--quiet", "--use", use_});
  EXPECT_EQ(next.exit_code, 1) << next.out;
  EXPECT_THAT(next.err, ContainsRegex(kStands));
}

// As the memory of an emulated machine, of which the window is a part.
TEST_F(ShellBoard, ItsWindowCanBeAPartOfAFile) {
  const std::string file = folder_.write("memory", std::string(0x30000, 'x'));
  const std::string window = file + "@0x8000";
  BackgroundProcess board({cli_binary(), "board", "--shell", "--window", window}, folder_.file("part.log"));
  ASSERT_TRUE(eventually([&] { return read_file(file).substr(0x8000, 4) == "FTHL"; })) << board.log();
  const CliResult selftest = run_cli({"board", "--window", window, "--selftest"});
  EXPECT_EQ(selftest.exit_code, 0) << selftest.out << selftest.err;
  EXPECT_EQ(read_file(file).substr(0, 0x8000), std::string(0x8000, 'x'));
  EXPECT_EQ(read_file(file).substr(0x28000), std::string(0x8000, 'x'));
  for (const auto& [offset, text] : {std::pair("@0x8004", "an offset in bytes at which a page of the file begins"),
                                     std::pair("@half", "an offset in bytes"),
                                     std::pair("@0x11000", "the file has 196608 bytes, and a window takes 131072")}) {
    const CliResult refused = run_cli({"board", "--shell", "--window", file + offset});
    EXPECT_EQ(refused.exit_code, 2) << offset;
    EXPECT_THAT(refused.err, HasSubstr(text));
  }
}

TEST_F(ShellBoard, WindowsThatAreNoneAreRefused) {
  const CliResult magic = run_cli({"board", "--window", folder_.write("zeros", std::string(0x20000, '\0'))});
  EXPECT_EQ(magic.exit_code, 2);
  EXPECT_THAT(magic.err, HasSubstr("zeros: is no board's memory window (wrong magic 0x00000000)"));
  const CliResult lost = run_cli({"board", "--window", folder_.write("ones", std::string(0x20000, '\xff'))});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.err, HasSubstr("ones: reads all ones: the board is not on its bus"));
  const CliResult vfio = run_cli({"board", "--window", "vfio:0000:ff:1f.7", "--selftest"});
  EXPECT_EQ(vfio.exit_code, 2);
  EXPECT_THAT(vfio.err, HasSubstr("vfio:0000:ff:1f.7: there is no PCI device 0000:ff:1f.7"));
}

}  // namespace
}  // namespace fabrictwin
