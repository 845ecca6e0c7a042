// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "dashboards/history/result.h"
#include "dashboards/html/page.h"
#include "dashboards/pages/activity_sections.h"
#include "dashboards/pages/congestion_sections.h"
#include "dashboards/pages/network_map.h"
#include "dashboards/pages/partition_sections.h"
#include "dashboards/pages/provenance_facts.h"
#include "dashboards/pages/result_page.h"

namespace fabrictwin::dashboards::pages {
namespace {

using html::Chart;
using html::Page;
using html::Table;

constexpr size_t kBusiestLinks = 20;
/// A curve of sorted values has no more points.
constexpr size_t kMostPoints = 1000;
/// More curves in one chart cannot be told apart.
constexpr int kMostFlowCurves = 16;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void add_summary(const v1::Report& report, Page& page) {
  const v1::RunInfo& run = report.run();
  std::vector<std::pair<std::string, std::string>> facts = {
      {"Status", report.complete() ? "complete" : "ended early: " + report.reason()},
      {"Experiment", run.experiment()},
      {"Topology", run.topology()},
      {"Seed", fmt::format("{}", run.seed())},
      {"Simulated time", fmt::format("{:.6g} s", report.simulated_seconds())},
      {"Wall time", fmt::format("{:.3g} s on {} thread(s)", report.wall_seconds(), run.threads())},
      {"Packets delivered",
       fmt::format("{}, {} bytes of payload", report.packets_delivered(), report.bytes_delivered())},
      {"Timing digest", report.timing_digest()},
      {"Payload digest", report.payload_digest()},
  };
  if (report.has_provenance()) {
    for (auto& fact : provenance_facts(report.provenance())) facts.push_back(std::move(fact));
  }
  page.add_facts("Summary", std::move(facts));
  Table warnings{"Warnings", {"what"}, {}};
  for (const std::string& warning : report.warnings()) warnings.rows.push_back({warning});
  for (const std::string& violation : report.violations()) warnings.rows.push_back({violation});
  if (!warnings.rows.empty()) page.add_table(std::move(warnings));
}

void add_jobs(const v1::Report& report, Page& page) {
  Table jobs{"Jobs", {"job", "ranks", "finished at [ms]", "slowdown"}, {}};
  for (const v1::JobReport& job : report.jobs()) {
    jobs.rows.push_back({job.name(), fmt::format("{}", job.ranks()), fmt::format("{:.6g}", job.finish_seconds() * 1e3),
                         job.has_slowdown() ? fmt::format("{:.4g}", job.slowdown()) : ""});
  }
  if (!jobs.rows.empty()) page.add_table(std::move(jobs));
}

void add_ranks(const v1::Report& report, Page& page) {
  if (report.ranks_size() == 0) return;
  Chart chart{
      "Ranks", {"rank", ""}, {"simulated time", "ms"}, {}, {{"compute and communication", {}}, {"communication", {}}},
      true};
  chart.bars = report.ranks_size() <= 256;
  for (const v1::Rank& rank : report.ranks()) {
    chart.x.push_back(rank.rank());
    chart.curves[0].y.push_back((rank.compute_seconds() + rank.communication_seconds()) * 1e3);
    chart.curves[1].y.push_back(rank.communication_seconds() * 1e3);
  }
  page.add_chart(std::move(chart));
}

void add_classes(const v1::Report& report, Page& page) {
  Table classes{"Traffic classes", {"class", "offered load", "accepted load", "p50 [us]", "p99 [us]"}, {}};
  for (const v1::ClassReport& of : report.classes()) {
    classes.rows.push_back({of.name(), fmt::format("{:.4g}", of.offered_load()),
                            fmt::format("{:.4g}", of.accepted_load()), fmt::format("{:.4g}", of.latency().p50() * 1e6),
                            fmt::format("{:.4g}", of.latency().p99() * 1e6)});
  }
  if (!classes.rows.empty()) page.add_table(std::move(classes));
  if (!report.has_traffic()) return;
  const v1::TrafficReport& traffic = report.traffic();
  page.add_facts("Traffic", {{"Offered load", fmt::format("{:.4g}", traffic.offered_load())},
                             {"Accepted load", fmt::format("{:.4g}", traffic.accepted_load())},
                             {"Mean latency", fmt::format("{:.4g} us", traffic.mean_latency_seconds() * 1e6)},
                             {"Longest latency", fmt::format("{:.4g} us", traffic.max_latency_seconds() * 1e6)}});
}

/// The distribution, where the report has it, and its percentiles.
void add_latency(const v1::LatencySeconds& latency, const std::string& title, Page& page) {
  if (latency.count() == 0) return;
  if (latency.histogram_size() > 1) {
    Chart chart{title, {"latency", "us", 10}, {"share of all", "%"}, {}, {{"cumulative", {}}}};
    uint64_t count = 0;
    for (const v1::HistogramBucket& bucket : latency.histogram()) {
      count += bucket.count();
      chart.x.push_back(bucket.greatest() * 1e6);
      chart.curves[0].y.push_back(100.0 * static_cast<double>(count) / static_cast<double>(latency.count()));
    }
    page.add_chart(std::move(chart));
  }
  Table table{title + ", percentiles", {"percentile", "us"}, {}};
  const auto add = [&](const char* name, double seconds) {
    table.rows.push_back({name, fmt::format("{:.5g}", seconds * 1e6)});
  };
  add("least", latency.min());
  add("50", latency.p50());
  add("90", latency.p90());
  add("99", latency.p99());
  add("99.9", latency.p99_9());
  add("99.99", latency.p99_99());
  add("most", latency.max());
  page.add_table(std::move(table));
}

void add_flows(const v1::Report& report, Page& page) {
  std::vector<const v1::FlowReport*> finished;
  for (const v1::FlowReport& flow : report.flows()) {
    if (flow.has_fct_seconds()) finished.push_back(&flow);
  }
  if (finished.empty()) return;
  std::ranges::stable_sort(finished, {}, [](const v1::FlowReport* flow) { return flow->bytes(); });
  Chart slowdown{"Slowdown of flows", {"size", "B", 10}, {"FCT / FCT alone", "", 10}, {}, {{"flow", {}, true}}};
  for (const v1::FlowReport* flow : finished) {
    slowdown.x.push_back(static_cast<double>(flow->bytes()));
    slowdown.curves[0].y.push_back(flow->has_slowdown() ? flow->slowdown() : kNone);
  }
  page.add_chart(std::move(slowdown));
  std::ranges::stable_sort(finished, {}, [](const v1::FlowReport* flow) { return flow->fct_seconds(); });
  Chart times{"Flow completion times", {"FCT", "us", 10}, {"share of flows", "%"}, {}, {{"flows", {}}}};
  for (size_t i = 0; i < finished.size(); ++i) {
    times.x.push_back(finished[i]->fct_seconds() * 1e6);
    times.curves[0].y.push_back(100.0 * static_cast<double>(i + 1) / static_cast<double>(finished.size()));
  }
  page.add_chart(std::move(times));
}

/// What a scheme of congestion management lets flows do, of the first ones where there are many.
void add_allowances(const v1::Report& report, const v1::SeriesReport& series, Page& page) {
  const int flows = std::min(series.points(0).flow_rate_bps_size(), kMostFlowCurves);
  if (flows == 0) return;
  const bool windows = series.points(0).flow_window_bytes_size() > 0;
  Chart rate{"Rate that flows may send at", {"simulated time", "ms"}, {"rate", "Gbit/s"}, {}, {}};
  Chart window{"Data that flows may have under way", {"simulated time", "ms"}, {"window", "kB"}, {}, {}};
  for (int flow = 0; flow < flows; ++flow) {
    std::string name = fmt::format("flow {}", flow);
    if (flow < report.flows_size())
      name += fmt::format(": {} to {}", report.flows(flow).source(), report.flows(flow).destination());
    rate.curves.push_back({name, {}});
    window.curves.push_back({name, {}});
  }
  for (const v1::SeriesPoint& point : series.points()) {
    rate.x.push_back(point.seconds() * 1e3);
    window.x.push_back(point.seconds() * 1e3);
    for (int flow = 0; flow < flows; ++flow) {
      const auto curve = static_cast<size_t>(flow);
      // A flow that does not send has no rate.
      const uint64_t bps = flow < point.flow_rate_bps_size() ? point.flow_rate_bps(flow) : 0;
      const uint64_t bytes = flow < point.flow_window_bytes_size() ? point.flow_window_bytes(flow) : 0;
      rate.curves[curve].y.push_back(bps > 0 ? static_cast<double>(bps) / 1e9 : kNone);
      window.curves[curve].y.push_back(bytes > 0 ? static_cast<double>(bytes) / 1e3 : kNone);
    }
  }
  if (flows < series.points(0).flow_rate_bps_size())
    rate.note = window.note = fmt::format("The first {} of {} flows.", flows, series.points(0).flow_rate_bps_size());
  page.add_chart(std::move(rate));
  if (windows) page.add_chart(std::move(window));
}

/// The points of a series, as many of them as a chart has use for: each is the sum of bytes, the longest queue and else
/// the last of those that it stands for.
v1::SeriesReport thinned(const v1::SeriesReport& series) {
  const int most = static_cast<int>(kMostPoints);
  const int step = (series.points_size() + most - 1) / most;
  if (step <= 1) return series;
  const auto add_up = [](const google::protobuf::RepeatedField<uint64_t>& before,
                         google::protobuf::RepeatedField<uint64_t>& sums) {
    for (int i = 0; i < std::min(before.size(), sums.size()); ++i) sums.Set(i, sums.Get(i) + before.Get(i));
  };
  v1::SeriesReport few;
  few.set_interval_seconds(series.interval_seconds() * step);
  for (int i = 0; i < series.points_size(); ++i) {
    v1::SeriesPoint point = series.points(i);
    if (i % step != 0) {
      const v1::SeriesPoint& before = few.points(few.points_size() - 1);
      add_up(before.flow_bytes(), *point.mutable_flow_bytes());
      add_up(before.class_bytes(), *point.mutable_class_bytes());
      if (point.has_queue_bytes()) point.set_queue_bytes(std::max(point.queue_bytes(), before.queue_bytes()));
      point.set_set_aside(std::max(point.set_aside(), before.set_aside()));
      few.mutable_points()->RemoveLast();
    }
    *few.add_points() = std::move(point);
  }
  return few;
}

/// When faults and classes of traffic are over, and when goodput is back.
void add_recoveries(const v1::Report& report, Chart& goodput) {
  const auto add = [&goodput](const std::string& of, double end, double recovery) {
    goodput.marks.push_back({end * 1e3, of + " ends"});
    goodput.marks.push_back({(end + recovery) * 1e3, "95 % of before again"});
  };
  for (const v1::FaultReport& fault : report.faults()) {
    if (fault.has_goodput_recovery_seconds())
      add("fault of " + fault.link(), fault.until_seconds(), fault.goodput_recovery_seconds());
  }
  for (const v1::ClassReport& of : report.classes()) {
    if (of.has_goodput_recovery_seconds()) add(of.name(), of.stop_seconds(), of.goodput_recovery_seconds());
  }
}

void add_series(const v1::Report& report, Page& page) {
  if (report.series().points_size() == 0) return;
  const v1::SeriesReport series = thinned(report.series());
  const v1::SeriesPoint& first = series.points(0);
  Chart goodput{"Goodput over time", {"simulated time", "ms"}, {"goodput", "Gbit/s"}, {}, {}};
  if (first.flow_bytes_size() > 0) goodput.curves.push_back({"all flows", {}});
  for (int i = 0; i < first.class_bytes_size(); ++i)
    goodput.curves.push_back({i < report.classes_size() ? report.classes(i).name() : "traffic", {}});
  Chart queue{"Longest queue over time", {"simulated time", "ms"}, {"queue", "kB"}, {}, {{"longest queue", {}}}};
  Chart set_aside{"Set-aside queues over time", {"simulated time", "ms"}, {"queues", ""}, {}, {{"in use", {}}}};
  double before = 0;
  for (const v1::SeriesPoint& point : series.points()) {
    const double gbit = 8e-9 / (point.seconds() - before);
    goodput.x.push_back(point.seconds() * 1e3);
    size_t curve = 0;
    if (point.flow_bytes_size() > 0) {
      const uint64_t bytes = std::accumulate(point.flow_bytes().begin(), point.flow_bytes().end(), uint64_t{0});
      goodput.curves[curve++].y.push_back(static_cast<double>(bytes) * gbit);
    }
    for (const uint64_t bytes : point.class_bytes()) {
      if (curve < goodput.curves.size()) goodput.curves[curve++].y.push_back(static_cast<double>(bytes) * gbit);
    }
    queue.x.push_back(point.seconds() * 1e3);
    queue.curves[0].y.push_back(static_cast<double>(point.queue_bytes()) / 1e3);
    set_aside.x.push_back(point.seconds() * 1e3);
    set_aside.curves[0].y.push_back(static_cast<double>(point.set_aside()));
    before = point.seconds();
  }
  add_recoveries(report, goodput);
  if (!goodput.curves.empty()) page.add_chart(std::move(goodput));
  if (first.has_queue_bytes()) page.add_chart(std::move(queue));
  if (report.queues().has_set_aside_most()) page.add_chart(std::move(set_aside));
  add_allowances(report, series, page);
}

void add_occupancy(const v1::Report& report, Page& page) {
  if (report.occupancy().intervals_size() == 0) return;
  Chart chart{
      "Input buffers over time", {"simulated time", "us"}, {"flits in a router", ""}, {}, {{"mean", {}}, {"most", {}}}};
  for (const v1::OccupancyInterval& interval : report.occupancy().intervals()) {
    chart.x.push_back(interval.end_seconds() * 1e6);
    chart.curves[0].y.push_back(interval.mean_flits());
    chart.curves[1].y.push_back(static_cast<double>(interval.max_flits()));
  }
  page.add_chart(std::move(chart));
}

void add_osu(const v1::OsuReport& osu, Page& page) {
  if (osu.results_size() > 0) page.add_chart(osu_chart(osu));
}

void add_links(const v1::Report& report, Page& page) {
  if (report.links_size() == 0) return;
  std::vector<const v1::LinkReport*> links;
  links.reserve(static_cast<size_t>(report.links_size()));
  for (const v1::LinkReport& link : report.links()) links.push_back(&link);
  std::ranges::stable_sort(links, std::greater(), [](const v1::LinkReport* link) { return link->utilization(); });
  Chart chart{"Load of links", {"links that are busier", "%"}, {"load", "%"}, {}, {{"load", {}}}};
  const size_t step = std::max<size_t>(1, links.size() / kMostPoints);
  for (size_t i = 0; i < links.size(); i += step) {
    chart.x.push_back(100.0 * static_cast<double>(i) / static_cast<double>(links.size()));
    chart.curves[0].y.push_back(links[i]->utilization() * 100);
  }
  page.add_chart(std::move(chart));
  Table table{"Busiest links", {"link", "load [%]", "packets", "MB", "without credits [us]"}, {}};
  for (size_t i = 0; i < std::min(kBusiestLinks, links.size()); ++i) {
    const v1::LinkReport& link = *links[i];
    table.rows.push_back({link.name(), fmt::format("{:.3f}", link.utilization() * 100),
                          fmt::format("{}", link.packets()),
                          fmt::format("{:.4g}", static_cast<double>(link.bytes()) / 1e6),
                          fmt::format("{:.4g}", link.credit_stall_seconds() * 1e6)});
  }
  table.note = fmt::format("{} of {} directions of links.", table.rows.size(), links.size());
  page.add_table(std::move(table));
}

}  // namespace

std::string run_page(const system::SystemGraph& graph, const v1::Report& report, std::string_view text) {
  Page page(report.run().experiment().empty() ? "FabricTwin run" : report.run().experiment());
  if (!report.complete())
    page.set_alert("The run ended early, so this is what there was until then: " + report.reason());
  add_summary(report, page);
  html::Map map = network_map(graph, report);
  if (map.edges.empty()) {
    page.add_facts("Network", {{"Map", map.note}});
  } else {
    page.add_map(std::move(map));
  }
  add_jobs(report, page);
  add_ranks(report, page);
  add_rank_timeline(report, page);
  add_message_matrix(report, page);
  add_classes(report, page);
  add_latency(report.message_latency_seconds(), "Latency of messages", page);
  add_latency(report.traffic().latency_seconds(), "Latency of packets", page);
  add_flows(report, page);
  add_gpcnet(report, page);
  add_faults(report, page);
  add_control(report, page);
  add_series(report, page);
  add_occupancy(report, page);
  add_osu(report.osu(), page);
  for (const v1::JobReport& job : report.jobs()) add_osu(job.osu(), page);
  add_link_series(report, page);
  add_links(report, page);
  add_partition_timeline(report, page);
  add_partitions(report, page);
  page.add_text("The report as text", std::string(text));
  return page.html();
}

}  // namespace fabrictwin::dashboards::pages
