// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/point/run_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "cosim/study/point/window_metrics.h"

namespace fabrictwin::study::point {
namespace {

using Reports = std::span<const v1::Report* const>;
using Value = std::optional<double>;
constexpr auto kTraffic = RunMetric::Subject::kTraffic;

/// The slowdown of the job that the others slow down most.
Value job_slowdown(const v1::Report& report) {
  Value most;
  for (const v1::JobReport& job : report.jobs()) {
    if (job.has_slowdown()) most = std::max(most.value_or(0), job.slowdown());
  }
  return most;
}

/// A congestion impact factor of a test of GPCNeT.
template <int row, double (v1::GpcnetRow::*get)() const>
Value impact(const v1::Report& report) {
  if (report.gpcnet().rows_size() <= row || (report.gpcnet().rows(row).*get)() == 0) return std::nullopt;
  return (report.gpcnet().rows(row).*get)();
}

/// The first bin is that of all flows that have finished.
template <double (v1::FlowBin::*get)() const>
Value completion(const v1::Report& report) {
  if (report.flow_summary().bins_size() == 0) return std::nullopt;
  return (report.flow_summary().bins(0).*get)();
}

template <double (v1::FlowBin::*get)() const>
Value slowdown(const v1::Report& report) {
  if (report.flow_summary().bins_size() == 0 || report.flow_summary().bins(0).slowdown_mean() == 0) return std::nullopt;
  return completion<get>(report);
}

/// Of packets of traffic.
template <double (v1::LatencySeconds::*get)() const>
Value latency(const v1::Report& report) {
  if (!report.traffic().has_latency_seconds()) return std::nullopt;
  return (report.traffic().latency_seconds().*get)();
}

/// The least accepted load of a class of traffic.
Value least_class(const v1::Report& report) {
  Value least;
  for (const v1::ClassReport& traffic : report.classes()) {
    least = std::min(least.value_or(traffic.accepted_load()), traffic.accepted_load());
  }
  return least;
}

/// What was received by a host, over the time of the run.
Value goodput_to(const v1::Report& report, int32_t host) {
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

void add_destinations(Reports reports, std::vector<RunMetric>& metrics) {
  std::set<int32_t> hosts;
  for (const v1::Report* report : reports) {
    for (const v1::FlowReport& flow : report->flows()) hosts.insert(flow.destination());
  }
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

void add_classes(Reports reports, std::vector<RunMetric>& metrics) {
  std::vector<std::string> names;
  for (const v1::Report* report : reports) {
    for (const v1::ClassReport& of : report->classes()) add_name(of.name(), names);
  }
  if (names.size() < 2 || names.size() > kMostApart) return;
  for (const std::string& name : names) {
    const auto accepted = [name](const v1::Report& report) -> Value {
      for (const v1::ClassReport& of : report.classes()) {
        if (of.name() == name) return of.accepted_load();
      }
      return std::nullopt;
    };
    metrics.push_back({fmt::format("class_{}_accepted", name), name + " %", 2, 100, accepted, true, kTraffic});
    const auto goodput = [name](const v1::Report& report) -> Value {
      for (const v1::ClassReport& of : report.classes()) {
        if (of.name() == name && of.has_goodput_gbps()) return of.goodput_gbps();
      }
      return std::nullopt;
    };
    metrics.push_back({fmt::format("class_{}_goodput_gbps", name), name + " Gbit/s", 2, 1, goodput, false, kTraffic});
    const auto recovery = [name](const v1::Report& report) -> Value {
      for (const v1::ClassReport& of : report.classes()) {
        if (of.name() == name && of.has_goodput_recovery_seconds()) return of.goodput_recovery_seconds();
      }
      return std::nullopt;
    };
    metrics.push_back({fmt::format("class_{}_goodput_recovery_seconds", name), "back after " + name + " us", 1, 1e6,
                       recovery, true, kTraffic});
  }
  for (const std::string& name : names) {
    const auto latency = [name](double (v1::LatencySeconds::*get)() const) {
      return [name, get](const v1::Report& report) -> Value {
        for (const v1::ClassReport& of : report.classes()) {
          if (of.name() == name && of.has_latency()) return (of.latency().*get)();
        }
        return std::nullopt;
      };
    };
    metrics.push_back({fmt::format("class_{}_latency_mean_seconds", name), name + " us", 2, 1e6,
                       latency(&v1::LatencySeconds::mean), true, kTraffic});
    metrics.push_back({fmt::format("class_{}_latency_p99_seconds", name), name + " p99", 2, 1e6,
                       latency(&v1::LatencySeconds::p99), true, kTraffic});
  }
}

/// How long it takes after the end of each fault until what waited for its link has left, and until goodput is back.
void add_faults(Reports reports, std::vector<RunMetric>& metrics) {
  int faults = 0;
  for (const v1::Report* report : reports) faults = std::max(faults, report->faults_size());
  if (faults > static_cast<int>(kMostApart)) return;
  for (int fault = 0; fault < faults; ++fault) {
    const auto recovery = [fault](const v1::Report& report) -> Value {
      const bool known = report.faults_size() > fault && report.faults(fault).has_recovery_seconds();
      return known ? std::optional(report.faults(fault).recovery_seconds()) : std::nullopt;
    };
    metrics.push_back({fmt::format("fault_{}_recovery_seconds", fault),
                       faults == 1 ? "recovery us" : fmt::format("recovery {} us", fault), 1, 1e6, recovery});
    const auto goodput = [fault](const v1::Report& report) -> Value {
      const bool known = report.faults_size() > fault && report.faults(fault).has_goodput_recovery_seconds();
      return known ? std::optional(report.faults(fault).goodput_recovery_seconds()) : std::nullopt;
    };
    metrics.push_back({fmt::format("fault_{}_goodput_recovery_seconds", fault),
                       faults == 1 ? "goodput back us" : fmt::format("goodput {} back us", fault), 1, 1e6, goodput});
  }
}

/// The times of jobs that have ended; those in the background have no end of their own. And the goodputs of all.
void add_jobs(Reports reports, std::vector<RunMetric>& metrics) {
  std::vector<std::string> ending;
  std::vector<std::string> names;
  for (const v1::Report* report : reports) {
    for (const v1::JobReport& job : report->jobs()) {
      if (!job.background()) add_name(job.name(), ending);
      add_name(job.name(), names);
    }
  }
  if (names.size() > kMostApart) return;
  for (const std::string& name : ending) {
    const auto finish = [name](const v1::Report& report) -> Value {
      for (const v1::JobReport& job : report.jobs()) {
        if (job.name() == name && job.completions() > 0) return job.finish_seconds();
      }
      return std::nullopt;
    };
    metrics.push_back(
        {fmt::format("job_{}_seconds", name), ending.size() == 1 ? "job us" : name + " us", 1, 1e6, finish});
  }
  for (const std::string& name : names) {
    const auto goodput = [name](const v1::Report& report) -> Value {
      for (const v1::JobReport& job : report.jobs()) {
        if (job.name() == name && job.has_goodput_gbps()) return job.goodput_gbps();
      }
      return std::nullopt;
    };
    metrics.push_back({fmt::format("job_{}_goodput_gbps", name), name + " Gbit/s", 2, 1, goodput, false});
  }
}

/// The least and the greatest size of flows that are told together.
using Sizes = std::pair<uint64_t, uint64_t>;

/// "up_to_100kB", "above_10MB": bounds are powers of ten.
std::string name_of(const Sizes& sizes) {
  const bool open = sizes.second == std::numeric_limits<uint64_t>::max();
  const uint64_t bound = open ? sizes.first : sizes.second;
  const std::string text = bound % 1'000'000 == 0 ? fmt::format("{}MB", bound / 1'000'000)
                           : bound % 1000 == 0    ? fmt::format("{}kB", bound / 1000)
                                                  : fmt::format("{}B", bound);
  return (open ? "above_" : "up_to_") + text;
}

/// Completion times and slowdowns by size, where there are several.
void add_sizes(Reports reports, std::vector<RunMetric>& metrics) {
  std::set<Sizes> all;
  for (const v1::Report* report : reports) {
    // The first one has flows of all sizes.
    for (int i = 1; i < report->flow_summary().bins_size(); ++i)
      all.emplace(report->flow_summary().bins(i).above_bytes(), report->flow_summary().bins(i).up_to_bytes());
  }
  if (all.size() < 2) return;
  struct Percentile {
    const char* name;
    double (v1::FlowBin::*slowdown)() const;
    double (v1::FlowBin::*completion)() const;
  };
  constexpr std::array kPercentiles = {Percentile{"p50", &v1::FlowBin::slowdown_p50, &v1::FlowBin::fct_p50_seconds},
                                       Percentile{"p95", &v1::FlowBin::slowdown_p95, &v1::FlowBin::fct_p95_seconds},
                                       Percentile{"p99", &v1::FlowBin::slowdown_p99, &v1::FlowBin::fct_p99_seconds}};
  for (const Sizes& sizes : all) {
    const auto value = [sizes](double (v1::FlowBin::*get)() const, bool slowdown) {
      return [sizes, get, slowdown](const v1::Report& report) -> Value {
        for (int i = 1; i < report.flow_summary().bins_size(); ++i) {
          const v1::FlowBin& bin = report.flow_summary().bins(i);
          if (Sizes(bin.above_bytes(), bin.up_to_bytes()) != sizes) continue;
          return slowdown && !bin.has_slowdown_mean() ? std::nullopt : Value((bin.*get)());
        }
        return std::nullopt;
      };
    };
    const std::string name = name_of(sizes);
    const auto add = [&](std::string key, double scale, std::function<Value(const v1::Report&)> of) {
      metrics.push_back({std::move(key), name, 3, scale, std::move(of), false, RunMetric::Subject::kCongestion, false});
    };
    for (const Percentile& percentile : kPercentiles) {
      add(fmt::format("fct_{}_{}_seconds", percentile.name, name), 1e6, value(percentile.completion, false));
      add(fmt::format("slowdown_{}_{}", percentile.name, name), 1, value(percentile.slowdown, true));
    }
  }
}

/// Those that every report may have.
const std::vector<RunMetric>& all_metrics() {
  static const std::vector<RunMetric> metrics = {
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
      {"fct_p50_seconds", "FCT p50 us", 1, 1e6, completion<&v1::FlowBin::fct_p50_seconds>, false},
      {"fct_p95_seconds", "p95", 1, 1e6, completion<&v1::FlowBin::fct_p95_seconds>, false},
      {"fct_p99_seconds", "p99", 1, 1e6, completion<&v1::FlowBin::fct_p99_seconds>, false},
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
       },
       true, kTraffic},
      {"latency_mean_seconds", "latency us", 2, 1e6, latency<&v1::LatencySeconds::mean>, true, kTraffic},
      {"latency_p99_seconds", "p99 us", 2, 1e6, latency<&v1::LatencySeconds::p99>, true, kTraffic},
      {"class_least_accepted", "least class %", 2, 100, least_class},
      {"goodput_gbps", "Gbit/s", 2, 1,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_goodput_gbps() ? Value(r.flow_summary().goodput_gbps()) : std::nullopt;
       }},
      {"goodput_least_gbps", "least", 2, 1,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_least_goodput_gbps() ? Value(r.flow_summary().least_goodput_gbps()) : std::nullopt;
       }},
      {"jain_index", "Jain", 4, 1,
       [](const v1::Report& r) -> Value {
         return r.flow_summary().has_jain_index() ? Value(r.flow_summary().jain_index()) : std::nullopt;
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
      {"queue_mean_bytes", "mean kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.queues().has_p50_bytes() ? Value(r.queues().mean_bytes()) : std::nullopt;
       },
       false},
      {"queue_p50_bytes", "p50 kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.queues().has_p50_bytes() ? Value(r.queues().p50_bytes()) : std::nullopt;
       },
       false},
      {"queue_p99_bytes", "p99 kB", 1, 1e-3,
       [](const v1::Report& r) -> Value {
         return r.queues().has_p99_bytes() ? Value(r.queues().p99_bytes()) : std::nullopt;
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

}  // namespace

std::vector<RunMetric> metrics_of(Reports reports) {
  std::vector<RunMetric> metrics;
  for (const RunMetric& metric : all_metrics()) {
    metrics.push_back(metric);
    const std::string_view key = metric.key;
    if (key == "simulated_seconds") add_jobs(reports, metrics);
    if (key == "slowdown_p99") add_sizes(reports, metrics);
    if (key == "class_least_accepted") add_classes(reports, metrics);
    if (key == "goodput_least_gbps") add_destinations(reports, metrics);
    if (key == "jain_over_max_min") add_window_metrics(reports, metrics);
    if (key == "convergence_seconds") add_faults(reports, metrics);
  }
  const auto absent = [reports](const RunMetric& metric) {
    return std::ranges::none_of(reports, [&](const v1::Report* report) { return metric.value(*report).has_value(); });
  };
  std::erase_if(metrics, absent);
  return metrics;
}

}  // namespace fabrictwin::study::point
