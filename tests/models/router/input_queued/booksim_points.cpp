// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/router/input_queued/booksim_points.h"

#include <fstream>
#include <stop_token>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "cosim/run/run.h"
#include "fmt/format.h"
#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

bool same_experiment(const BooksimPoint& a, const BooksimPoint& b) {
  return a.dims == b.dims && a.traffic == b.traffic && a.variant == b.variant;
}

double number(const std::string& text) {
  double value = 0;
  return absl::SimpleAtod(text, &value) ? value : 0;
}

}  // namespace

absl::StatusOr<std::vector<BooksimPoint>> read_booksim_points(const std::string& file) {
  std::ifstream in(file);
  if (!in) return absl::NotFoundError(fmt::format("cannot read {}", file));
  std::vector<BooksimPoint> points;
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("#") || line.starts_with("topo,")) continue;
    const std::vector<std::string> columns = absl::StrSplit(line, ',');
    if (columns.size() < 13) return absl::InvalidArgumentError(fmt::format("{}: {}", file, line));
    BooksimPoint point;
    point.dims = columns[0].substr(columns[0].find('_') + 1);
    point.traffic = columns[1];
    point.variant = columns[2] == "base" ? "base" : columns[2] == "vc_buf_size=72" ? "deep" : "vct";
    point.throughput = columns[3] == "throughput";
    point.load = number(columns[4]);
    point.unstable = columns[6] != "ok";
    if (points.empty() || !same_experiment(points.back(), point) || points.back().throughput != point.throughput ||
        points.back().load != point.load) {
      points.push_back(point);
    }
    BooksimPoint& mean = points.back();
    const double runs = ++mean.runs;
    const auto add = [&](double& sum, const std::string& text) { sum += (number(text) - sum) / runs; };
    add(mean.latency, columns[7]);
    add(mean.network_latency, columns[9]);
    add(mean.accepted, columns[10]);
    add(mean.accepted_min, columns[11]);
    add(mean.hops, columns[12]);
  }
  return points;
}

double booksim_saturation(const std::vector<BooksimPoint>& points, const BooksimPoint& point) {
  for (const BooksimPoint& other : points) {
    if (other.throughput && same_experiment(other, point)) return other.accepted;
  }
  return 0;
}

std::vector<std::string> settings_of(const BooksimPoint& point) {
  std::vector<std::string> sets = {"topology.torus.dims=" + point.dims, "workload.traffic.pattern=" + point.traffic,
                                   fmt::format("workload.traffic.load={}", point.load)};
  if (point.variant == "deep") sets.emplace_back("router.vc_buffer_flits=72");
  if (point.variant == "vct") sets.emplace_back("router.switching=virtual_cut_through");
  return sets;
}

absl::StatusOr<v1::Report> run_booksim_torus(const std::vector<std::string>& sets, uint64_t seed) {
  experiment::Overrides overrides;
  overrides.sets = sets;
  overrides.seed = seed;
  absl::StatusOr<experiment::Experiment> experiment =
      test::load_experiment(FABRICTWIN_EXPERIMENTS "/booksim-torus.textproto", overrides);
  if (!experiment.ok()) return experiment.status();
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_topology;
  registry.model = [](const run::PartitionContext& context) {
    return partition::create_model_partition(context, workloads::make_workload);
  };
  absl::StatusOr<std::unique_ptr<run::Run>> run = run::Run::create(*std::move(experiment), std::move(registry), {}, {});
  if (!run.ok()) return run.status();
  if (absl::Status status = (*run)->execute(std::stop_token()); !status.ok()) return status;
  return (*run)->report();
}

}  // namespace fabrictwin
