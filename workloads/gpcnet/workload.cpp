// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gpcnet/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "cosim/base/random.h"
#include "cosim/base/text.h"
#include "workloads/gpcnet/congestor.h"

namespace fabrictwin::gpcnet {
namespace {

/// Roles that need two hosts each, as the tool has it.
constexpr int32_t kLeastVictims = 2;
constexpr int32_t kLeastCongestors = 2 * static_cast<int32_t>(kCongestors);

/// Ranks that do what a function makes.
class MadeRanks final : public mpi::JobKind {
 public:
  using Make = std::function<std::unique_ptr<mpi::JobProgram>()>;
  explicit MadeRanks(Make make) : make_(std::move(make)) {}

  v1::Workload::KindCase workload() const override { return v1::Workload::kGpcnet; }
  v1::Job::KindCase job() const override { return v1::Job::KIND_NOT_SET; }
  std::any check(google::protobuf::Message& /*message*/, const experiment::FileChecker& /*files*/,
                 const experiment::MessageReader& /*reader*/) const override {
    return {};
  }
  std::string text(const std::any& /*spec*/, const experiment::HostSpec& /*host*/) const override { return {}; }
  absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make(const std::any& /*spec*/, const experiment::HostSpec& /*host*/,
                                                        int64_t /*space*/) const override {
    return make_();
  }

 private:
  Make make_;
};

/// Flows between the first host and each other one: to it, or from it.
class StarFlows final : public flows::FlowKind {
 public:
  StarFlows(const GpcnetSpec& spec, bool inwards) : spec_(spec), inwards_(inwards) {}

  v1::Workload::KindCase kind() const override { return v1::Workload::kGpcnet; }
  v1::Job::KindCase job() const override { return v1::Job::KIND_NOT_SET; }
  std::any check_flows(google::protobuf::Message& /*message*/, const experiment::FileChecker& /*files*/,
                       const experiment::MessageReader& /*reader*/) const override {
    return {};
  }
  std::string flows_text(const std::any& /*spec*/) const override { return {}; }
  absl::StatusOr<flows::FlowList> list(const std::any& /*spec*/, const flows::FlowSite& site) const override {
    flows::FlowList flows;
    for (int32_t slice = 0; slice < spec_.ranks_per_host; ++slice) {
      for (int32_t host = 1; host < site.hosts; ++host) {
        flows::Flow flow;
        flow.source = inwards_ ? host : 0;
        flow.destination = inwards_ ? 0 : host;
        flow.bytes = static_cast<uint64_t>(spec_.congestor_bytes.count);
        flows.push_back(flow);
      }
    }
    return flows;
  }

 private:
  GpcnetSpec spec_;
  bool inwards_;
};

/// On these hosts, one rank of each slice on each.
placement::PlacementSpec placed_on(const std::vector<int32_t>& hosts, int32_t ranks_per_host,
                                   const experiment::SourceLocation& location) {
  placement::PlacementSpec spec;
  spec.kind = v1::Placement::ROUND_ROBIN;
  spec.ranks_per_host = ranks_per_host;
  for (const int32_t host : hosts) spec.hosts.emplace_back(host, host);
  spec.location = spec.kind_location = spec.ranks_per_host_location = location;
  return spec;
}

}  // namespace

absl::StatusOr<Roles> random_roles(const GpcnetSpec& spec, int32_t hosts, uint64_t seed) {
  const auto congestors = static_cast<int32_t>(std::floor(spec.congestors * hosts));
  const int32_t victims = hosts - congestors;
  if (victims < kLeastVictims || congestors < kLeastCongestors) {
    return absl::InvalidArgumentError(fmt::format(
        "of {} hosts, {} are victims and {} congestors, and there must be at least {} and {}; write a larger topology, "
        "or another share of congestors",
        hosts, victims, congestors, kLeastVictims, kLeastCongestors));
  }
  std::vector<int32_t> order(static_cast<size_t>(hosts));
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(seed, 0, RandomPurpose::kPlacement);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next_below(i)]);
  Roles roles;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool congestor = i < static_cast<size_t>(congestors);
    (congestor ? roles.congestors[i % kCongestors] : roles.victims).push_back(order[i]);
  }
  return roles;
}

absl::StatusOr<std::unique_ptr<Workload>> Workload::create(const GpcnetSpec& spec,
                                                           const experiment::Experiment& experiment,
                                                           const system::SystemGraph& graph) {
  const auto at_workload = [&](const absl::Status& error) {
    return absl::Status(error.code(), experiment::format_diagnostic(experiment.workload_location, message_of(error)));
  };
  absl::StatusOr<Roles> roles = random_roles(spec, graph.host_count(), experiment.seed);
  if (!roles.ok()) return at_workload(roles.status());
  std::unique_ptr<Workload> workload(new Workload(spec));
  workload->roles_ = *std::move(roles);
  absl::StatusOr<std::unique_ptr<job::JobsWorkload>> jobs =
      job::JobsWorkload::create(workload->make_jobs(workload->roles_, experiment), experiment, graph);
  if (!jobs.ok()) return jobs.status();
  workload->jobs_ = *std::move(jobs);
  return workload;
}

job::JobsSpec Workload::make_jobs(const Roles& roles, const experiment::Experiment& experiment) {
  job::JobsSpec jobs;
  const auto add = [&](const char* name, const std::vector<int32_t>& hosts, bool flows) -> job::JobSpec& {
    job::JobSpec& job = jobs.jobs.emplace_back();
    job.name = name;
    job.background = jobs.jobs.size() > 1;
    job.location = experiment.workload_location;
    job.placement = placed_on(hosts, flows ? 1 : spec_.ranks_per_host, experiment.workload_location);
    return job;
  };
  const auto add_ranks = [&](const char* name, const std::vector<int32_t>& hosts, MadeRanks::Make make) {
    kinds_.push_back(std::make_unique<MadeRanks>(std::move(make)));
    add(name, hosts, false).kind = kinds_.back().get();
  };
  const auto add_flows = [&](const char* name, const std::vector<int32_t>& hosts, bool inwards) {
    flow_kinds_.push_back(std::make_unique<StarFlows>(spec_, inwards));
    add(name, hosts, true).flows = flow_kinds_.back().get();
  };
  const auto count = [](const std::vector<int32_t>& hosts) { return static_cast<int32_t>(hosts.size()); };
  add_ranks("victims", roles.victims, [this, hosts = count(roles.victims), seed = experiment.seed] {
    auto victims = std::make_unique<VictimProgram>(spec_, hosts, seed);
    victims_ = victims.get();
    return victims;
  });
  if (spec_.isolated) return jobs;
  add_ranks("alltoall", roles.congestors[0],
            [this, hosts = count(roles.congestors[0])] { return make_alltoall(spec_, hosts); });
  add_ranks("incast", roles.congestors[1],
            [this, hosts = count(roles.congestors[1])] { return make_incast(spec_, hosts); });
  add_flows("put-incast", roles.congestors[2], true);
  add_flows("get-broadcast", roles.congestors[3], false);
  return jobs;
}

void Workload::report(v1::Report& report) const {
  jobs_->report(report);
  report_rows(report);
}

void Workload::report_parts(v1::Report& report) const {
  jobs_->report_parts(report);
  report_rows(report);
}

void Workload::report_rows(v1::Report& report) const {
  v1::GpcnetReport& gpcnet = *report.mutable_gpcnet();
  int32_t congestors = 0;
  for (const std::vector<int32_t>& hosts : roles_.congestors) congestors += static_cast<int32_t>(hosts.size());
  const auto victims = static_cast<int32_t>(roles_.victims.size());
  gpcnet.set_hosts(victims + congestors);
  gpcnet.set_ranks((victims + congestors) * spec_.ranks_per_host);
  gpcnet.set_victim_hosts(victims);
  gpcnet.set_congestor_hosts(congestors);
  for (v1::GpcnetRow& row : rows_of(spec_, victims_->samples())) *gpcnet.add_rows() = std::move(row);
}

}  // namespace fabrictwin::gpcnet
