// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the runs of a comparison are compared by.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "cosim/study/comparison/comparison.h"

namespace fabrictwin::study::comparison {
namespace {

/// Destinations and classes have a column each if there are no more.
constexpr size_t kMostApart = 8;

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

/// Of packets of traffic.
template <double (v1::LatencySeconds::*get)() const>
std::optional<double> latency(const v1::Report& report) {
  if (!report.traffic().has_latency_seconds()) return std::nullopt;
  return (report.traffic().latency_seconds().*get)();
}

/// The least accepted load of a class of traffic.
std::optional<double> least_class(const v1::Report& report) {
  std::optional<double> least;
  for (const v1::ClassReport& traffic : report.classes()) {
    least = std::min(least.value_or(traffic.accepted_load()), traffic.accepted_load());
  }
  return least;
}

/// What was received by a host, over the time of the run.
std::optional<double> goodput_to(const v1::Report& report, int32_t host) {
  double bytes = 0;
  bool any = false;
  for (const v1::FlowReport& flow : report.flows()) {
    if (flow.destination() != host) continue;
    any = true;
    bytes += static_cast<double>(flow.bytes_received());
  }
  if (!any || report.simulated_seconds() <= 0) return std::nullopt;
  return bytes * 8e-9 / report.simulated_seconds();
}

/// Calls `visit` with the report of each run of an experiment that has succeeded.
template <typename Visit>
void for_each_report(const std::vector<Cell>& cells, const std::string& file, const Visit& visit) {
  for (const Cell& cell : cells) {
    if (cell.file != file) continue;
    for (const Cell::Run& run : cell.runs) {
      if (run.done && run.status.ok()) visit(run.report);
    }
  }
}

void add_destinations(const std::vector<Cell>& cells, const std::string& file, std::vector<Metric>& metrics) {
  std::set<int32_t> hosts;
  for_each_report(cells, file, [&](const v1::Report& report) {
    for (const v1::FlowReport& flow : report.flows()) hosts.insert(flow.destination());
  });
  if (hosts.size() < 2 || hosts.size() > kMostApart) return;
  for (const int32_t host : hosts) {
    metrics.push_back({fmt::format("goodput_to_host_{}_gbps", host), fmt::format("to host {}", host), 2, 1,
                       [host](const v1::Report& report) { return goodput_to(report, host); }});
  }
}

/// The names of items in the order in which reports have them.
void add_name(const std::string& name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void add_classes(const std::vector<Cell>& cells, const std::string& file, std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for_each_report(cells, file, [&](const v1::Report& report) {
    for (const v1::ClassReport& of : report.classes()) add_name(of.name(), names);
  });
  if (names.size() < 2 || names.size() > kMostApart) return;
  for (const std::string& name : names) {
    const auto accepted = [name](const v1::Report& report) -> std::optional<double> {
      for (const v1::ClassReport& of : report.classes()) {
        if (of.name() == name) return of.accepted_load();
      }
      return std::nullopt;
    };
    metrics.push_back({fmt::format("class_{}_accepted", name), name + " %", 2, 100, accepted});
    const auto goodput = [name](const v1::Report& report) -> std::optional<double> {
      for (const v1::ClassReport& of : report.classes()) {
        if (of.name() == name && of.has_goodput_gbps()) return of.goodput_gbps();
      }
      return std::nullopt;
    };
    metrics.push_back({fmt::format("class_{}_goodput_gbps", name), name + " Gbit/s", 2, 1, goodput, false});
  }
  for (const std::string& name : names) {
    const auto latency = [name](double (v1::LatencySeconds::*get)() const) {
      return [name, get](const v1::Report& report) -> std::optional<double> {
        for (const v1::ClassReport& of : report.classes()) {
          if (of.name() == name && of.has_latency()) return (of.latency().*get)();
        }
        return std::nullopt;
      };
    };
    metrics.push_back(
        {fmt::format("class_{}_latency_mean_seconds", name), name + " us", 2, 1e6, latency(&v1::LatencySeconds::mean)});
    metrics.push_back(
        {fmt::format("class_{}_latency_p99_seconds", name), name + " p99", 2, 1e6, latency(&v1::LatencySeconds::p99)});
  }
}

/// How long it takes after the end of each fault until what waited for its link has left.
void add_faults(const std::vector<Cell>& cells, const std::string& file, std::vector<Metric>& metrics) {
  int faults = 0;
  for_each_report(cells, file, [&](const v1::Report& report) { faults = std::max(faults, report.faults_size()); });
  if (faults > static_cast<int>(kMostApart)) return;
  for (int fault = 0; fault < faults; ++fault) {
    const auto recovery = [fault](const v1::Report& report) -> std::optional<double> {
      const bool known = report.faults_size() > fault && report.faults(fault).has_recovery_seconds();
      return known ? std::optional(report.faults(fault).recovery_seconds()) : std::nullopt;
    };
    metrics.push_back({fmt::format("fault_{}_recovery_seconds", fault),
                       faults == 1 ? "recovery us" : fmt::format("recovery {} us", fault), 1, 1e6, recovery});
  }
}

/// Jobs that have ended; those in the background have no end of their own.
void add_jobs(const std::vector<Cell>& cells, const std::string& file, std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for_each_report(cells, file, [&](const v1::Report& report) {
    for (const v1::JobReport& job : report.jobs()) {
      if (!job.background()) add_name(job.name(), names);
    }
  });
  if (names.size() > kMostApart) return;
  for (const std::string& name : names) {
    const auto finish = [name](const v1::Report& report) -> std::optional<double> {
      for (const v1::JobReport& job : report.jobs()) {
        if (job.name() == name && job.completions() > 0) return job.finish_seconds();
      }
      return std::nullopt;
    };
    metrics.push_back(
        {fmt::format("job_{}_seconds", name), names.size() == 1 ? "job us" : name + " us", 1, 1e6, finish});
  }
}

}  // namespace

const std::vector<Metric>& all_metrics() {
  using Value = std::optional<double>;
  static const std::vector<Metric> metrics = {
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
      {"slowdown_p95", "p95", 3, 1, slowdown<&v1::FlowBin::slowdown_p95>, false},
      {"slowdown_p99", "p99", 3, 1, slowdown<&v1::FlowBin::slowdown_p99>},
      {"accepted_load", "accepted %", 2, 100,
       [](const v1::Report& r) -> Value {
         // The load has no presence of its own, and 0 may be measured.
         return r.traffic().has_accepted_load_min_node() ? Value(r.traffic().accepted_load()) : std::nullopt;
       }},
      {"latency_mean_seconds", "latency us", 2, 1e6, latency<&v1::LatencySeconds::mean>},
      {"latency_p99_seconds", "p99 us", 2, 1e6, latency<&v1::LatencySeconds::p99>},
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
      {"jain_over_max_min", "Jain/fair", 4, 1,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_jain_over_max_min() ? Value(r.flow_summary().jain_over_max_min()) : std::nullopt;
       }},
      {"convergence_seconds", "fair after us", 1, 1e6,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_convergence_seconds() ? Value(r.flow_summary().convergence_seconds())
                                                           : std::nullopt;
       }},
      {"queue_max_bytes", "queue kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         // Where only set-aside queues are counted, there are no percentiles either.
         return r.queues().has_p50_bytes() ? Value(static_cast<double>(r.queues().max_bytes())) : std::nullopt;
       }},
      {"queue_p99_bytes", "p99 kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.queues().has_p99_bytes() ? Value(static_cast<double>(r.queues().p99_bytes())) : std::nullopt;
       }},
      {"pauses", "pauses", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.has_pauses() ? Value(static_cast<double>(r.pauses())) : std::nullopt;
       }},
      {"paused_seconds", "paused us", 1, 1e6,
       [](const v1::Report& r) -> Value {
         return r.queues().has_paused_seconds() ? Value(r.queues().paused_seconds()) : std::nullopt;
       },
       false},
      {"set_aside_most", "set aside", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.queues().has_set_aside_most() ? Value(static_cast<double>(r.queues().set_aside_most()))
                                                : std::nullopt;
       }},
      {"marks", "marks", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.has_control() ? Value(static_cast<double>(r.control().marks())) : std::nullopt;
       }},
      {"false_marks", "false marks", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.control().has_false_marks() ? Value(static_cast<double>(r.control().false_marks())) : std::nullopt;
       }},
      {"control_bytes", "control kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.has_control() ? Value(static_cast<double>(r.control().bytes())) : std::nullopt;
       },
       false},
      {"notices", "notices", 0, 1,
       [](const v1::Report& r) -> Value {
         return r.has_control() ? Value(static_cast<double>(r.control().notices())) : std::nullopt;
       }},
  };
  return metrics;
}

std::vector<Metric> metrics_of(const std::vector<Cell>& cells, const std::string& file) {
  std::vector<Metric> metrics;
  for (const Metric& metric : all_metrics()) {
    metrics.push_back(metric);
    const std::string_view key = metric.key;
    if (key == "simulated_seconds") add_jobs(cells, file, metrics);
    if (key == "class_least_accepted") add_classes(cells, file, metrics);
    if (key == "goodput_least_gbps") add_destinations(cells, file, metrics);
    if (key == "convergence_seconds") add_faults(cells, file, metrics);
  }
  const auto absent = [&](const Metric& metric) {
    return std::ranges::none_of(cells,
                                [&](const Cell& cell) { return cell.file == file && cell.value(metric).has_value(); });
  };
  std::erase_if(metrics, absent);
  return metrics;
}

}  // namespace fabrictwin::study::comparison
