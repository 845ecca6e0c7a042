// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/osu_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/file.h"
#include "cosim/experiment/source_text.h"
#include "cosim/system/element_pattern.h"
#include "cosim/system/plan.h"
#include "cosim/system/system_graph.h"
#include "workloads/job/spec.h"
#include "workloads/job/trace.h"
#include "workloads/osu/benchmark.h"
#include "workloads/placement/check.h"
#include "workloads/placement/placement.h"

namespace fabrictwin::study {
namespace {

absl::Status wrong(std::string_view option, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", option, what));
}

absl::StatusOr<std::vector<Bytes>> parse_sizes(const std::string& texts) {
  std::vector<Bytes> sizes;
  for (const std::string_view text : split(texts, ",")) {
    const absl::StatusOr<Bytes> size = osu::parse_size(text);
    if (!size.ok()) return wrong("--sizes", message_of(size.status()));
    sizes.push_back(*size);
  }
  return sizes;
}

/// A field of v1::Osu that only other benchmarks have, and why.
struct Foreign {
  std::string_view field;
  std::string why;
};

std::vector<Foreign> foreign_to(const osu::Benchmark& benchmark) {
  std::vector<Foreign> foreign;
  if (!benchmark.sizes)
    foreign.push_back({"sizes", fmt::format("{} has no message sizes; leave them out", benchmark.name)});
  if (benchmark.measure != osu::Benchmark::Measure::kBandwidth && benchmark.measure != osu::Benchmark::Measure::kRate) {
    foreign.push_back({"window", fmt::format("{} has no window; it is for bw, bibw and mbw_mr", benchmark.name)});
  }
  return foreign;
}

absl::Status check_options(const OsuRequest& request, const osu::Benchmark& benchmark) {
  for (const Foreign& foreign : foreign_to(benchmark)) {
    if (foreign.field == "sizes" ? request.sizes.has_value() : request.window.has_value())
      return wrong(fmt::format("--{}", foreign.field), foreign.why);
  }
  return absl::OkStatus();
}

/// Refuses --set values of a workload that does not run, of fields that `benchmark` does not have, or that `settings`
/// or --place replace, because they would be ignored silently.
absl::Status check_sets(const OsuRequest& request, const osu::Benchmark& benchmark,
                        const std::vector<experiment::FieldSetting>& settings) {
  for (const std::string& set : request.experiment.overrides.sets) {
    const std::string_view path = std::string_view(set).substr(0, set.find('='));
    const auto refuse = [&](std::string_view what) {
      return absl::InvalidArgumentError(
          experiment::format_diagnostic(experiment::SourceText("--set", set).location(0), what));
    };
    const bool placement = path.starts_with("workload.placement.");
    if (path.starts_with("workload.") && !path.starts_with("workload.osu.") && !placement) {
      return refuse(
          "the benchmark runs instead of the workload of the experiment, so this changes nothing; "
          "leave it out (host.eager_limit says how long messages are sent eagerly)");
    }
    for (const Foreign& foreign : foreign_to(benchmark)) {
      if (path == fmt::format("workload.osu.{}", foreign.field)) return refuse(foreign.why);
    }
    for (const experiment::FieldSetting& setting : settings) {
      if (setting.path == path)
        return refuse(fmt::format("{} says it, so this changes nothing; leave it out", setting.option));
    }
    if (!request.hosts.empty() && (placement || path == "workload.osu.ranks")) {
      return refuse(
          "--place says where ranks run, so this changes nothing; leave it out (--ranks and "
          "--ranks-per-host say how many there are)");
    }
  }
  return absl::OkStatus();
}

/// The eager limit of the traces of the experiment's own workload, where hosts have `of_hosts`; nullopt if no trace has
/// one or if they differ. As no --set of that workload passes check_sets(), the limits are all in the file; other
/// mistakes of a workload that does not run do not matter. InvalidArgument for an invalid limit, NotFound for a file
/// that cannot be read again.
absl::StatusOr<std::optional<Bytes>> eager_limit_of_workload(const std::string& file, Bytes of_hosts) {
  const absl::StatusOr<experiment::ExperimentFile> written = experiment::ExperimentFile::read(file);
  if (!written.ok()) return written.status();
  experiment::DiagnosticList diagnostics(file);
  experiment::FieldChecker fields(written->locations(), diagnostics);
  const v1::Workload& workload = written->message().workload();
  std::vector<Bytes> limits;
  bool said = false;
  const auto add = [&](const std::string& path, const v1::MpiTrace& trace) {
    said = said || !trace.eager_limit().empty();
    limits.push_back(fields
                         .quantity<Bytes>(path + ".mpi_trace.eager_limit", trace.eager_limit(),
                                          fmt::format("{}B", of_hosts.count), parse_bytes)
                         .value_or(of_hosts));
  };
  if (workload.has_mpi_trace()) add("workload", workload.mpi_trace());
  for (int i = 0; i < workload.jobs().job_size(); ++i) {
    const v1::Job& job = workload.jobs().job(i);
    if (job.has_mpi_trace()) add(fmt::format("workload.jobs.job[{}]", i), job.mpi_trace());
  }
  if (!diagnostics.empty()) return diagnostics.status();
  if (!said) return std::nullopt;
  if (std::any_of(limits.begin(), limits.end(), [&](Bytes limit) { return limit != limits.front(); })) {
    spdlog::warn("the jobs of {} have different eager limits; the benchmark has that of its hosts, {}", file,
                 to_string(of_hosts));
    return std::nullopt;
  }
  return limits.front();
}

/// The hosts that the parts of `names` select, part by part, ascending within each part. InvalidArgument for parts that
/// select nothing or elements that are not hosts.
absl::StatusOr<std::vector<int32_t>> select_hosts(const system::SystemGraph& graph, const std::string& names) {
  std::vector<int32_t> hosts;
  const std::optional<std::vector<std::string>> parts = system::selector_parts(names);
  if (!parts.has_value()) return system::select_elements(graph, names).status();
  for (const std::string& part : *parts) {
    const absl::StatusOr<std::vector<system::ElementId>> selected = system::select_elements(graph, part);
    if (!selected.ok()) return selected.status();
    for (const system::ElementId id : *selected) {
      const system::Element& element = graph.elements[static_cast<size_t>(id)];
      if (element.kind != system::ElementKind::kHost) {
        return absl::InvalidArgumentError(
            fmt::format("{} is no host, and ranks run on hosts; name some of {}[0..{}]", element.name,
                        graph.elements[0].name.substr(0, graph.elements[0].name.find('[')), graph.host_count() - 1));
      }
      hosts.push_back(element.node);
    }
  }
  return hosts;
}

/// The hosts that are named, and the number of ranks of each.
struct NamedHosts {
  std::vector<int32_t> hosts;
  int32_t ranks_per_host = 1;
  bool turns = false;  ///< True if ranks are assigned to the hosts in turns, false if in blocks.
};

/// Reads the hosts. A host that is named twice has two ranks, in blocks (a,a,b,b) or in turns (a,b,a,b), which
/// placements can express.
absl::StatusOr<NamedHosts> named_hosts(const OsuRequest& request, const system::SystemGraph& graph) {
  NamedHosts assigned;
  const absl::StatusOr<std::vector<int32_t>> named = select_hosts(graph, request.hosts);
  if (!named.ok()) return wrong("--place", message_of(named.status()));
  for (const int32_t host : *named) {
    if (std::find(assigned.hosts.begin(), assigned.hosts.end(), host) == assigned.hosts.end())
      assigned.hosts.push_back(host);
  }
  assigned.ranks_per_host = request.ranks_per_host.value_or(1);
  if (assigned.hosts.size() == named->size()) return assigned;
  if (request.ranks_per_host.has_value()) {
    return wrong("--place", fmt::format("\"{}\" names a host twice, and --ranks-per-host says how many ranks each has; "
                                        "name each once, or leave --ranks-per-host out",
                                        request.hosts));
  }
  const size_t each = named->size() / assigned.hosts.size();
  bool blocks = named->size() % assigned.hosts.size() == 0;
  assigned.turns = blocks;
  for (size_t rank = 0; rank < named->size() && (blocks || assigned.turns); ++rank) {
    blocks = blocks && (*named)[rank] == assigned.hosts[rank / each];
    assigned.turns = assigned.turns && (*named)[rank] == assigned.hosts[rank % assigned.hosts.size()];
  }
  if (!blocks && !assigned.turns) {
    return wrong("--place", fmt::format("\"{}\" names a host twice, but neither all equally often in blocks (a,a,b,b) "
                                        "nor in turns (a,b,a,b); do so, or write a placement of kind FROM_FILE into "
                                        "the experiment",
                                        request.hosts));
  }
  assigned.ranks_per_host = static_cast<int32_t>(each);
  return assigned;
}

/// The number of ranks that run on these hosts.
absl::StatusOr<int32_t> ranks_of(const OsuRequest& request, const osu::Benchmark& benchmark,
                                 const NamedHosts& assigned) {
  const int64_t space = static_cast<int64_t>(assigned.hosts.size()) * assigned.ranks_per_host;
  const int64_t ranks = request.ranks.value_or(static_cast<int32_t>(benchmark.two_ranks ? 2 : space));
  const std::string hosts = fmt::format("{} {}", assigned.hosts.size(), assigned.hosts.size() == 1 ? "host" : "hosts");
  if (ranks > space) {
    return wrong("--place", fmt::format("{} ranks of {} do not fit on {} with {} each; name more, or write "
                                        "--ranks-per-host",
                                        ranks, benchmark.name, hosts, assigned.ranks_per_host));
  }
  // Ranks that are named one by one all run; with --ranks-per-host, the last host may have fewer.
  const int32_t spare = request.ranks_per_host.has_value() ? assigned.ranks_per_host : 1;
  if (ranks + spare <= space) {
    return wrong("--place", fmt::format("{} has {} ranks, and with {} each {} are too many; name fewer", benchmark.name,
                                        ranks, assigned.ranks_per_host, hosts));
  }
  return static_cast<int32_t>(ranks);
}

}  // namespace

absl::StatusOr<experiment::Experiment> load_osu_experiment(
    const OsuRequest& request, const experiment::Tenants& tenants,
    const std::function<absl::StatusOr<system::Plan>(const experiment::Experiment&)>& make_plan) {
  const absl::StatusOr<v1::Osu::Benchmark> benchmark = osu::find_osu_benchmark(request.benchmark);
  if (!benchmark.ok()) return benchmark.status();
  if (absl::Status status = check_options(request, osu::osu_benchmark(*benchmark)); !status.ok()) return status;
  std::vector<Bytes> sizes;
  if (request.sizes.has_value()) {
    absl::StatusOr<std::vector<Bytes>> parsed = parse_sizes(*request.sizes);
    if (!parsed.ok()) return parsed.status();
    sizes = *std::move(parsed);
  }

  experiment::Overrides overrides = request.experiment.overrides;
  const auto set = [&](std::string_view field, std::string_view value, std::string_view option,
                       std::string_view argument) {
    overrides.settings.push_back({.path = std::string(field),
                                  .value = std::string(value),
                                  .argument = std::string(argument),
                                  .option = std::string(option)});
  };
  const auto set_number = [&](std::string_view field, const std::optional<int32_t>& value, std::string_view option) {
    if (value.has_value()) set(field, std::to_string(*value), option, std::to_string(*value));
  };
  set("workload.osu.benchmark", v1::Osu::Benchmark_Name(*benchmark), "BENCHMARK", request.benchmark);
  if (!sizes.empty()) {
    std::vector<std::string> texts;
    for (const Bytes size : sizes) texts.push_back(fmt::format("{}B", size.count));
    set("workload.osu.sizes", fmt::format("{}", fmt::join(texts, ",")), "--sizes", *request.sizes);
  }
  set_number("workload.osu.ranks", request.ranks, "--ranks");
  set_number("workload.osu.iterations", request.iterations, "--iterations");
  set_number("workload.osu.warmup", request.warmup, "--warmup");
  set_number("workload.osu.window", request.window, "--window");
  set_number("workload.placement.ranks_per_host", request.ranks_per_host, "--ranks-per-host");
  if (absl::Status status = check_sets(request, osu::osu_benchmark(*benchmark), overrides.settings); !status.ok())
    return status;
  absl::StatusOr<experiment::Experiment> experiment =
      experiment::load_experiment(request.experiment.file, tenants, overrides);
  if (!experiment.ok()) return experiment;
  if (osu::osu_benchmark(*benchmark).mpi && experiment->message.host().eager_limit().empty()) {
    const absl::StatusOr<std::optional<Bytes>> limit =
        eager_limit_of_workload(request.experiment.file, experiment->host.eager_limit);
    if (!limit.ok()) return limit.status();
    if (limit->has_value()) {
      spdlog::info("messages up to {} are sent eagerly, as in the workload of {}", to_string(**limit),
                   request.experiment.file);
      set("host.eager_limit", fmt::format("{}B", (*limit)->count), "BENCHMARK", request.benchmark);
      experiment = experiment::load_experiment(request.experiment.file, tenants, overrides);
      if (!experiment.ok()) return experiment;
    }
  }

  const job::JobSpec job = experiment->workload_as<job::JobsSpec>()->jobs.at(0);
  osu::OsuSpec spec = *job.work_as<osu::OsuSpec>();
  if (!request.hosts.empty()) {
    const absl::StatusOr<system::Plan> plan = make_plan(*experiment);
    if (!plan.ok()) return plan.status();
    const absl::StatusOr<NamedHosts> assigned = named_hosts(request, plan->graph);
    if (!assigned.ok()) return assigned.status();
    const absl::StatusOr<int32_t> ranks = ranks_of(request, osu::osu_benchmark(*benchmark), *assigned);
    if (!ranks.ok()) return ranks.status();
    spec.ranks = *ranks;
    const auto set_by_hosts = [&](std::string_view field, std::string_view value) {
      set(field, value, "--place", request.hosts);
    };
    set_by_hosts("workload.placement.kind", assigned->turns ? "ROUND_ROBIN" : "BLOCK");
    set_by_hosts("workload.placement.hosts", fmt::format("{}", fmt::join(assigned->hosts, ",")));
    if (!request.ranks_per_host.has_value())
      set_by_hosts("workload.placement.ranks_per_host", std::to_string(assigned->ranks_per_host));
    if (!request.ranks.has_value()) set_by_hosts("workload.osu.ranks", std::to_string(*ranks));
    experiment = experiment::load_experiment(request.experiment.file, tenants, overrides);
    if (!experiment.ok()) return experiment;
  }
  if (request.hosts.empty() && request.ranks.has_value()) {
    const absl::StatusOr<system::Plan> plan = make_plan(*experiment);
    if (!plan.ok()) return plan.status();
    const int64_t each = job.placement.ranks_per_host;
    const int64_t hosts = plan->graph.host_count();
    if (*request.ranks > hosts * each) {
      const int64_t needed = (*request.ranks + hosts - 1) / hosts;
      const std::string more = needed <= placement::most_ranks_on_host(plan->graph)
                                   ? fmt::format("--ranks-per-host {}", needed)
                                   : "take a larger topology";
      return wrong("--ranks", fmt::format("{} ranks do not fit on {} hosts with {} each; write at most {}, or {}",
                                          *request.ranks, hosts, each, hosts * each, more));
    }
  }
  // If the number of ranks is not known yet, this only checks the sizes; the rest is checked when ranks are placed.
  if (absl::Status status = osu::check_osu(spec, spec.ranks == 0 ? 2 : spec.ranks); !status.ok()) return status;
  return experiment;
}

}  // namespace fabrictwin::study
