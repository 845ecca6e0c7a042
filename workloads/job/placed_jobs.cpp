// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/placed_jobs.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/nic/reduction.h"
#include "models/nic/tofu_barrier.h"
#include "workloads/mpi/job_layout.h"
#include "workloads/placement/placement.h"

namespace fabrictwin::job {
namespace {

absl::Status at(const experiment::SourceLocation& location, const absl::Status& error) {
  return absl::Status(error.code(), experiment::format_diagnostic(location, message_of(error)));
}

/// Places one job after the other.
class Placer {
 public:
  Placer(const experiment::Experiment& experiment, const system::SystemGraph& graph)
      : experiment_(experiment),
        graph_(graph),
        users_(static_cast<size_t>(graph.host_count())),
        limits_(users_.size(), mpi::JobLayout::kMaxSlots),
        owner_(users_.size(), nullptr) {}

  absl::StatusOr<PlacedJob> place(const JobSpec& job) {
    const absl::StatusOr<placement::Placement> placement =
        placement::Placement::create(job.placement, {experiment_, graph_, users_, number_});
    if (!placement.ok()) return placement.status();
    absl::StatusOr<PlacedJob> placed =
        job.has_own_hosts() ? place_without_ranks(job, *placement) : place_ranks(job, *placement);
    if (placed.ok()) {
      for (const int32_t host : placed->hosts) {
        ++users_[static_cast<size_t>(host)];
        if (owner_[static_cast<size_t>(host)] == nullptr) owner_[static_cast<size_t>(host)] = &job;
      }
      ++number_;
    }
    return placed;
  }

 private:
  absl::StatusOr<PlacedJob> place_ranks(const JobSpec& job, const placement::Placement& placement) {
    PlacedJob placed;
    placed.spec = &job;
    absl::StatusOr<std::unique_ptr<mpi::JobProgram>> program =
        job.kind->make(job.work, experiment_.host, placement.space());
    if (!program.ok()) return at(job.location, program.status());
    placed.program = *std::move(program);
    absl::StatusOr<std::vector<int32_t>> hosts = placement.hosts_of(placed.program->ranks(), placed.program->name());
    if (!hosts.ok()) return hosts.status();
    placed.hosts = *std::move(hosts);
    if (absl::Status status = check_apart(job, placed.hosts); !status.ok()) return status;
    if (absl::Status status = check_space(job, placed.hosts); !status.ok()) return status;
    if (absl::Status status = check_accelerator(job, placed.hosts); !status.ok()) return status;
    return placed;
  }

  absl::StatusOr<PlacedJob> place_without_ranks(const JobSpec& job, const placement::Placement& placement) {
    PlacedJob placed;
    placed.spec = &job;
    const auto space = static_cast<int32_t>(std::min<int64_t>(placement.space(), std::numeric_limits<int32_t>::max()));
    absl::StatusOr<std::vector<int32_t>> hosts = placement.hosts_of(space, job.name);
    if (!hosts.ok()) return hosts.status();
    placed.hosts = *std::move(hosts);
    if (absl::Status status = check_apart(job, placed.hosts); !status.ok()) return status;
    // Two jobs of the same kind have different random flows.
    placed.seed = number_ == 0 ? experiment_.seed : experiment_.seed ^ mix64(static_cast<uint64_t>(number_));
    if (job.traffic) return placed;
    const flows::FlowSite site = {.hosts = space,
                                  .rate = graph_.channel_link(graph_.channel_from(0, 0)).rate.bits_per_second,
                                  .seed = placed.seed,
                                  .transport = experiment_.transport.has_value(),
                                  .endless = job.background,
                                  .location = job.location};
    absl::StatusOr<flows::FlowList> flows = job.flows->list(job.work, site);
    if (!flows.ok()) return flows.status();
    placed.flows = *std::move(flows);
    for (flows::Flow& flow : placed.flows) {
      flow.source = placed.hosts[static_cast<size_t>(flow.source)];
      flow.destination = placed.hosts[static_cast<size_t>(flow.destination)];
    }
    return placed;
  }

  const std::string& name_of(int32_t host) const { return graph_.elements[static_cast<size_t>(host)].name; }

  /// A job without ranks has its hosts for itself.
  absl::Status check_apart(const JobSpec& job, const std::vector<int32_t>& hosts) const {
    for (const int32_t host : hosts) {
      const JobSpec* other = owner_[static_cast<size_t>(host)];
      if (other != nullptr && (job.has_own_hosts() || other->has_own_hosts())) {
        return at(job.placement.location,
                  absl::InvalidArgumentError(fmt::format(
                      "{} is a host of the jobs {} and {}, and a job of {} has hosts of its own; write other hosts",
                      name_of(host), other->name, job.name,
                      (job.has_own_hosts() ? job : *other).traffic ? "traffic" : "flows")));
      }
    }
    return absl::OkStatus();
  }

  /// Jobs with ranks may share a host as far as each of them allows.
  absl::Status check_space(const JobSpec& job, const std::vector<int32_t>& hosts) {
    std::vector<int32_t> ranks = users_;
    for (const int32_t host : hosts) {
      int32_t& limit = limits_[static_cast<size_t>(host)];
      limit = std::min(limit, job.placement.ranks_per_host);
      if (++ranks[static_cast<size_t>(host)] <= limit) continue;
      return at(job.placement.location,
                absl::InvalidArgumentError(fmt::format(
                    "{} would be rank number {} of {}, which may have {} (ranks_per_host, the least of the jobs that "
                    "share it); give the jobs other hosts, or raise ranks_per_host in all of them",
                    job.name, ranks[static_cast<size_t>(host)], name_of(host), limit)));
    }
    return absl::OkStatus();
  }

  /// Each rank of a host has a barrier channel of its TNIs, and hosts serve one job.
  absl::Status check_barrier(const JobSpec& job, const std::vector<int32_t>& hosts) const {
    std::vector<int32_t> ranks(users_.size());
    const int32_t tnis = static_cast<int32_t>(graph_.elements.front().ports.size());
    for (const int32_t host : hosts) {
      const int32_t number = ++ranks[static_cast<size_t>(host)];
      if (users_[static_cast<size_t>(host)] == 0 && number <= tnis * nic::TofuBarrier::kChannels) continue;
      return at(experiment_.allreduce_location,
                absl::InvalidArgumentError(fmt::format(
                    "the barrier interface cannot serve {}: {} {}; place the job on other hosts, or write allreduce: "
                    "SOFTWARE",
                    job.name, name_of(host),
                    users_[static_cast<size_t>(host)] > 0
                        ? "has ranks of another job"
                        : fmt::format("has more ranks than barrier channels, {} on each of {} TNIs",
                                      nic::TofuBarrier::kChannels, tnis))));
    }
    return absl::OkStatus();
  }

  /// Accelerators reduce over whole boards, with one rank on each MPSoC.
  absl::Status check_accelerator(const JobSpec& job, const std::vector<int32_t>& hosts) const {
    if (!experiment_.host.allreduce_accelerator) return absl::OkStatus();
    if (!experiment_.topology_traits.nodes) return check_barrier(job, hosts);
    const auto wrong = [&](const std::string& what) {
      return at(experiment_.allreduce_location,
                absl::InvalidArgumentError(fmt::format(
                    "the Allreduce accelerators cannot serve {}: {}; place the job on whole boards, or write "
                    "allreduce: SOFTWARE",
                    job.name, what)));
    };
    const size_t boards = hosts.size() / nic::kReduceGroup;
    if (hosts.size() % nic::kReduceGroup != 0 || !std::has_single_bit(boards) || hosts.size() > nic::kMaxReduceRanks) {
      return wrong(fmt::format("it has {} ranks, and they reduce over 4, 8, 16, ... up to {}", hosts.size(),
                               nic::kMaxReduceRanks));
    }
    for (size_t rank = 0; rank < hosts.size(); ++rank) {
      const int32_t host = hosts[rank];
      const int32_t expected = hosts[rank - rank % nic::kReduceGroup] + static_cast<int32_t>(rank % nic::kReduceGroup);
      if (host != expected || hosts[rank - rank % nic::kReduceGroup] % nic::kReduceGroup != 0) {
        return wrong(fmt::format("rank {} is on {}, and ranks 4 k to 4 k + 3 must be on F1 to F4 of one board", rank,
                                 name_of(host)));
      }
      if (users_[static_cast<size_t>(host)] > 0 || std::ranges::count(hosts, host) > 1)
        return wrong(fmt::format("{} has another rank", name_of(host)));
    }
    return absl::OkStatus();
  }

  const experiment::Experiment& experiment_;
  const system::SystemGraph& graph_;
  std::vector<int32_t> users_;         ///< By host: ranks, or one for a job without them.
  std::vector<int32_t> limits_;        ///< By host: the most ranks that it may have.
  std::vector<const JobSpec*> owner_;  ///< By host: its first job, or null.
  int32_t number_ = 0;                 ///< Of the next job.
};

}  // namespace

absl::StatusOr<std::vector<PlacedJob>> place_jobs(const JobsSpec& spec, const experiment::Experiment& experiment,
                                                  const system::SystemGraph& graph) {
  Placer placer(experiment, graph);
  std::vector<PlacedJob> placed;
  for (const JobSpec& job : spec.jobs) {
    absl::StatusOr<PlacedJob> one = placer.place(job);
    if (!one.ok()) return one.status();
    placed.push_back(*std::move(one));
  }
  return placed;
}

}  // namespace fabrictwin::job
