// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <thread>

#include "cosim/base/text.h"
#include "cosim/experiment/source_text.h"
#include "cosim/study/comparison/compared_schemes.h"
#include "cosim/study/job_pool.h"
#include "workloads/traffic/batch_means.h"

namespace fabrictwin::study::comparison {
namespace {

/// Refuses a seed that --seeds would replace.
absl::Status check_seed(const Request& request) {
  for (const std::string& set : request.sets) {
    if (request.seeds.empty() || !set.starts_with("seed=")) continue;
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment::SourceText("--set", set).location(0),
        "--seeds gives this field its values, so this one would not be used; leave one of them out"));
  }
  return absl::OkStatus();
}

/// Refuses files that would be written twice.
absl::Status check_once(const Request& request) {
  std::map<std::string, std::string> files;
  for (const std::string& file : request.files) {
    const auto [other, fresh] = files.emplace(std::filesystem::path(file).stem().string(), file);
    if (fresh) continue;
    return absl::InvalidArgumentError(
        fmt::format("{}: error: results are named after the file without its folder, and {} has the same name; rename "
                    "one of them, or "
                    "write each file once",
                    file, other->second));
  }
  return absl::OkStatus();
}

/// What is wrong, without the location: the first line of a diagnostic behind "error: ".
std::string reason_of(const absl::Status& status) {
  const std::string_view message = message_of(status);
  const std::string_view line = message.substr(0, message.find('\n'));
  constexpr std::string_view kError = "error: ";
  const size_t at = line.find(kError);
  return std::string(at == std::string_view::npos ? line : line.substr(at + kError.size()));
}

}  // namespace

std::optional<Cell::Value> Cell::value(const Metric& metric) const {
  std::vector<double> values;
  for (const Run& run : runs) {
    if (!run.done || !run.status.ok()) continue;
    if (const std::optional<double> value = metric.value(run.report); value.has_value()) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return Value{std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
               traffic::confidence_95(values)};
}

std::vector<Metric> metrics_of(const std::vector<Cell>& cells, const std::string& file) {
  std::vector<const v1::Report*> reports;
  for (const Cell& cell : cells) {
    if (cell.file != file) continue;
    for (const Cell::Run& run : cell.runs) {
      if (run.done && run.status.ok()) reports.push_back(&run.report);
    }
  }
  return point::metrics_of(reports);
}

absl::StatusOr<Comparison> Comparison::create(const Request& request, Parts parts) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  Comparison comparison(std::move(parts), request.jobs == 0 ? cores : request.jobs);
  const absl::StatusOr<std::vector<ComparedSchemes>> compared = parse_schemes(request.schemes);
  if (!compared.ok()) return compared.status();
  if (absl::Status status = check_once(request); !status.ok()) return status;
  if (absl::Status status = check_seed(request); !status.ok()) return status;
  if (absl::Status status = check_parameters(request.sets, *compared); !status.ok()) return status;
  if (absl::Status status = comparison.load(request, *compared); !status.ok()) return status;
  return comparison;
}

absl::Status Comparison::load(const Request& request, std::span<const ComparedSchemes> compared) {
  absl::Status first_refusal;
  for (const std::string& file : request.files) {
    experiment::Overrides overrides;
    overrides.sets = common_sets(request.sets);
    const absl::StatusOr<experiment::Experiment> loaded = experiment::load_experiment(file, parts_.tenants, overrides);
    if (!loaded.ok()) return loaded.status();
    // A mistake that has nothing to do with the schemes is shown where it is written.
    if (absl::Status status = parts_.check(*loaded); !status.ok()) return status;
    absl::Status refused;
    bool possible = false;
    for (const ComparedSchemes& schemes : compared) {
      absl::StatusOr<experiment::Experiment> experiment = with_schemes(*loaded, schemes, request.sets, parts_.tenants);
      // What is wrong is an argument, if the experiment can have the schemes without it.
      if (!experiment.ok() && with_schemes(*loaded, schemes, {}, parts_.tenants).ok()) return experiment.status();
      const absl::Status status = experiment.ok() ? parts_.check(*experiment) : experiment.status();
      Cell& cell = cells_.emplace_back();
      cell.file = file;
      cell.scheme = schemes.name;
      if (!status.ok()) {
        cell.refusal = reason_of(status);
        // The scheme is in no file, and the text that was checked is not that of the file, so its lines would mislead.
        refused.Update(absl::Status(
            status.code(), fmt::format("{}: error: with the scheme {}: {}", file, schemes.name, cell.refusal)));
        continue;
      }
      possible = true;
      std::vector<uint64_t> seeds = request.seeds;
      if (seeds.empty()) seeds.push_back(experiment->seed);
      for (const uint64_t seed : seeds) {
        places_.emplace_back(cells_.size() - 1, cell.runs.size());
        cell.runs.push_back({seed, false, absl::OkStatus(), {}});
        experiment->seed = seed;
        experiment->message.set_seed(seed);
        experiments_.push_back(*experiment);
      }
    }
    first_refusal.Update(possible ? absl::OkStatus() : refused);
  }
  return experiments_.empty() ? first_refusal : absl::OkStatus();
}

std::string Comparison::run_name(size_t index) const {
  const Cell& cell = cells_[places_[index].first];
  return fmt::format("{} {}, seed {}", std::filesystem::path(cell.file).stem().string(), cell.scheme,
                     cell.runs[places_[index].second].seed);
}

void Comparison::take(size_t index, point::Outcome outcome) {
  if (absl::IsCancelled(outcome.status)) return;
  Cell::Run& run = run_of(index);
  run.done = true;
  run.status = std::move(outcome.status);
  run.report = std::move(outcome.report);
  // Only that of the first seed is drawn, and it may be longer than all the rest.
  if (places_[index].second > 0) run.report.clear_series();
}

void Comparison::run(const std::stop_token& stop, const std::function<void(size_t)>& ended) {
  do_jobs(
      experiments_.size(), jobs_, stop,
      [&](size_t index) {
        take(index, point::run_point(experiments_[index], std::nullopt, [&](const experiment::Experiment& experiment) {
               return parts_.run(experiment, stop);
             }));
        if (run_of(index).done) ended(index);
      },
      [&](size_t index) {
        // A process has one SystemC kernel.
        const experiment::Experiment& experiment = experiments_[index];
        return experiment.capabilities.of(experiment.router.model).content == link::LinkType::Content::kWords;
      });
}

bool Comparison::complete() const {
  return std::ranges::all_of(cells_, [](const Cell& cell) {
    return std::ranges::all_of(
        cell.runs, [](const Cell::Run& run) { return run.done && (!run.status.ok() || run.report.complete()); });
  });
}

}  // namespace fabrictwin::study::comparison
