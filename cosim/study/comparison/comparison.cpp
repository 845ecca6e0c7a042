// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/comparison/comparison.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <thread>

#include "cosim/base/clock.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/experiment/source_text.h"
#include "cosim/study/job_pool.h"
#include "workloads/traffic/batch_means.h"

namespace fabrictwin::study::comparison {
namespace {

/// Between two points over time, of experiments that say nothing of it. It doubles in long runs.
constexpr Time kInterval = Time::from_us(10);

/// That, or a cycle of a router if it is longer.
std::string interval_of(const experiment::Experiment& experiment) {
  const Time interval = std::max(kInterval, Clock(experiment.router.clock).edge(1));
  return fmt::format("{}fs", interval.fs());
}

const google::protobuf::Descriptor& schemes() { return *v1::Congestion::descriptor(); }

/// What is wrong with the name of a scheme; nothing if there is such a scheme.
std::string flaw_of(std::string_view scheme) {
  if (scheme == kNoScheme || schemes().FindFieldByName(std::string(scheme)) != nullptr) return {};
  std::vector<std::string_view> names{kNoScheme};
  for (int i = 0; i < schemes().field_count(); ++i) names.push_back(schemes().field(i)->name());
  return fmt::format("{}; write some of {}",
                     scheme.empty() ? "no scheme is named here"
                                    : fmt::format("unknown scheme \"{}\"{}", scheme, did_you_mean(scheme, names)),
                     comma_list(names));
}

/// The names of all schemes of a request. A mistake is reported in the argument.
absl::StatusOr<std::vector<std::string>> named_schemes(const std::vector<std::string>& arguments) {
  std::vector<std::string> found;
  for (const std::string& argument : arguments) {
    const experiment::SourceText source("--schemes", argument);
    size_t offset = 0;
    for (const std::string_view scheme : split(argument, ",")) {
      std::string flaw = flaw_of(scheme);
      // What would be run, or written, twice.
      if (flaw.empty() && std::ranges::find(found, scheme) != found.end())
        flaw = fmt::format("{} is there twice; write each scheme once", scheme);
      if (!flaw.empty())
        return absl::InvalidArgumentError(experiment::format_diagnostic(source.location(offset), flaw));
      found.emplace_back(scheme);
      offset += scheme.size() + 1;
    }
  }
  return found;
}

/// The scheme whose parameter `set` changes, as "dcqcn" of "congestion.dcqcn.pmax=0.1"; empty if it is another field.
std::string scheme_of(std::string_view set) {
  constexpr std::string_view kCongestion = "congestion.";
  if (!set.starts_with(kCongestion)) return {};
  const std::string name(
      set.substr(kCongestion.size(), set.find_first_of(".=", kCongestion.size()) - kCongestion.size()));
  return schemes().FindFieldByName(name) == nullptr ? std::string() : name;
}

/// The changes of an experiment for one scheme: without those of parameters of other ones.
std::vector<std::string> sets_for(const std::vector<std::string>& sets, std::string_view scheme) {
  std::vector<std::string> own;
  for (const std::string& set : sets) {
    const std::string of = scheme_of(set);
    if (of.empty() || of == scheme) own.push_back(set);
  }
  return own;
}

absl::Status wrong_set(const std::string& set, std::string_view message) {
  return absl::InvalidArgumentError(
      experiment::format_diagnostic(experiment::SourceText("--set", set).location(0), message));
}

/// Refuses what would do nothing: parameters of schemes that are not compared, and the seed if --seeds says it.
absl::Status check_sets(const Request& request, const std::vector<std::string>& compared) {
  for (const std::string& set : request.sets) {
    if (!request.seeds.empty() && set.starts_with("seed=")) {
      return wrong_set(set,
                       "--seeds gives this field its values, so this one would not be used; leave one of them out");
    }
    const std::string scheme = scheme_of(set);
    if (scheme.empty() || std::ranges::find(compared, scheme) != compared.end()) continue;
    return wrong_set(set, fmt::format("{} is not among the schemes that are compared; name it in --schemes, or leave "
                                      "this out",
                                      scheme));
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

/// An experiment whose paths can be opened from the working directory.
absl::StatusOr<experiment::Experiment> parsed(const v1::Experiment& message, const std::string& file,
                                              const experiment::Tenants& tenants) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return experiment::parse_experiment(text, std::filesystem::path(file).filename().string(), tenants);
}

/// The experiment with another scheme; one that it has itself keeps its parameters.
absl::StatusOr<experiment::Experiment> with_scheme(const experiment::Experiment& experiment, const std::string& scheme,
                                                   const experiment::Tenants& tenants) {
  v1::Experiment message = experiment.message;
  // With a scheme, routers count what waits for their outputs, and there has to be something to compare that with. What
  // rates and queues do over time has diagrams.
  if (experiment.capabilities.of(experiment.router.model).marks) {
    message.mutable_statistics()->set_queues(true);
    if (message.statistics().series_interval().empty())
      message.mutable_statistics()->set_series_interval(interval_of(experiment));
  }
  if (scheme == kNoScheme) {
    message.clear_congestion();
    // Hosts send in the same way, where they can.
    const experiment::Capabilities& capabilities = experiment.capabilities;
    if (capabilities.of(experiment.router.model).marks && capabilities.of(experiment.host.nic).transport)
      message.mutable_transport();
  } else {
    const auto* field = schemes().FindFieldByName(scheme);
    v1::Congestion& congestion = *message.mutable_congestion();
    congestion.GetReflection()->MutableMessage(&congestion, field);
  }
  absl::StatusOr<experiment::Experiment> made = parsed(message, experiment.file, tenants);
  if (made.ok() || scheme != kNoScheme || experiment.message.has_transport()) return made;
  // Something else of the experiment excludes a transport.
  message.clear_transport();
  return parsed(message, experiment.file, tenants);
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
  const absl::StatusOr<std::vector<std::string>> compared = named_schemes(request.schemes);
  if (!compared.ok()) return compared.status();
  if (absl::Status status = check_once(request); !status.ok()) return status;
  if (absl::Status status = check_sets(request, *compared); !status.ok()) return status;
  if (absl::Status status = comparison.load(request, *compared); !status.ok()) return status;
  return comparison;
}

absl::Status Comparison::load(const Request& request, const std::vector<std::string>& compared) {
  absl::Status first_refusal;
  for (const std::string& file : request.files) {
    experiment::Overrides overrides;
    overrides.sets = sets_for(request.sets, {});
    const absl::StatusOr<experiment::Experiment> loaded = experiment::load_experiment(file, parts_.tenants, overrides);
    if (!loaded.ok()) return loaded.status();
    // A mistake that has nothing to do with the schemes is shown where it is written.
    if (absl::Status status = parts_.check(*loaded); !status.ok()) return status;
    absl::Status refused;
    bool possible = false;
    for (const std::string& scheme : compared) {
      overrides.sets = sets_for(request.sets, scheme);
      const absl::StatusOr<experiment::Experiment> own = experiment::load_experiment(file, parts_.tenants, overrides);
      if (!own.ok()) return own.status();
      absl::StatusOr<experiment::Experiment> experiment = with_scheme(*own, scheme, parts_.tenants);
      const absl::Status status = experiment.ok() ? parts_.check(*experiment) : experiment.status();
      Cell& cell = cells_.emplace_back();
      cell.file = file;
      cell.scheme = scheme;
      if (!status.ok()) {
        cell.refusal = reason_of(status);
        // The scheme is in no file, and the text that was checked is not that of the file, so its lines would mislead.
        refused.Update(
            absl::Status(status.code(), fmt::format("{}: error: with the scheme {}: {}", file, scheme, cell.refusal)));
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
