// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/memory_need.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/source_text.h"
#include "models/network/topology.h"

namespace fabrictwin::cli::support {
namespace {

/// Bytes of the graph for a node: names, links and indexes. 1800 were measured for a host and a router during the
/// build.
constexpr double kGraphBytes = 2048;

/// Bytes of what a system is made of.
struct NodeBytes {
  double host = 0;    ///< With its queues and statistics, in input-queued and packet networks.
  double router = 0;  ///< Of six links, in such networks.
  double module = 0;  ///< A router, its host and their interface as SystemC modules.
};

/// What they take at least, whatever they are like.
constexpr NodeBytes kLeast{.host = 3000, .router = 6000, .module = 24000};
/// What was measured.
constexpr NodeBytes kMeasured{.host = 3200, .router = 8700, .module = 50000};

/// What the last run that was checked is expected to take.
std::atomic<double> last_expected{0};
constexpr double kGiB = 1 << 30;

/// Where control groups of both versions are mounted, and what has the limit of one.
struct GroupFiles {
  std::string_view mount;
  std::string_view limit;
};
constexpr GroupFiles kUnified{"/sys/fs/cgroup", "/memory.max"};
constexpr GroupFiles kMemoryAlone{"/sys/fs/cgroup/memory", "/memory.limit_in_bytes"};

/// The files with the limits of a control group and of all that it is in, up to the root that this process sees.
void add_limits(const GroupFiles& files, std::string_view group, std::vector<std::string>& names) {
  while (true) {
    while (group.ends_with('/')) group.remove_suffix(1);
    names.push_back(fmt::format("{}{}{}", files.mount, group, files.limit));
    if (group.empty()) return;
    group = group.substr(0, group.rfind('/') + 1);
  }
}

/// The files that may have limits for this process. A container may see its own group as the root and say another name
/// in /proc/self/cgroup, and the root is always one of them.
std::vector<std::string> group_limits(const std::string& root) {
  std::vector<std::string> names;
  std::ifstream groups(root + "/proc/self/cgroup");
  // "0::/user.slice" of version 2, "4:memory:/user.slice" of version 1.
  for (std::string line; std::getline(groups, line);) {
    const size_t controllers = line.find(':');
    const size_t group = line.find(':', controllers + 1);
    if (controllers == std::string::npos || group == std::string::npos) continue;
    const std::string_view kinds(line.data() + controllers + 1, group - controllers - 1);
    const std::string_view path = std::string_view(line).substr(group + 1);
    if (kinds.empty()) add_limits(kUnified, path, names);
    if (std::ranges::count(split(kinds, ","), "memory") > 0) add_limits(kMemoryAlone, path, names);
  }
  add_limits(kUnified, "", names);
  add_limits(kMemoryAlone, "", names);
  return names;
}

/// The most processes of this machine that rules may give parts to, that of the run included. Nothing, if parts may be
/// on other machines.
std::optional<int32_t> processes_here(const experiment::Experiment& experiment) {
  int32_t processes = 1;
  for (const experiment::UseSpec& use : experiment.uses) {
    if (use.place == "inproc") continue;
    // A board holds one element.
    if (!use.place.starts_with("worker:") && use.implementation != v1::BOARD) return std::nullopt;
    ++processes;
  }
  return processes;
}

/// The memory of a run, or of the process that needs most, where nodes take so many bytes.
double memory_of_run(const experiment::Experiment& experiment, const NodeBytes& bytes, int32_t split) {
  const double nodes = network::topology_nodes(experiment);
  const double graph = nodes * kGraphBytes;
  const std::optional<int32_t> processes = processes_here(experiment);
  if (!processes.has_value()) return graph;
  // Packets and flits are the least that nodes can be, and rules may make all of them so.
  const bool words = experiment.capabilities.of(experiment.router.model).content == link::LinkType::Content::kWords;
  const double sharing = network::hosts_per_router(experiment);
  const double node =
      words && experiment.uses.empty() ? bytes.module : bytes.host + (sharing > 0 ? bytes.router / sharing : 0);
  return std::max(graph, nodes * node / std::max(*processes, split));
}

}  // namespace

MemoryLimit memory_limit(const std::string& root) {
  MemoryLimit least{static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE)),
                    "this machine has"};
  const auto consider = [&](double bytes, std::string_view whose) {
    if (bytes < least.bytes) least = {bytes, std::string(whose)};
  };
  for (const std::string& file : group_limits(root)) {
    std::string text;
    double bytes = 0;
    // Without a limit, the file contains "max" or a number beyond all memory.
    if (std::ifstream(root + file) >> text && parse_number(text, bytes)) consider(bytes, "its control group has");
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    consider(static_cast<double>(limit.rlim_cur), "this process may have (ulimit -v)");
  return least;
}

double least_memory(const experiment::Experiment& experiment, MemoryUse use, int32_t split) {
  if (use == MemoryUse::kRun) return memory_of_run(experiment, kLeast, split);
  return network::topology_nodes(experiment) * kGraphBytes;
}

double expected_memory(const experiment::Experiment& experiment, int32_t split) {
  return memory_of_run(experiment, kMeasured, split);
}

std::string memory_used_up() {
  std::string text = "memory is used up";
  const double expected = last_expected.load();
  const MemoryLimit limit = memory_limit();
  if (expected > 0) {
    text += fmt::format(": a run of this size takes about {:.2f} GiB, or more with much traffic, and {} {:.2f}",
                        expected / kGiB, limit.whose, limit.bytes / kGiB);
  }
  return text + "; make the system smaller, run fewer things beside it, or run it where there is more";
}

absl::Status check_memory(const experiment::Experiment& experiment, MemoryUse use, const MemoryLimit& limit,
                          int32_t split) {
  const double need = least_memory(experiment, use, split);
  const double nodes = network::topology_nodes(experiment);
  std::string takes = fmt::format("a system of {:.0f} nodes takes more than {:.1f} GiB of memory", nodes, need / kGiB);
  if (use == MemoryUse::kRun) {
    const double expected = expected_memory(experiment, split);
    last_expected.store(expected);
    takes = fmt::format("a run of {:.0f} nodes takes about {:.1f} GiB of memory, more than {:.1f} GiB", nodes,
                        expected / kGiB, need / kGiB);
  }
  if (need <= limit.bytes) return absl::OkStatus();
  return absl::InvalidArgumentError(experiment::format_diagnostic(
      experiment.topology_location,
      fmt::format("{}, and {} {:.1f}; make it smaller, or {} it where there is more", takes, limit.whose,
                  limit.bytes / kGiB, use == MemoryUse::kPlan ? "build" : "run")));
}

}  // namespace fabrictwin::cli::support
