// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A run and its workers, or the ranks of an MPI job, on two hosts of a network: namespaces of network and host name
// that a cable of veth joins. Where the kernel has netem, the cable delays and loses packets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/integration/mpi_launchers.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A host with a network and a name of its own for as long as this lives.
class Host {
 public:
  Host(const std::string& name, const std::string& address, const std::string& log)
      : address_(address),
        holder_({"unshare", "--net", "--uts", "sh", "-c", "hostname " + name + "; echo $$ >&2; exec sleep 900"}, log) {
    eventually([this] { return holder_.log().find('\n') != std::string::npos; });
    pid_ = holder_.log().substr(0, holder_.log().find('\n'));
  }

  const std::string& address() const { return address_; }
  const std::string& pid() const { return pid_; }
  /// The words of a command that runs at this host.
  Words here(const Words& words) const { return Words{"nsenter", "--net", "--uts", "--target", pid_} + words; }
  /// Runs such a command, which is an administrator's.
  void administer(const Words& words) const {
    const CliResult result = run_process(here(words));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

 private:
  std::string address_;
  BackgroundProcess holder_;
  std::string pid_;
};

class TwoHostsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run_process({"unshare", "--net", "--uts", "true"}).exit_code != 0)
      GTEST_SKIP() << "this takes the right to make network namespaces";
    first_.emplace("first", "10.99.0.1", folder_.file("first.log"));
    second_.emplace("second", "10.99.0.2", folder_.file("second.log"));
    first_->administer(
        {"ip", "link", "add", "name", "cable", "type", "veth", "peer", "name", "cable", "netns", second_->pid()});
    for (const Host* host : {&*first_, &*second_}) {
      host->administer({"ip", "address", "add", host->address() + "/24", "dev", "cable"});
      host->administer({"ip", "link", "set", "dev", "cable", "up"});
      host->administer({"ip", "link", "set", "dev", "lo", "up"});
      const CliResult netem = run_process(
          host->here({"tc", "qdisc", "add", "dev", "cable", "root", "netem", "delay", "1ms", "200us", "loss", "1%"}));
      if (netem.exit_code != 0) std::cerr << "without delay and loss: " << netem.err;
    }
    make_certificate();
  }

  /// One that both hosts show and trust.
  void make_certificate() {
    const CliResult made = run_process(
        {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
         folder_.file("key.pem"), "-out", folder_.file("cert.pem"), "-days", "2", "-subj", "/CN=hosts of a test",
         "-addext", "subjectAltName=IP:" + first_->address() + ",IP:" + second_->address()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  Words tls() const {
    return {"--tls-cert", folder_.file("cert.pem"), "--tls-key", folder_.file("key.pem"),
            "--tls-ca",   folder_.file("cert.pem")};
  }

  /// Starts a worker at the second host and waits until it listens; its address.
  std::string start_worker(const Words& options) {
    const std::string log = folder_.file("worker" + std::to_string(workers_.size()) + ".log");
    workers_.push_back(std::make_unique<BackgroundProcess>(
        second_->here(Words{cli_binary(), "worker", "--listen", second_->address() + ":0"} + options), log));
    std::smatch found;
    std::string text;
    EXPECT_TRUE(eventually([&] {
      text = workers_.back()->log();
      return std::regex_search(text, found, std::regex("listening at ([0-9.:]+)"));
    })) << text;
    return found[1].str();
  }
  CliResult run_at_first(const Words& options) const {
    return run_process(first_->here(Words{cli_binary(), "run", "--json", "--quiet"} + options));
  }

  /// A program that starts a command at a host, as ssh does: PROGRAM [OPTION]... ADDRESS COMMAND...
  std::string make_shell() const {
    const std::string file = folder_.write(
        "shell", "#!/bin/sh\nwhile case $1 in -*) ;; *) false ;; esac; do shift; done\ncase $1 in\n" +
                     first_->address() + ") host=" + first_->pid() + " ;;\n" + second_->address() +
                     ") host=" + second_->pid() +
                     " ;;\n*) exit 1 ;;\nesac\nshift\nexec nsenter --net --uts --target $host sh -c \"$*\"\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
  /// `fabrictwin run` as a job of MPI with two ranks at the first host and one at the second.
  CliResult run_at_both(const std::string& mpirun, const Words& options) const {
    const std::string there = second_->address() + ":1";
    const std::string here = first_->address() + ":2";
    const Words how =
        mpirun.find("mpich") != std::string::npos
            ? Words{mpirun, "-hosts", here + "," + there, "-launcher", "ssh", "-launcher-exec", make_shell()}
            : Words{mpirun, "--host", here + "," + there, "--mca", "plm_rsh_agent", make_shell()};
    return run_process(first_->here(how + Words{"-n", "3", cli_binary(), "run", "--json", "--quiet"} + options),
                       mpi_environment());
  }

  const TestFolder folder_;
  const std::string words_ = folder_.write(
      "words.textproto",
      "topology { torus { dims: 2 dims: 2 } }\nworkload { traffic { load: 0.3 duration: \"2us\" } }\nseed: 3\n");
  std::optional<Host> first_;
  std::optional<Host> second_;
  std::vector<std::unique_ptr<BackgroundProcess>> workers_;
};

TEST_F(TwoHostsTest, HaveTheResultOfOne) {
  const std::string address = start_worker(tls());
  const CliResult routers = run_at_first(Words{words_, "--use", "router[1]=RTL@" + address} + tls());
  ASSERT_EQ(routers.exit_code, 0) << routers.err;
  EXPECT_EQ(digests_in(routers.out), digests_of({words_}, {}));
  // Packets and ranks at both.
  const Words ranks = {folder_.write("packets.textproto",
                                     "topology { torus { dims: 2 dims: 2 dims: 2 } }\nrouter { model: PACKET }\n"
                                     "workload { exchange { bytes: \"3000B\" allreduce: \"8B\" } }\n")};
  const CliResult hosts = run_at_first(ranks + Words{"--use", "router[0..3]=MODEL@" + address} + tls());
  ASSERT_EQ(hosts.exit_code, 0) << hosts.err;
  EXPECT_EQ(digests_in(hosts.out), digests_of(ranks, {}));
}

// Two ranks share memory, and the third one is reached by messages.
TEST_F(TwoHostsTest, CanShareAJobOfMpi) {
  const Words launchers = mpi_launchers();
  if (launchers.empty()) GTEST_SKIP() << "the program was built without MPI";
  const Words packets = {"workloads/experiments/all-model.textproto",
                         "--set",
                         "router.model=PACKET",
                         "--set",
                         "workload.skeleton.ranks=8",
                         "--set",
                         "workload.skeleton.minife.global=8x8x8",
                         "--set",
                         "workload.skeleton.minife.iterations=2"};
  const Digests alone = digests_of(packets, {});
  ASSERT_GT(alone.packets, 100u);
  for (const std::string& mpirun : launchers) {
    const CliResult result = run_at_both(mpirun, packets + Words{"--split", "3"});
    ASSERT_EQ(result.exit_code, 0) << mpirun << ": " << result.err;
    EXPECT_EQ(digests_in(result.out), alone) << mpirun;
  }
}

TEST_F(TwoHostsTest, DoNotTalkInTheClear) {
  const std::string address = start_worker(tls());
  const Words use = {words_, "--use", "router[1]=RTL@" + address};
  const CliResult refused = run_at_first(use);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr(address + " is no address of this machine alone"));
  const CliResult clear = run_at_first(use + Words{"--insecure"});
  EXPECT_EQ(clear.exit_code, 1);
  EXPECT_THAT(clear.err, HasSubstr("if it has TLS, give --tls-cert, --tls-key and --tls-ca"));
  const std::string insecure = start_worker({"--insecure"});
  EXPECT_EQ(run_at_first({words_, "--use", "router[1]=RTL@" + insecure, "--insecure"}).exit_code, 0);
}

// The other host is switched off in the middle of a run without end.
TEST_F(TwoHostsTest, ALostHostEndsTheRunWithItsName) {
  const std::string address = start_worker(tls());
  const std::string report = folder_.file("report.json");
  BackgroundProcess run(first_->here(Words{cli_binary(), "run", words_, "--json", "--set",
                                           "workload.traffic.duration=1s", "--use", "router[1]=RTL@" + address} +
                                     tls()),
                        folder_.file("run.log"), report);
  ASSERT_TRUE(eventually([&] { return run.log().find("simulated") != std::string::npos; })) << run.log();
  workers_.back()->send(9);
  EXPECT_EQ(run.wait(), 1);
  EXPECT_THAT(run.log(), AllOf(HasSubstr(address), HasSubstr("at simulated")));
  EXPECT_THAT(read_file(report), HasSubstr("\"complete\":false"));
}

}  // namespace
}  // namespace fabrictwin
