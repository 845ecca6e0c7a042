// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The plots of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "cosim/study/comparison/comparison.h"
#include "dashboards/report/bar_plot.h"
#include "dashboards/report/plot_stack.h"

namespace fabrictwin::study::comparison {
namespace {

using dashboards::report::BarPlot;
using dashboards::report::LinePlot;
using dashboards::report::Picture;
using dashboards::report::PlotPoint;

/// Goodputs are shown by destination if there are no more.
constexpr size_t kMostDestinations = 8;
/// So many of them have a diagram over time each.
constexpr size_t kMostOverTime = 4;
/// A distribution of fewer flows is not drawn, and no curve of one has more points.
constexpr size_t kLeastFlows = 8;
constexpr size_t kMostSteps = 256;

/// A scheme and the report of its first run.
struct Shown {
  std::string scheme;
  const v1::Report* report;
};

struct Plots {
  std::vector<LinePlot> lines;
  std::vector<BarPlot> bars;
};

std::vector<Shown> shown_of(const std::vector<Cell>& cells, const std::string& file) {
  std::vector<Shown> shown;
  for (const Cell& cell : cells) {
    if (cell.runs.empty()) continue;
    const Cell::Run& run = cell.runs.front();
    if (cell.file == file && run.done && run.status.ok()) shown.push_back({cell.scheme, &run.report});
  }
  return shown;
}

/// The destinations of flows, of all of which a series has the bytes.
std::set<int32_t> destinations_of(const std::vector<Shown>& shown) {
  std::set<int32_t> destinations;
  for (const Shown& of : shown) {
    for (const v1::FlowReport& flow : of.report->flows()) destinations.insert(flow.destination());
  }
  return destinations;
}

/// Goodput over time of the flows for which `counts` is true; of all if the series has only their sum.
template <typename Counts>
std::vector<PlotPoint> goodput_of(const v1::Report& report, const Counts& counts) {
  std::vector<PlotPoint> points;
  double before = 0;
  for (const v1::SeriesPoint& point : report.series().points()) {
    uint64_t bytes = 0;
    for (int flow = 0; flow < point.flow_bytes_size(); ++flow) {
      if (counts(flow)) bytes += point.flow_bytes(flow);
    }
    points.push_back({point.seconds() * 1e3, static_cast<double>(bytes) * 8e-9 / (point.seconds() - before)});
    before = point.seconds();
  }
  return points;
}

/// The mean over time of the rates that a scheme gives to flows which send.
std::vector<PlotPoint> allowed_rates(const v1::Report& report) {
  std::vector<PlotPoint> points;
  for (const v1::SeriesPoint& point : report.series().points()) {
    double sum = 0;
    int sending = 0;
    for (const uint64_t rate : point.flow_rate_bps()) {
      sum += static_cast<double>(rate);
      if (rate > 0) ++sending;
    }
    if (sending > 0) points.push_back({point.seconds() * 1e3, sum * 1e-9 / sending});
  }
  return points;
}

/// Goodput over time of each class of traffic, by its name.
void add_classes(const std::string& name, const std::vector<Shown>& shown, Plots& plots) {
  std::map<std::string, LinePlot> of_class;
  for (const Shown& of : shown) {
    if (of.report->series().points_size() == 0) continue;
    for (int i = 0; i < of.report->series().points(0).class_bytes_size(); ++i) {
      const std::string label = i < of.report->classes_size() ? "class " + of.report->classes(i).name() : "traffic";
      std::vector<PlotPoint> points;
      double before = 0;
      for (const v1::SeriesPoint& point : of.report->series().points()) {
        points.push_back(
            {point.seconds() * 1e3, static_cast<double>(point.class_bytes(i)) * 8e-9 / (point.seconds() - before)});
        before = point.seconds();
      }
      of_class
          .try_emplace(label, fmt::format("{}: goodput of {}", name, label), dashboards::report::PlotAxis{"time", "ms"},
                       dashboards::report::PlotAxis{"goodput", "Gbit/s", false, 0.0})
          .first->second.add_line(of.scheme, std::move(points));
    }
  }
  for (auto& [label, plot] : of_class) plots.lines.push_back(std::move(plot));
}

void add_series(const std::string& name, const std::vector<Shown>& shown, Plots& plots) {
  if (std::ranges::none_of(shown, [](const Shown& of) { return of.report->series().points_size() > 0; })) return;
  LinePlot all(name + ": goodput of all flows", {"time", "ms"}, {"goodput", "Gbit/s", false, 0.0});
  LinePlot queue(name + ": longest queue", {"time", "ms"}, {"queue", "kB", false, 0.0});
  LinePlot set_aside(name + ": set-aside queues", {"time", "ms"}, {"queues", "", false, 0.0});
  LinePlot allowed(name + ": rate that a flow may send at, mean", {"time", "ms"}, {"rate", "Gbit/s", false, 0.0});
  for (const Shown& of : shown) {
    all.add_line(of.scheme, goodput_of(*of.report, [](int) { return true; }));
    std::vector<PlotPoint> queues;
    for (const v1::SeriesPoint& point : of.report->series().points())
      queues.push_back({point.seconds() * 1e3, static_cast<double>(point.queue_bytes()) / 1e3});
    queue.add_line(of.scheme, std::move(queues));
    std::vector<PlotPoint> aside;
    for (const v1::SeriesPoint& point : of.report->series().points())
      aside.push_back({point.seconds() * 1e3, static_cast<double>(point.set_aside())});
    set_aside.add_line(of.scheme, std::move(aside));
    std::vector<PlotPoint> rates = allowed_rates(*of.report);
    if (!rates.empty()) allowed.add_line(of.scheme, std::move(rates));
  }
  if (std::ranges::any_of(shown, [](const Shown& of) { return of.report->queues().has_set_aside_most(); }))
    plots.lines.push_back(std::move(set_aside));
  const auto any = [&](auto has) {
    return std::ranges::any_of(shown, [&](const Shown& of) {
      return of.report->series().points_size() > 0 && has(of.report->series().points(0)) > 0;
    });
  };
  if (any([](const v1::SeriesPoint& point) { return point.flow_bytes_size(); })) plots.lines.push_back(std::move(all));
  if (any([](const v1::SeriesPoint& point) { return point.class_bytes_size(); })) add_classes(name, shown, plots);
  const std::set<int32_t> destinations = destinations_of(shown);
  const bool apart = std::ranges::all_of(shown, [](const Shown& of) {
    return of.report->series().points_size() == 0 ||
           of.report->series().points(0).flow_bytes_size() == of.report->flows_size();
  });
  if (apart && destinations.size() > 1 && destinations.size() <= kMostOverTime) {
    for (const int32_t destination : destinations) {
      LinePlot plot(fmt::format("{}: goodput to host {}", name, destination), {"time", "ms"},
                    {"goodput", "Gbit/s", false, 0.0});
      for (const Shown& of : shown) {
        plot.add_line(of.scheme, goodput_of(*of.report, [&](int flow) {
                        return of.report->flows(flow).destination() == destination;
                      }));
      }
      plots.lines.push_back(std::move(plot));
    }
  }
  if (any([](const v1::SeriesPoint& point) { return point.flow_rate_bps_size(); }))
    plots.lines.push_back(std::move(allowed));
  if (any([](const v1::SeriesPoint& point) { return point.has_queue_bytes() ? 1 : 0; }))
    plots.lines.push_back(std::move(queue));
}

void add_slowdowns(const std::string& name, const std::vector<Shown>& shown, Plots& plots) {
  struct Percentile {
    const char* title;
    double (v1::FlowBin::*value)() const;
  };
  for (const Percentile& of : {Percentile{"median of slowdowns", &v1::FlowBin::slowdown_p50},
                               Percentile{"99th percentile of slowdowns", &v1::FlowBin::slowdown_p99}}) {
    LinePlot plot(fmt::format("{}: {}", name, of.title), {"size of flows up to", "B", true},
                  {"slowdown", "FCT / FCT alone", true, 1.0});
    bool any = false;
    for (const Shown& each : shown) {
      const v1::FlowSummary& summary = each.report->flow_summary();
      std::vector<PlotPoint> points;
      // The first bin has all flows.
      for (int i = 1; summary.bins_size() > 2 && i < summary.bins_size(); ++i) {
        const v1::FlowBin& bin = summary.bins(i);
        if ((bin.*of.value)() <= 0) continue;
        // Flows of the last bin are larger than its lower bound.
        const bool open = bin.up_to_bytes() == ~uint64_t{0};
        points.push_back({static_cast<double>(open ? 10 * bin.above_bytes() : bin.up_to_bytes()), (bin.*of.value)()});
      }
      any = any || points.size() > 1;
      plot.add_line(each.scheme, std::move(points));
    }
    if (any) plots.lines.push_back(std::move(plot));
  }
}

/// The share of flows that have taken at most so long.
void add_distribution(const std::string& name, const std::vector<Shown>& shown, Plots& plots) {
  LinePlot plot(name + ": flow completion times", {"FCT", "us", true}, {"share of flows", "%", false, 0.0, 100.0});
  bool any = false;
  for (const Shown& of : shown) {
    std::vector<double> times;
    for (const v1::FlowReport& flow : of.report->flows()) {
      if (flow.fct_seconds() > 0) times.push_back(flow.fct_seconds() * 1e6);
    }
    if (times.size() < kLeastFlows) continue;
    any = true;
    std::sort(times.begin(), times.end());
    const size_t steps = std::min(times.size(), kMostSteps);
    std::vector<PlotPoint> points;
    for (size_t step = 1; step <= steps; ++step) {
      const size_t rank = step * times.size() / steps;
      points.push_back({times[rank - 1], 100.0 * static_cast<double>(rank) / static_cast<double>(times.size())});
    }
    plot.add_line(of.scheme, std::move(points));
  }
  if (any) plots.lines.push_back(std::move(plot));
}

std::vector<std::string> schemes_of(const std::vector<Shown>& shown) {
  std::vector<std::string> schemes;
  for (const Shown& of : shown) schemes.push_back(of.scheme);
  return schemes;
}

/// Adds a bar to each scheme for each name that `values` gives for a report; nothing if there are none.
template <typename Values>
void add_bars(std::string title, dashboards::report::PlotAxis y, const std::vector<Shown>& shown, const Values& values,
              Plots& plots) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::optional<double>>> bars;
  for (size_t scheme = 0; scheme < shown.size(); ++scheme) {
    for (const auto& [name, value] : values(*shown[scheme].report)) {
      std::vector<std::optional<double>>& bar = bars[name];
      if (bar.empty()) names.push_back(name);
      bar.resize(shown.size());
      bar[scheme] = value;
    }
  }
  if (names.empty()) return;
  BarPlot plot(std::move(title), std::move(y), schemes_of(shown));
  for (const std::string& name : names) plot.add_bars(name, bars[name]);
  plots.bars.push_back(std::move(plot));
}

using Named = std::vector<std::pair<std::string, double>>;

Named goodput_by_destination(const v1::Report& report, const std::set<int32_t>& destinations) {
  Named values;
  for (const int32_t destination : destinations) {
    double sum = 0;
    int flows = 0;
    for (const v1::FlowReport& flow : report.flows()) {
      if (flow.destination() != destination) continue;
      sum += flow.goodput_gbps();
      ++flows;
    }
    if (flows > 0)
      values.emplace_back(fmt::format("{} flow{} to host {}", flows, flows == 1 ? "" : "s", destination), sum / flows);
  }
  return values;
}

Plots plots_of(const std::vector<Cell>& cells, const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  const std::vector<Shown> shown = shown_of(cells, file);
  Plots plots;
  const std::set<int32_t> destinations = destinations_of(shown);
  if (destinations.size() > 1 && destinations.size() <= kMostDestinations) {
    add_bars(
        name + ": mean goodput of a flow", {"goodput", "Gbit/s"}, shown,
        [&](const v1::Report& report) { return goodput_by_destination(report, destinations); }, plots);
  }
  add_bars(
      name + ": slowdown of jobs", {"slowdown", "time / time alone"}, shown,
      [](const v1::Report& report) {
        Named values;
        for (const v1::JobReport& job : report.jobs()) {
          if (job.has_slowdown()) values.emplace_back(job.name(), job.slowdown());
        }
        return values;
      },
      plots);
  add_bars(
      name + ": time of jobs", {"time", "ms"}, shown,
      [](const v1::Report& report) {
        Named values;
        for (const v1::JobReport& job : report.jobs()) {
          if (!job.background() && job.completions() > 0) values.emplace_back(job.name(), job.finish_seconds() * 1e3);
        }
        return values;
      },
      plots);
  add_bars(
      name + ": accepted load by class", {"accepted load", ""}, shown,
      [](const v1::Report& report) {
        Named values;
        for (const v1::ClassReport& of : report.classes()) values.emplace_back(of.name(), of.accepted_load());
        return values;
      },
      plots);
  for (const bool tail : {false, true}) {
    add_bars(
        fmt::format("{}: congestion impact factor, {}", name, tail ? "99th percentile" : "mean"),
        {"CIF", "congested / isolated"}, shown,
        [tail](const v1::Report& report) {
          Named values;
          for (const v1::GpcnetRow& row : report.gpcnet().rows())
            values.emplace_back(row.test(), tail ? row.cif_p99() : row.cif_mean());
          return values;
        },
        plots);
  }
  add_series(name, shown, plots);
  add_slowdowns(name, shown, plots);
  add_distribution(name, shown, plots);
  return plots;
}

}  // namespace

absl::StatusOr<std::optional<std::string>> to_svg(const std::vector<Cell>& cells, const std::string& file) {
  const Plots plots = plots_of(cells, file);
  std::vector<Picture> pictures;
  for (const BarPlot& plot : plots.bars) {
    absl::StatusOr<Picture> picture = plot.picture();
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  for (const LinePlot& plot : plots.lines) {
    absl::StatusOr<Picture> picture = dashboards::report::picture_of(plot);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  if (pictures.empty()) return std::optional<std::string>();
  return std::optional<std::string>(dashboards::report::stack_pictures(pictures));
}

std::string plot_csv(const std::vector<Cell>& cells, const std::string& file) {
  const Plots plots = plots_of(cells, file);
  std::string text;
  for (const BarPlot& plot : plots.bars) text += plot.csv();
  for (const LinePlot& plot : plots.lines) text += plot.csv();
  return text.empty() ? text : "plot,series,x,y\n" + text;
}

}  // namespace fabrictwin::study::comparison
