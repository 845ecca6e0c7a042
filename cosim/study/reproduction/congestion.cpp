// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion management beside independent simulators and closed forms. Of ns-3 it is the fork of the authors of HPCC
// (commit 9f4be2a), of BookSim commit 28f43299: docs/reproduction.md has their configurations.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/study/reproduction/dcqcn_fixed_point.h"
#include "cosim/study/reproduction/reproduction.h"

namespace fabrictwin::study::reproduction {
namespace {

using Read = std::function<double(const v1::Report&, const Predictions&)>;

/// 1000 of the 1048 bytes of a packet, at 100 Gb/s.
constexpr double kPayloadRate = 100.0 * 1000 / 1048;
/// Eight times 1000 packets of 1048 bytes one after the other, and 4 us there and back.
constexpr double kIncastBound = 8 * 1000 * 1048 * 8 / 100e9 * 1e6 + 4;

/// When rates and queues are looked at, in milliseconds.
struct Window {
  double from = 20;
  double to = 40;
  bool has(double seconds) const { return seconds * 1e3 > from + 1e-6 && seconds * 1e3 < to + 1e-6; }
};

/// Goodput of a flow in Gb/s.
double goodput(const v1::Report& report, int flow, Window window) {
  double bytes = 0;
  for (const v1::SeriesPoint& point : report.series().points()) {
    if (window.has(point.seconds()) && flow < point.flow_bytes_size())
      bytes += static_cast<double>(point.flow_bytes(flow));
  }
  return bytes * 8e-6 / (window.to - window.from);
}

/// The mean goodput of the flows from `first` up to, not including, `end`.
double mean_goodput(const v1::Report& report, int first, int end) {
  double sum = 0;
  for (int flow = first; flow < end; ++flow) sum += goodput(report, flow, {});
  return sum / (end - first);
}

double mean_queue_kb(const v1::Report& report, Window window) {
  double sum = 0;
  int points = 0;
  for (const v1::SeriesPoint& point : report.series().points()) {
    if (!window.has(point.seconds())) continue;
    sum += static_cast<double>(point.queue_bytes()) / 1e3;
    ++points;
  }
  return points == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / points;
}

double last_fct_us(const v1::Report& report, const Predictions&) {
  return report.flow_summary().max_fct_seconds() * 1e6;
}

double longest_queue_kb(const v1::Report& report, const Predictions&) {
  return static_cast<double>(report.queues().max_bytes()) / 1e3;
}

double accepted_percent(const v1::Report& report, const Predictions&) { return 100 * report.traffic().accepted_load(); }

Read flow_goodput(int flow) {
  return [flow](const v1::Report& report, const Predictions&) { return goodput(report, flow, {}); };
}

Read percentile(double (v1::FlowBin::*value)() const) {
  return [value](const v1::Report& report, const Predictions&) {
    const v1::FlowSummary& summary = report.flow_summary();
    return summary.bins_size() == 0 ? std::numeric_limits<double>::quiet_NaN() : (summary.bins(0).*value)();
  };
}

PublishedFigure figure(std::string id, std::string what, std::string unit, double reference, Read predicted) {
  PublishedFigure made;
  made.id = "congestion." + std::move(id);
  made.what = std::move(what);
  made.unit = std::move(unit);
  made.paper = reference;
  made.predicted = std::move(predicted);
  return made;
}

/// What ns-3 has with a scheme.
struct OfScheme {
  const char* name;
  const char* set;                        ///< A field at its default, which chooses the scheme; empty without one.
  double last_fct, queue;                 ///< Incast: us, kB.
  double victim;                          ///< Gb/s.
  double long_flow, crossing;             ///< Parking lot, Gb/s; the crossing flows in the mean.
  double slowdown_p50 = 0, slowdown_p99;  ///< Web search; 0 if ns-3 was not asked.
};

constexpr OfScheme kSchemes[] = {
    {"none", "", 668.1, 7337, 12.02, 48.03, 48.23, 1.947, 98.91},
    {"dcqcn", "congestion.dcqcn.pmax=0.2", 668.1, 7058, 96.39, 10.34, 85.89, 1.696, 12.96},
    {"hpcc", "congestion.hpcc.stages=5", 771.1, 400, 86.34, 17.25, 66.86, 1.433, 6.762},
    {"timely", "congestion.timely.gain=0.875", 676.1, 7393, 95.24, 0.64, 94.60, 1.644, 18.85},
    {"dctcp", "congestion.dctcp.gain=0.0625", 668.1, 384, 96.39, 27.91, 68.47, 0, 0},
};

/// Where few flows meet, and in the tail of many, runs with random marks differ by their seeds.
constexpr std::array<uint64_t, 5> kSeeds{0, 1, 2, 3, 4};

void add_schemes(std::vector<Run>& runs) {
  const auto run = [&](const char* file, const OfScheme& scheme, std::vector<PublishedFigure> figures) {
    Run& made = runs.emplace_back();
    made.file = fmt::format("../congestion/{}.textproto", file);
    if (*scheme.set != '\0') made.sets.emplace_back(scheme.set);
    made.figures = std::move(figures);
  };
  for (const OfScheme& scheme : kSchemes) {
    const std::string name = scheme.name;
    const std::string ns3 = name + ", ns-3";
    const bool none = *scheme.set == '\0';
    const bool random = name == "dcqcn";
    const std::string typical = random ? name + ", median of five seeds, ns-3" : ns3;
    std::vector<PublishedFigure> incast = {
        figure("ns3.incast_" + name, "8:1 incast of 1 MB, last flow: " + ns3, "us", scheme.last_fct, last_fct_us),
        figure("ns3.incast_queue_" + name, "the same, longest queue: " + ns3, "kB", scheme.queue, longest_queue_kb)};
    if (none) incast.push_back(figure("form.incast", "the same, last flow: bound", "us", kIncastBound, last_fct_us));
    run("incast8", scheme, std::move(incast));
    std::vector<PublishedFigure> victim = {
        figure("ns3.victim_" + name, "victim of an 8:1 incast: " + ns3, "Gb/s", scheme.victim, flow_goodput(8))};
    if (none) {
      victim.push_back(figure("form.victim", "the same: an eighth of the link, as pauses stop all nine alike", "Gb/s",
                              kPayloadRate / 8, flow_goodput(8)));
    }
    run("victim", scheme, std::move(victim));
    std::vector<PublishedFigure> parking = {
        figure("ns3.parking_long_" + name, "parking lot, flow over three links: " + typical, "Gb/s", scheme.long_flow,
               flow_goodput(0)),
        figure("ns3.parking_crossing_" + name, "the same, flows over one link: " + typical, "Gb/s", scheme.crossing,
               [](const v1::Report& report, const Predictions&) { return mean_goodput(report, 1, 4); })};
    if (none)
      parking.push_back(figure("form.parking", "the same, flow over three links: max-min", "Gb/s", kPayloadRate / 2,
                               flow_goodput(0)));
    run("parking-lot", scheme, std::move(parking));
    if (random) runs.back().seeds.assign(kSeeds.begin(), kSeeds.end());
    if (scheme.slowdown_p50 == 0) continue;
    run("websearch", scheme,
        {figure("ns3.websearch_p50_" + name, "web search at half load, median slowdown: " + typical, "1",
                scheme.slowdown_p50, percentile(&v1::FlowBin::slowdown_p50)),
         figure("ns3.websearch_p99_" + name, "the same, 99th percentile: " + typical, "1", scheme.slowdown_p99,
                percentile(&v1::FlowBin::slowdown_p99))});
    // Switches of ns-3 keep acknowledgements in the queues of data, which matters where data goes in both directions.
    runs.back().sets.emplace_back("transport.acknowledgements_with_data=true");
    if (random) runs.back().seeds.assign(kSeeds.begin(), kSeeds.end());
  }
}

void add_long_flows(std::vector<Run>& runs) {
  struct Long {
    int flows;
    Window window;
    double queue;  ///< Mean, in kB.
    double jain;
  };
  for (const Long& of :
       {Long{8, {20, 40}, 380.7, 0.9927}, Long{16, {20, 40}, 415.8, 0.9813}, Long{32, {30, 60}, 506.5, 0.9964}}) {
    DcqcnFluid fluid;
    fluid.flows = of.flows;
    const int flows = of.flows;
    const Window window = of.window;
    const Read queue = [window](const v1::Report& report, const Predictions&) { return mean_queue_kb(report, window); };
    Run& run = runs.emplace_back();
    run.file = fmt::format("congestion-long-{}.textproto", flows);
    run.figures = {figure(fmt::format("ns3.long{}_queue", flows),
                          fmt::format("{} long flows with DCQCN, mean queue: ns-3", flows), "kB", of.queue, queue),
                   figure(fmt::format("form.long{}_queue", flows), "the same: fixed point of the fluid model", "kB",
                          dcqcn_fixed_queue(fluid) / 1e3, queue),
                   figure(fmt::format("ns3.long{}_jain", flows), "the same, Jain index: ns-3", "1", of.jain,
                          [flows, window](const v1::Report& report, const Predictions&) {
                            double sum = 0;
                            double squares = 0;
                            for (int flow = 0; flow < flows; ++flow) {
                              const double rate = goodput(report, flow, window);
                              sum += rate;
                              squares += rate * rate;
                            }
                            return sum * sum / (flows * squares);
                          }),
                   figure(fmt::format("form.long{}_goodput", flows), "the same, all flows: 1000 of 1048 bytes", "Gb/s",
                          kPayloadRate, [flows, window](const v1::Report& report, const Predictions&) {
                            double sum = 0;
                            for (int flow = 0; flow < flows; ++flow) sum += goodput(report, flow, window);
                            return sum;
                          })};
  }
}

/// Accepted loads at full load, in percent.
struct Switch {
  int ports;
  int vcs;
  double booksim;
  double closed_form = 0;  ///< Karol, Hluchyj, Morgan 1987, table I; 0 if they do not have it.
};

constexpr Switch kSwitches[] = {{2, 1, 68.74, 75}, {4, 1, 62.53, 65.53}, {8, 1, 57.58, 61.84}, {2, 4, 86.80},
                                {4, 4, 71.30},     {8, 2, 69.78},        {8, 4, 66.71}};

void add_switches(std::vector<Run>& runs) {
  for (const Switch& of : kSwitches) {
    Run& run = runs.emplace_back();
    run.file = "congestion-switch.textproto";
    run.sets = {fmt::format("topology.fat_tree.down={}", of.ports), fmt::format("router.vcs={}", of.vcs)};
    const std::string name = fmt::format("switch{}_vcs{}", of.ports, of.vcs);
    run.figures = {figure("booksim." + name,
                          fmt::format("switch of {} ports, {} FIFO{} an input, full load: BookSim", of.ports, of.vcs,
                                      of.vcs == 1 ? "" : "s"),
                          "%", of.booksim, accepted_percent)};
    if (of.closed_form != 0)
      run.figures.push_back(figure("form." + name, "the same: closed form, whose packets have no gaps", "%",
                                   of.closed_form, accepted_percent));
  }
  Run& large = runs.emplace_back();
  large.file = "congestion-switch.textproto";
  large.sets = {"topology.fat_tree.down=32"};
  large.figures = {figure("form.switch_large",
                          "switch of 32 ports, 1 FIFO an input, full load: 2 - sqrt 2 of infinitely many", "%",
                          100 * (2 - std::sqrt(2.0)), accepted_percent)};
}

/// The ideal: exact max-min fairness.
void add_max_min(std::vector<Run>& runs) {
  const std::vector<std::string> sets = {"congestion.max_min.target=1"};
  Run& victim = runs.emplace_back();
  victim.file = "../congestion/victim.textproto";
  victim.sets = sets;
  victim.figures = {figure("form.victim_max_min", "victim of an 8:1 incast: max_min, water-filling", "Gb/s",
                           kPayloadRate, flow_goodput(8)),
                    figure("form.incast_max_min", "the same, each flow of the incast", "Gb/s", kPayloadRate / 8,
                           [](const v1::Report& report, const Predictions&) { return mean_goodput(report, 0, 8); })};
  Run& parking = runs.emplace_back();
  parking.file = "../congestion/parking-lot.textproto";
  parking.sets = sets;
  parking.figures = {figure("form.parking_max_min", "parking lot, flow over three links: max_min, water-filling",
                            "Gb/s", kPayloadRate / 2, flow_goodput(0))};
}

double accepted_of(const v1::Report& report, std::string_view name) {
  for (const v1::ClassReport& of : report.classes()) {
    if (of.name() == name) return 100 * of.accepted_load();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// Victims of a hotspot on a torus: BookSim's accepted loads in percent.
void add_hotspot(std::vector<Run>& runs) {
  struct Hotspot {
    const char* load;
    double victims;
    double hot;  ///< 0 where its link is not full.
  };
  for (const Hotspot& of : {Hotspot{"0.01", 10.16, 0}, Hotspot{"0.02", 6.689, 93.1}, Hotspot{"0.05", 2.437, 97.35},
                            Hotspot{"0.2", 1.322, 98.4}}) {
    Run& run = runs.emplace_back();
    run.file = "../congestion/hotspot-torus.textproto";
    run.sets = {fmt::format("workload.traffic.class[0].load={}", of.load)};
    run.figures = {figure(
        fmt::format("booksim.hotspot_victims_{}", of.load),
        fmt::format("torus 8x8, hosts send {} to one of them and 0.1 to any, the latter accepted: BookSim", of.load),
        "%", of.victims, [](const v1::Report& report, const Predictions&) { return accepted_of(report, "victims"); })};
    if (of.hot == 0) continue;
    run.figures.push_back(
        figure(fmt::format("booksim.hotspot_hot_{}", of.load), "the same, accepted by the one: BookSim", "%", of.hot,
               [](const v1::Report& report, const Predictions&) { return accepted_of(report, "hot"); }));
  }
}

/// The congestion impact factors of GPCNeT on 64 nodes with Slingshot, beside those of the scheme in its manner.
void add_gpcnet(std::vector<Run>& runs) {
  Run& run = runs.emplace_back();
  run.file = "../congestion/gpcnet.textproto";
  // The buffers of the experiment are too small for queues that the scheme could see.
  run.sets = {"router.vc_buffer_flits=2048", "congestion.back_pressure.stop=16KiB",
              "congestion.back_pressure.resume=8KiB"};
  const auto factor = [](std::string_view test) {
    return [test = std::string(test)](const v1::Report& report, const Predictions&) {
      for (const v1::GpcnetRow& row : report.gpcnet().rows()) {
        if (row.test().find(test) != std::string::npos) return row.cif_mean();
      }
      return std::numeric_limits<double>::quiet_NaN();
    };
  };
  run.figures = {figure("gpcnet.latency", "GPCNeT, 64 hosts, back-pressure, impact factor of RR latency: Slingshot",
                        "1", 1, factor("Lat")),
                 figure("gpcnet.bandwidth", "the same, of RR bandwidth: Slingshot", "1", 1, factor("BW")),
                 figure("gpcnet.allreduce", "the same, of allreduce: Slingshot", "1", 1, factor("Allreduce"))};
}

}  // namespace

Reproduction congestion_reproduction() {
  Reproduction made;
  made.name = "congestion";
  made.about = "congestion management beside ns-3, BookSim and closed forms";
  add_schemes(made.runs);
  add_long_flows(made.runs);
  add_switches(made.runs);
  add_max_min(made.runs);
  add_hotspot(made.runs);
  add_gpcnet(made.runs);
  return made;
}

}  // namespace fabrictwin::study::reproduction
