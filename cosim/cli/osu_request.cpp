// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/osu_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/parts.h"
#include "cosim/run/placement_check.h"
#include "cosim/run/plan.h"
#include "workloads/osu/osu_benchmark.h"

namespace fabrictwin {
namespace {

absl::Status wrong(std::string_view option, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", option, what));
}

/// "64" is 64 bytes, as it is for the suite.
absl::StatusOr<std::vector<Bytes>> parse_sizes(const std::string& texts) {
  std::vector<Bytes> sizes;
  for (const std::string_view text : split(texts, ",")) {
    int64_t count = 0;
    if (parse_number(text, count) && count >= 0) {
      sizes.push_back(Bytes{count});
      continue;
    }
    const absl::StatusOr<Bytes> size = parse_bytes(text);
    if (!size.ok()) return wrong("--sizes", message_of(size.status()));
    sizes.push_back(*size);
  }
  return sizes;
}

/// Options that another benchmark has.
absl::Status check_options(const OsuRequest& request, const OsuBenchmark& benchmark) {
  if (request.sizes.has_value() && !benchmark.sizes)
    return wrong("--sizes", fmt::format("{} has no message sizes; leave them out", benchmark.name));
  const bool window =
      benchmark.measure == OsuBenchmark::Measure::kBandwidth || benchmark.measure == OsuBenchmark::Measure::kRate;
  if (request.window.has_value() && !window)
    return wrong("--window", fmt::format("{} has no window; it is for bw, bibw and mbw_mr", benchmark.name));
  return absl::OkStatus();
}

/// Hosts that are named, and how many ranks each has.
struct Places {
  std::vector<int32_t> hosts;
  int32_t ranks_per_host = 1;
};

/// The same host twice is two ranks on it.
absl::StatusOr<Places> places_of(const OsuRequest& request, const SystemGraph& graph) {
  Places places;
  absl::StatusOr<std::vector<int32_t>> hosts = hosts_of_places(graph, request.place);
  if (!hosts.ok()) return wrong("--place", message_of(hosts.status()));
  places.hosts = *std::move(hosts);
  places.ranks_per_host = request.ranks_per_host.value_or(1);
  const std::set<int32_t> distinct(places.hosts.begin(), places.hosts.end());
  if (distinct.size() == places.hosts.size()) return places;
  if (distinct.size() > 1 || request.ranks_per_host.has_value()) {
    return wrong("--place",
                 fmt::format("\"{}\" names a host twice; name each once, and say with --ranks-per-host how many ranks "
                             "it has",
                             request.place));
  }
  places.ranks_per_host = static_cast<int32_t>(places.hosts.size());
  places.hosts.resize(1);
  return places;
}

/// How many ranks run on `places`.
absl::StatusOr<int32_t> ranks_of(const OsuRequest& request, const OsuBenchmark& benchmark, const Places& places) {
  const int64_t room = static_cast<int64_t>(places.hosts.size()) * places.ranks_per_host;
  const int64_t ranks = request.ranks.value_or(static_cast<int32_t>(benchmark.two_ranks ? 2 : room));
  const std::string hosts = fmt::format("{} {}", places.hosts.size(), places.hosts.size() == 1 ? "host" : "hosts");
  if (ranks > room) {
    return wrong("--place", fmt::format("{} ranks of {} do not fit on {} with {} each; name more, or write "
                                        "--ranks-per-host",
                                        ranks, benchmark.name, hosts, places.ranks_per_host));
  }
  if (ranks + places.ranks_per_host <= room) {
    return wrong("--place", fmt::format("{} has {} ranks, and with {} each {} are too many; name fewer", benchmark.name,
                                        ranks, places.ranks_per_host, hosts));
  }
  return static_cast<int32_t>(ranks);
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> hosts_of_places(const SystemGraph& graph, const std::string& place) {
  std::vector<int32_t> hosts;
  for (const std::string_view part : split(place, ",")) {
    const absl::StatusOr<std::vector<ElementId>> selected = select_elements(graph, strip(part));
    if (!selected.ok()) return selected.status();
    for (const ElementId id : *selected) {
      const Element& element = graph.elements[static_cast<size_t>(id)];
      if (element.kind != ElementKind::kHost) {
        return absl::InvalidArgumentError(
            fmt::format("{} is no host, and ranks run on hosts; name some of {}[0..{}]", element.name,
                        graph.elements[0].name.substr(0, graph.elements[0].name.find('[')), graph.host_count() - 1));
      }
      hosts.push_back(element.node);
    }
  }
  return hosts;
}

absl::StatusOr<Experiment> load_osu_experiment(const OsuRequest& request) {
  const absl::StatusOr<v1::Osu::Benchmark> benchmark = find_osu_benchmark(request.benchmark);
  if (!benchmark.ok()) return benchmark.status();
  if (absl::Status status = check_options(request, osu_benchmark(*benchmark)); !status.ok()) return status;
  std::vector<Bytes> sizes;
  if (request.sizes.has_value()) {
    absl::StatusOr<std::vector<Bytes>> parsed = parse_sizes(*request.sizes);
    if (!parsed.ok()) return parsed.status();
    sizes = *std::move(parsed);
  }

  Overrides overrides = request.experiment.overrides;
  const auto set = [&](std::string_view field, const auto& value) {
    overrides.sets.push_back(fmt::format("workload.{}={}", field, value));
  };
  const auto set_number = [&](std::string_view field, const std::optional<int32_t>& value) {
    if (value.has_value()) set(field, *value);
  };
  set("osu.benchmark", v1::Osu::Benchmark_Name(*benchmark));
  if (!sizes.empty()) {
    std::vector<std::string> texts;
    for (const Bytes size : sizes) texts.push_back(fmt::format("{}B", size.count));
    set("osu.sizes", fmt::format("{}", fmt::join(texts, ",")));
  }
  set_number("osu.ranks", request.ranks);
  set_number("osu.iterations", request.iterations);
  set_number("osu.warmup", request.warmup);
  set_number("osu.window", request.window);
  set_number("placement.ranks_per_host", request.ranks_per_host);
  absl::StatusOr<Experiment> experiment = load_experiment(request.experiment.file, overrides);
  if (!experiment.ok()) return experiment;

  const JobSpec job = std::get<JobsSpec>(experiment->workload).jobs.at(0);
  OsuSpec spec = std::get<OsuSpec>(job.work);
  if (!request.place.empty()) {
    const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
    if (!plan.ok()) return plan.status();
    const absl::StatusOr<Places> places = places_of(request, plan->graph);
    if (!places.ok()) return places.status();
    const absl::StatusOr<int32_t> ranks = ranks_of(request, osu_benchmark(*benchmark), *places);
    if (!ranks.ok()) return ranks.status();
    spec.ranks = *ranks;
    set("placement.kind", "BLOCK");
    set("placement.hosts", fmt::format("{}", fmt::join(places->hosts, ",")));
    set("placement.ranks_per_host", places->ranks_per_host);
    set("osu.ranks", *ranks);
    experiment = load_experiment(request.experiment.file, overrides);
    if (!experiment.ok()) return experiment;
  }
  if (request.place.empty() && request.ranks.has_value()) {
    const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
    if (!plan.ok()) return plan.status();
    const int64_t each = job.placement.ranks_per_host;
    const int64_t hosts = plan->graph.host_count();
    if (*request.ranks > hosts * each) {
      const int64_t needed = (*request.ranks + hosts - 1) / hosts;
      const std::string more =
          needed <= kMaxRanksPerHost ? fmt::format("--ranks-per-host {}", needed) : "take a larger topology";
      return wrong("--ranks", fmt::format("{} ranks do not fit on {} hosts with {} each; write at most {}, or {}",
                                          *request.ranks, hosts, each, hosts * each, more));
    }
  }
  // Where nobody says how many ranks there are, the workload's own check comes when they are placed.
  if (spec.ranks == 0) return experiment;
  if (absl::Status status = check_osu(spec, spec.ranks); !status.ok()) return status;
  return experiment;
}

}  // namespace fabrictwin
