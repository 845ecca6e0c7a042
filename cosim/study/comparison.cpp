// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/comparison.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/study/job_pool.h"
#include "workloads/traffic/batch_means.h"

namespace fabrictwin::study {
namespace {

const google::protobuf::Descriptor& schemes() { return *v1::Congestion::descriptor(); }

absl::Status check_scheme(const std::string& scheme) {
  if (scheme == kNoScheme || schemes().FindFieldByName(scheme) != nullptr) return absl::OkStatus();
  std::vector<std::string_view> names{kNoScheme};
  for (int i = 0; i < schemes().field_count(); ++i) names.push_back(schemes().field(i)->name());
  return absl::InvalidArgumentError(fmt::format("--schemes: error: unknown scheme \"{}\"{}; write some of {}", scheme,
                                                did_you_mean(scheme, names), comma_list(names)));
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

/// What all flows received, over the time of the run: flows that repeat have no first start.
double goodput_of_all(const v1::Report& report) {
  double bytes = 0;
  for (const v1::FlowReport& flow : report.flows()) bytes += static_cast<double>(flow.bytes_received());
  return report.simulated_seconds() > 0 ? bytes * 8e-9 / report.simulated_seconds() : 0;
}

double least_goodput(const v1::Report& report) {
  double least = report.flows(0).goodput_gbps();
  for (const v1::FlowReport& flow : report.flows()) least = std::min(least, flow.goodput_gbps());
  return least;
}

/// The slowdown of the job that the others slow down most.
std::optional<double> job_slowdown(const v1::Report& report) {
  std::optional<double> most;
  for (const v1::JobReport& job : report.jobs()) {
    if (job.has_slowdown()) most = std::max(most.value_or(0), job.slowdown());
  }
  return most;
}

/// A congestion impact factor of a test of GPCNeT.
template <int row, double (v1::GpcnetRow::*get)() const>
std::optional<double> impact(const v1::Report& report) {
  if (report.gpcnet().rows_size() <= row || (report.gpcnet().rows(row).*get)() == 0) return std::nullopt;
  return (report.gpcnet().rows(row).*get)();
}

template <double (v1::FlowBin::*get)() const>
std::optional<double> slowdown(const v1::Report& report) {
  if (report.flow_summary().bins_size() == 0 || report.flow_summary().bins(0).slowdown_mean() == 0) return std::nullopt;
  return (report.flow_summary().bins(0).*get)();
}

/// The least accepted load of a class of traffic.
std::optional<double> least_class(const v1::Report& report) {
  std::optional<double> least;
  for (const v1::ClassReport& traffic : report.classes()) {
    least = std::min(least.value_or(traffic.accepted_load()), traffic.accepted_load());
  }
  return least;
}

/// What is wrong, without the place: the first line of a diagnostic behind "error: ".
std::string reason_of(const absl::Status& status) {
  const std::string_view message = message_of(status);
  const std::string_view line = message.substr(0, message.find('\n'));
  constexpr std::string_view kError = "error: ";
  const size_t at = line.find(kError);
  return std::string(at == std::string_view::npos ? line : line.substr(at + kError.size()));
}

}  // namespace

const std::vector<ComparisonMetric>& comparison_metrics() {
  using Value = std::optional<double>;
  static const std::vector<ComparisonMetric> metrics = {
      {"simulated_seconds", "simulated us", 1, 1e6, [](const v1::Report& r) -> Value { return r.simulated_seconds(); }},
      {"job_slowdown", "job slowdown", 3, 1, job_slowdown},
      {"cif_latency", "CIF latency", 2, 1, impact<0, &v1::GpcnetRow::cif_mean>},
      {"cif_latency_p99", "p99", 2, 1, impact<0, &v1::GpcnetRow::cif_p99>},
      {"cif_bandwidth", "CIF BW", 2, 1, impact<1, &v1::GpcnetRow::cif_mean>},
      {"cif_bandwidth_p99", "p99", 2, 1, impact<1, &v1::GpcnetRow::cif_p99>},
      {"cif_allreduce", "CIF allreduce", 2, 1, impact<2, &v1::GpcnetRow::cif_mean>},
      {"cif_allreduce_p99", "p99", 2, 1, impact<2, &v1::GpcnetRow::cif_p99>},
      {"fct_mean_seconds", "mean FCT us", 1, 1e6,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().bins_size() > 0 ? Value(r.flow_summary().mean_fct_seconds()) : std::nullopt;
       }},
      {"fct_max_seconds", "last FCT us", 1, 1e6,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().bins_size() > 0 ? Value(r.flow_summary().max_fct_seconds()) : std::nullopt;
       }},
      {"slowdown_p50", "slowdown p50", 3, 1, slowdown<&v1::FlowBin::slowdown_p50>},
      {"slowdown_p99", "p99", 3, 1, slowdown<&v1::FlowBin::slowdown_p99>},
      {"class_least_accepted", "least class %", 2, 100, least_class},
      {"goodput_gbps", "Gbit/s", 2, 1,
       [](const v1::Report& r) -> Value { return r.flows_size() > 0 ? Value(goodput_of_all(r)) : std::nullopt; }},
      {"goodput_least_gbps", "least", 2, 1,
       [](const v1::Report& r) -> Value { return r.flows_size() > 0 ? Value(least_goodput(r)) : std::nullopt; }},
      {"jain_index", "Jain", 4, 1,
       [](const v1::Report& r) -> Value {
         return r.has_flow_summary() ? Value(r.flow_summary().jain_index()) : std::nullopt;
       }},
      {"min_over_max_min", "min/fair", 3, 1,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_min_over_max_min() ? Value(r.flow_summary().min_over_max_min()) : std::nullopt;
       }},
      {"convergence_seconds", "fair after us", 1, 1e6,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_convergence_seconds() ? Value(r.flow_summary().convergence_seconds())
                                                           : std::nullopt;
       }},
      {"queue_max_bytes", "queue kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.has_queues() ? Value(static_cast<double>(r.queues().max_bytes())) : std::nullopt;
       }},
      {"queue_p99_bytes", "p99 kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.queues().has_p99_bytes() ? Value(static_cast<double>(r.queues().p99_bytes())) : std::nullopt;
       }},
      {"pauses", "pauses", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.has_pauses() ? Value(static_cast<double>(r.pauses())) : std::nullopt;
       }},
      {"notices", "notices", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.has_control() ? Value(static_cast<double>(r.control().notices())) : std::nullopt;
       }},
  };
  return metrics;
}

std::optional<ComparisonCell::Value> ComparisonCell::value(const ComparisonMetric& metric) const {
  std::vector<double> values;
  for (const Run& run : runs) {
    if (!run.done || !run.status.ok()) continue;
    if (const std::optional<double> value = metric.value(run.report); value.has_value()) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return Value{std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
               traffic::confidence_95(values)};
}

absl::StatusOr<Comparison> Comparison::create(const ComparisonRequest& request, ComparisonParts parts) {
  Comparison comparison(std::move(parts), request.jobs);
  if (absl::Status status = comparison.load(request); !status.ok()) return status;
  return comparison;
}

absl::Status Comparison::load(const ComparisonRequest& request) {
  for (const std::string& scheme : request.schemes) {
    if (absl::Status status = check_scheme(scheme); !status.ok()) return status;
  }
  absl::Status first_refusal;
  for (const std::string& file : request.files) {
    experiment::Overrides overrides;
    overrides.sets = request.sets;
    const absl::StatusOr<experiment::Experiment> loaded = experiment::load_experiment(file, parts_.tenants, overrides);
    if (!loaded.ok()) return loaded.status();
    if (request.jobs > 1 && loaded->router.model == v1::EXANET) {
      return absl::InvalidArgumentError(fmt::format(
          "--jobs {}: {} has routers of the model EXANET, and a process has one SystemC kernel; leave --jobs "
          "out",
          request.jobs, file));
    }
    absl::Status refused;
    bool possible = false;
    for (const std::string& scheme : request.schemes) {
      absl::StatusOr<experiment::Experiment> experiment = with_scheme(*loaded, scheme, parts_.tenants);
      const absl::Status status = experiment.ok() ? parts_.check(*experiment) : experiment.status();
      ComparisonCell& cell = cells_.emplace_back();
      cell.file = file;
      cell.scheme = scheme;
      if (!status.ok()) {
        cell.refusal = reason_of(status);
        refused.Update(status);
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
  const ComparisonCell& cell = cells_[places_[index].first];
  return fmt::format("{} {}, seed {}", std::filesystem::path(cell.file).stem().string(), cell.scheme,
                     cell.runs[places_[index].second].seed);
}

void Comparison::run(const std::stop_token& stop, const std::function<void(size_t)>& ended) {
  do_jobs(experiments_.size(), jobs_, stop, [&](size_t index) {
    absl::StatusOr<v1::Report> report = parts_.run(experiments_[index], stop);
    if (absl::IsCancelled(report.status())) return;
    ComparisonCell::Run& run = run_of(index);
    run.status = report.status();
    if (report.ok()) run.report = *std::move(report);
    run.done = true;
    ended(index);
  });
}

bool Comparison::complete() const {
  return std::ranges::all_of(cells_, [](const ComparisonCell& cell) {
    return std::ranges::all_of(cell.runs, [](const ComparisonCell::Run& run) {
      return run.done && (!run.status.ok() || run.report.complete());
    });
  });
}

}  // namespace fabrictwin::study
