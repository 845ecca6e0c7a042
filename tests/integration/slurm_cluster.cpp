// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/slurm_cluster.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/integration/cli_process.h"

namespace fabrictwin {
namespace {

/// A port that nobody uses now.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(socket);
  return bound ? ntohs(address.sin_port) : 0;
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  const std::string whole = name.data();
  return whole.substr(0, whole.find('.'));
}

std::string user_name() {
  const passwd* user = getpwuid(geteuid());
  return user == nullptr ? "root" : user->pw_name;
}

/// The configuration of a cluster that is one node, this machine, and needs no rights but those of this user.
std::string configuration(const std::string& folder) {
  return fmt::format(
      "ClusterName=test\n"
      "SlurmctldHost={host}(127.0.0.1)\n"
      "SlurmctldPort={controller_port}\n"
      "SlurmdPort={node_port}\n"
      "SlurmUser={user}\n"
      "SlurmdUser={user}\n"
      "AuthType=auth/munge\n"
      "CredType=cred/munge\n"
      "AuthInfo=socket={folder}/munge.socket\n"
      "StateSaveLocation={folder}/state\n"
      "SlurmdSpoolDir={folder}/spool\n"
      "SlurmctldPidFile={folder}/slurmctld.pid\n"
      "SlurmdPidFile={folder}/slurmd.pid\n"
      "SlurmctldLogFile={folder}/slurmctld.log\n"
      "SlurmdLogFile={folder}/slurmd.log\n"
      "ProctrackType=proctrack/linuxproc\n"
      "TaskPlugin=task/none\n"
      "MpiDefault=none\n"
      "SelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_CPU\n"
      "ReturnToService=2\n"
      "JobAcctGatherType=jobacct_gather/none\n"
      "AccountingStorageType=accounting_storage/none\n"
      // Nobody is waited for longer than this machine takes.
      "SchedulerParameters=sched_interval=1,batch_sched_delay=0\n"
      "NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN\n"
      "PartitionName=debug Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
      fmt::arg("host", host_name()), fmt::arg("user", user_name()), fmt::arg("folder", folder),
      fmt::arg("controller_port", free_port()), fmt::arg("node_port", free_port()),
      fmt::arg("cores", std::max(1U, std::thread::hardware_concurrency())));
}

}  // namespace

SlurmCluster::SlurmCluster(const TestFolder& folder) : folder_(folder) {
  for (const char* program : {"munged", "slurmctld", "slurmd"}) {
    if (run_process({"sh", "-c", std::string("command -v ") + program}).exit_code == 0) continue;
    trouble_ = std::string("there is no ") + program + "; scripts/setup long installs it";
    return;
  }
  start_munge();
  if (trouble_.empty()) start_slurm();
}

SlurmCluster::~SlurmCluster() {
  // What goes on would keep the node from ending.
  if (node_.has_value()) run_process({"scancel", "--me"});
  node_.reset();
  controller_.reset();
  munged_.reset();
  unsetenv("SLURM_CONF");
}

void SlurmCluster::start_munge() {
  const std::string key = folder_.write("munge.key", std::string(1024, 'k'));
  chmod(key.c_str(), 0600);
  // Whoever authenticates has to be able to enter the folder.
  chmod(folder_.path().c_str(), 0755);
  munged_.emplace(
      std::vector<std::string>{"munged", "--foreground", "--force", "--key-file=" + key,
                               "--socket=" + folder_.file("munge.socket"), "--pid-file=" + folder_.file("munged.pid"),
                               "--seed-file=" + folder_.file("munged.seed")},
      folder_.file("munged.log"));
  if (!eventually([this] { return std::filesystem::exists(folder_.file("munge.socket")); }))
    trouble_ = "munged does not answer: " + logs();
}

void SlurmCluster::start_slurm() {
  const std::string file = folder_.write("slurm.conf", configuration(folder_.path().string()));
  std::filesystem::create_directories(folder_.file("state"));
  std::filesystem::create_directories(folder_.file("spool"));
  setenv("SLURM_CONF", file.c_str(), 1);
  controller_.emplace(std::vector<std::string>{"slurmctld", "-D", "-c", "-f", file}, folder_.file("slurmctld.err"));
  node_.emplace(std::vector<std::string>{"slurmd", "-D", "-c", "-f", file}, folder_.file("slurmd.err"));
  if (!eventually([] { return run_process({"sinfo", "--noheader", "--format=%T"}).out == "idle\n"; }))
    trouble_ = "the node does not become idle: " + logs();
}

std::string SlurmCluster::logs() const {
  std::string text;
  for (const char* name : {"munged.log", "slurmctld.err", "slurmctld.log", "slurmd.err", "slurmd.log"}) {
    const std::string log = read_file(folder_.file(name));
    text += fmt::format("\n{}: {}", name, log.substr(log.size() - std::min<size_t>(log.size(), 1000)));
  }
  return text;
}

}  // namespace fabrictwin
