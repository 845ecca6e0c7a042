// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A comparison: experiments that are run with several schemes of congestion management, with several seeds each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "cosim/study/comparison/compared_schemes.h"
#include "cosim/study/point/outcome.h"
#include "cosim/study/point/run_metrics.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::comparison {

struct Request {
  std::vector<std::string> files;
  /// Arguments of --schemes: "none", names as in congestion { } or queues { }, or one of each, as "dcqcn+voqnet";
  /// several are separated by commas.
  std::vector<std::string> schemes;
  /// Each experiment and scheme runs with each of them, which differ; if empty, with that of the experiment.
  std::vector<uint64_t> seeds;
  std::vector<std::string> sets;  ///< Arguments of --set, for all runs.
  /// Runs at a time; 0: as many as there are cores, one if an experiment has routers of the model EXANET.
  int jobs = 0;
};

/// The functions of the surrounding program that a comparison uses; see sweep::Parts.
struct Parts {
  std::function<absl::Status(const experiment::Experiment&)> check;
  std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&, std::stop_token)> run;
  experiment::Tenants tenants;
};

using Metric = point::RunMetric;

/// All runs of one experiment with one scheme.
struct Cell {
  struct Run {
    uint64_t seed = 0;
    bool done = false;  ///< It has ended, successfully or not.
    absl::Status status;
    v1::Report report;
  };
  std::string file;
  std::string scheme;
  /// Why the experiment cannot have the scheme: its routers cannot carry it, for instance. Then there are no runs.
  std::string refusal;
  std::vector<Run> runs;

  /// Mean of a metric over the runs that have it, and half the width of its 95 % confidence interval, if there are two.
  struct Value {
    double mean = 0;
    std::optional<double> confidence;
  };
  std::optional<Value> value(const Metric& metric) const;
};

/// The metrics that at least one run of an experiment has.
std::vector<Metric> metrics_of(const std::vector<Cell>& cells, const std::string& file);

/// Cells in the order of experiments, then schemes. The result does not depend on the number of jobs.
class Comparison {
 public:
  /// Loads and checks all experiments. If one of them is wrong, a scheme is not known, or no experiment can have any of
  /// the schemes, the error is InvalidArgument or that of loading or `parts.check`, and nothing is run. A cell whose
  /// experiment cannot have its scheme is refused alone.
  static absl::StatusOr<Comparison> create(const Request& request, Parts parts);

  size_t runs() const { return experiments_.size(); }
  /// The name of a run: "victim dcqcn, seed 1".
  std::string run_name(size_t index) const;
  /// Does all runs, at most request.jobs at a time. A run that fails is kept with its error. `ended` is called, from
  /// any thread, with the number of each run that has ended.
  void run(const std::stop_token& stop, const std::function<void(size_t)>& ended);

  /// The experiment of each run, for whoever does them elsewhere.
  const std::vector<experiment::Experiment>& experiments() const { return experiments_; }
  /// Keeps the outcome of a run that was done elsewhere. Cancelled: it counts as not begun. Several threads may take
  /// different runs.
  void take(size_t index, point::Outcome outcome);

  const std::vector<Cell>& cells() const { return cells_; }
  bool complete() const;

 private:
  Comparison(Parts parts, int jobs) : parts_(std::move(parts)), jobs_(jobs) {}
  absl::Status load(const Request& request, std::span<const ComparedSchemes> compared);
  Cell::Run& run_of(size_t index) { return cells_[places_[index].first].runs[places_[index].second]; }

  Parts parts_;
  int jobs_;
  std::vector<experiment::Experiment> experiments_;  ///< By run.
  std::vector<std::pair<size_t, size_t>> places_;    ///< By run: its cell, and its number there.
  std::vector<Cell> cells_;
};

/// A table for each experiment, with a row for each scheme.
std::string to_table(const std::vector<Cell>& cells);
/// A page for a browser: the tables, with the best of each column, and the diagrams. Errors are those of drawing.
absl::StatusOr<std::string> to_page(const std::vector<Cell>& cells);
/// The cells as one JSON object, with the metrics of each run; see docs/command-line.md.
std::string to_json(const std::vector<Cell>& cells);
/// A line for each cell and metric.
std::string to_csv(const std::vector<Cell>& cells);
/// Diagrams of one experiment with a curve or a bar for each scheme, of the first seed, those that its reports have:
/// mean goodput by destination, loads of classes and congestion impact factors; goodput and the longest queue over
/// time; slowdown over the size of flows; and the distribution of completion times. Nullopt if there are none.
absl::StatusOr<std::optional<std::string>> to_svg(const std::vector<Cell>& cells, const std::string& file);
/// What they show as CSV; empty if there are none.
std::string plot_csv(const std::vector<Cell>& cells, const std::string& file);

}  // namespace fabrictwin::study::comparison
