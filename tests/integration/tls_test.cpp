// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Workers and board agents that only those with the right certificates reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Words = std::vector<std::string>;

Words tls(const std::string& peer, const std::string& authority) {
  const std::string data = "tests/bridges/data/tls/";
  return {"--tls-cert", data + peer + ".pem",     "--tls-key", data + peer + "-key.pem",
          "--tls-ca",   data + authority + ".pem"};
}

const Words kTls = tls("peer", "ca");

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class TlsTest : public ::testing::Test {
 protected:
  /// Starts a command that listens, and waits until it does.
  std::unique_ptr<BackgroundProcess> start(const Words& words, const std::string& name = "worker") {
    auto process = std::make_unique<BackgroundProcess>(Words{cli_binary()} + words, folder_.file(name + ".log"));
    std::smatch found;
    std::string log;
    EXPECT_TRUE(eventually([&] {
      log = process->log();
      return std::regex_search(log, found, std::regex("listening at ([0-9.:]+)( with TLS)?\n"));
    })) << log;
    address_ = found[1].str();
    return process;
  }
  Words rule(const std::string& what) const { return {"--use", "router[1]=" + what + "@" + address_}; }

  /// Runs with a rule that names the address that was last listened at.
  CliResult run(const Words& more, const std::string& what = "RTL") const {
    return run_cli(Words{"run", file_, "--quiet"} + rule(what) + more);
  }
  /// Checks that such a run fails before it has simulated anything, with these words in its error.
  void expect_no_connection(const Words& more, const std::string& words, const std::string& what = "RTL") const {
    const CliResult result = run(more, what);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("error: " + address_ + ": "), HasSubstr(words)));
  }

  const TestFolder folder_;
  const std::string file_ = folder_.write(
      "small.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
  const Words experiment_ = {file_};
  std::string address_;
};

TEST_F(TlsTest, AWorkerGivesTheSameResult) {
  const auto worker = start(Words{"worker", "--listen", "127.0.0.1:0"} + kTls);
  EXPECT_THAT(worker->log(), HasSubstr(" with TLS\n"));
  EXPECT_EQ(digests_of(experiment_, {"router[1]=RTL@" + address_}, kTls), digests_of(experiment_, {"router[1]=RTL"}));
}

// All records of a board go through the connection, while a worker on this machine shares memory with the run.
TEST_F(TlsTest, ABoardGivesTheSameResult) {
  const std::string window = folder_.file("board.window");
  const BackgroundProcess board({cli_binary(), "board", "--soft", "--window", window}, folder_.file("board.log"));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(window); })) << board.log();
  const auto agent = start(Words{"board", "--window", window, "--listen", "127.0.0.1:0"} + kTls, "agent");
  EXPECT_EQ(digests_of(experiment_, {"router[1]=BOARD@" + address_}, kTls), digests_of(experiment_, {"router[1]=RTL"}));
  expect_no_connection({}, "if it has TLS, give --tls-cert, --tls-key and --tls-ca", "BOARD");
}

TEST_F(TlsTest, OnlyTheRightCertificatesConnect) {
  const auto worker = start(Words{"worker", "--listen", "127.0.0.1:0"} + kTls);
  const std::string failed = address_ + ": TLS failed: ";
  expect_no_connection(tls("other-peer", "other-ca"), failed);
  // The one that the worker does not take, and the one that does not take the worker.
  expect_no_connection(tls("other-peer", "ca"), failed);
  expect_no_connection(tls("peer", "other-ca"), "certificate verify failed");
  expect_no_connection({}, address_ + ": answers nobody without TLS");
  EXPECT_EQ(run(kTls).exit_code, 0) << "the worker goes on";
}

TEST_F(TlsTest, AKeyMustFitItsCertificate) {
  const Words mixed = {"--tls-cert", "tests/bridges/data/tls/peer.pem",
                       "--tls-key",  "tests/bridges/data/tls/other-peer-key.pem",
                       "--tls-ca",   "tests/bridges/data/tls/ca.pem"};
  const CliResult worker = run_cli(Words{"worker", "--listen", "127.0.0.1:0"} + mixed);
  EXPECT_EQ(worker.exit_code, 1);
  EXPECT_THAT(worker.err, HasSubstr("or certificate, key and authorities do not fit"));
  const auto right = start(Words{"worker", "--listen", "127.0.0.1:0"} + kTls);
  expect_no_connection(mixed, "each key must fit its certificate");
}

// gRPC takes ports modulo 65536, and 443 where there is none.
TEST(ListenTest, WhatIsNoAddressIsRefused) {
  for (const char* address : {"127.0.0.1:99999", "127.0.0.1:", "localhost", "127.0.0.1:-1", "unix:"}) {
    for (const Words& service : {Words{"worker"}, Words{"board", "--window", "window"}}) {
      const CliResult result = run_cli(service + Words{"--listen", address});
      EXPECT_EQ(result.exit_code, 2) << address;
      EXPECT_THAT(result.err, HasSubstr(std::string("--listen: ") + address + " is no address to listen at; write"));
    }
  }
  const CliResult nowhere = run_cli({"worker", "--listen", "unix:/nonexistent/worker"});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot listen at unix:/nonexistent/worker"));
  EXPECT_THAT(nowhere.err, Not(HasSubstr("chttp2")));
}

TEST_F(TlsTest, ARunWithTlsWantsTls) {
  const auto worker = start({"worker", "--listen", "127.0.0.1:0"});
  expect_no_connection(kTls, address_ + ": TLS failed: ");
  EXPECT_EQ(run({}).exit_code, 0);
}

TEST_F(TlsTest, WhatTheRunStartsAndSocketsNeedNoTls) {
  const auto worker = std::make_unique<BackgroundProcess>(
      Words{cli_binary(), "worker", "--listen", "unix:" + folder_.file("w")}, folder_.file("worker.log"));
  ASSERT_TRUE(eventually([&] { return worker->log().find("listening at") != std::string::npos; })) << worker->log();
  const Digests expected = digests_of(experiment_, {"router[0]=RTL", "router[1]=RTL", "router[2]=RTL"});
  EXPECT_EQ(
      digests_of(experiment_,
                 {"router[0]=RTL@worker:tcp", "router[1]=RTL@unix:" + folder_.file("w"), "router[2]=BOARD@soft"}, kTls),
      expected);
}

TEST_F(TlsTest, ListeningToANetworkTakesTlsOrItsOpposite) {
  for (const Words& words : {Words{"worker", "--listen", "0.0.0.0:0"}, Words{"worker", "--listen", "[::]:0"},
                             Words{"board", "--window", folder_.file("w"), "--listen", "0.0.0.0:0"}}) {
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("fabrictwin: error: cannot listen at " + words.back() + " without TLS: "));
    EXPECT_THAT(result.err, HasSubstr("--insecure"));
  }
  {
    const auto worker = start(Words{"worker", "--listen", "0.0.0.0:0"} + kTls);
    address_.replace(0, address_.find(':'), "127.0.0.1");
    EXPECT_EQ(run(kTls).exit_code, 0);
  }
  const auto worker = start({"worker", "--listen", "0.0.0.0:0", "--insecure"}, "insecure");
  const CliResult refused = run({"--out", folder_.file("out")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr(address_ + " is no address of this machine alone"));
  const CliResult allowed = run({"--insecure"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
}

TEST_F(TlsTest, PlacesInANetworkAreRefusedBeforeAnythingStarts) {
  const Words place = {"--use", "router[1]=RTL@10.0.0.2:7000"};
  for (const Words& words :
       {Words{"run", file_, "--out", folder_.file("out")}, Words{"run", file_, "--dry-run"},
        Words{"run", file_, "--sweep", "load=0.1,0.2", "--out", folder_.file("out")}, Words{"osu", "latency", file_},
        Words{"describe", file_, "--estimate"}, Words{"validate", file_}}) {
    const CliResult result = run_cli(words + place);
    EXPECT_EQ(result.exit_code, 2) << words[0] << result.err;
    EXPECT_EQ(result.out, "") << words[0];
    EXPECT_THAT(result.err, HasSubstr("--use:1:1: error: 10.0.0.2:7000 is no address of this machine alone"));
    EXPECT_THAT(result.err, HasSubstr("give --tls-cert, --tls-key and --tls-ca, or --insecure"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
  EXPECT_EQ(run_cli(Words{"check", file_} + place).exit_code, 0) << "it connects to nobody";
  EXPECT_EQ(run_cli(Words{"run", file_, "--dry-run"} + place + kTls).exit_code, 0);
  EXPECT_EQ(run_cli(Words{"run", file_, "--dry-run"} + place + Words{"--insecure"}).exit_code, 0);
}

TEST_F(TlsTest, MistakesInTheOptionsExitWithTwo) {
  const Words worker = {"worker", "--listen", "127.0.0.1:0"};
  const Words some = {kTls.begin(), kTls.begin() + 2};
  Words missing = kTls;
  missing[3] = folder_.file("missing.pem");
  const auto expect = [](const Words& words, const std::string& message) {
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("fabrictwin: error: " + message));
  };
  const std::string incast = "workloads/experiments/congestion/incast8.textproto";
  for (const Words& words :
       {worker, Words{"board", "--window", folder_.file("w")}, Words{"run", file_}, Words{"run", file_, "--saturation"},
        Words{"compare", incast, "--schemes", "none"}, Words{"osu", "latency", file_},
        Words{"describe", file_, "--estimate"}, Words{"validate", file_}}) {
    SCOPED_TRACE(words[0]);
    expect(words + some, "--tls-key is missing: ");
    expect(words + kTls + Words{"--insecure"}, "--insecure is for connections without TLS");
    expect(words + missing, "--tls-key: " + missing[3] + ": cannot be read: No such file or directory");
  }
  expect(Words{"worker", "--listen", "unix:" + folder_.file("w")} + kTls, "--tls-cert, --tls-key and --tls-ca are for");
  EXPECT_EQ(run_cli(Words{"board", "--soft", "--window", folder_.file("w")} + kTls).exit_code, 2)
      << "it listens nowhere";
  EXPECT_EQ(run_cli(Words{"describe", file_} + kTls).exit_code, 2) << "it connects to nobody";
  EXPECT_FALSE(std::filesystem::exists(folder_.file("w")));
}

}  // namespace
}  // namespace fabrictwin
