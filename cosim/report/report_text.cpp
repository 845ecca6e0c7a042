// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cosim/observe/latency_report.h"
#include "cosim/report/classes_text.h"
#include "cosim/report/flows_text.h"
#include "cosim/report/gpcnet_text.h"
#include "cosim/report/ip_text.h"
#include "cosim/report/limits_text.h"
#include "cosim/report/nanet_text.h"
#include "cosim/report/text_table.h"

namespace fabrictwin::report {
namespace {

constexpr int kMaxRanks = 32;
constexpr int kMaxLinks = 10;
constexpr int kMaxIntervalRows = 16;
constexpr int kMaxSentences = 20;

/// The percentiles as text: "p50 1.2 us, p90 ...".
template <typename Distribution, typename Text>
std::string percentiles_text(const Distribution& from, const Text& text) {
  return fmt::format("p50 {}, p90 {}, p99 {}, p99.9 {}, p99.99 {}", text(from.p50()), text(from.p90()),
                     text(from.p99()), text(from.p99_9()), text(from.p99_99()));
}

void add_header(const v1::Report& report, std::string& text) {
  const v1::RunInfo& run = report.run();
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<15} {}\n", name, value);
  };
  line("experiment", run.experiment());
  line("topology", run.topology());
  if (!run.router_model().empty())
    line("routers", run.router_model() + (run.routing().empty() ? "" : ", routing " + run.routing()));
  if (!run.congestion().empty()) line("congestion", run.congestion());
  line("seed", fmt::format("{}", run.seed()));
  line("threads", fmt::format("{}", run.threads()));
  line("complete",
       report.complete() ? "yes" : fmt::format("no: {}", report.reason().empty() ? "unknown reason" : report.reason()));
  line("simulated", seconds_text(report.simulated_seconds()));
  const bool rate = report.wall_seconds() > 0 && report.simulated_seconds() > 0;
  line("wall", seconds_text(report.wall_seconds()) +
                   (rate ? fmt::format(" ({} simulated a second)",
                                       seconds_text(report.simulated_seconds() / report.wall_seconds()))
                         : ""));
  line("packets", fmt::format("{}", report.packets_delivered()));
  line("bytes", fmt::format("{}", report.bytes_delivered()));
  line("timing digest", report.timing_digest());
  line("payload digest", report.payload_digest());
}

void add_traffic(const v1::TrafficReport& traffic, std::string& text) {
  text += "\ntraffic\n";
  TextTable table({"offered", "accepted", "sent", "received", "mean latency", "max latency"});
  // Without packets there is no latency.
  const auto latency_text = [](double seconds) { return seconds > 0 ? seconds_text(seconds) : "-"; };
  table.add({percent_text(traffic.offered_load()),
             observe::has_accepted_load(traffic) ? percent_text(traffic.accepted_load()) : "-",
             fmt::format("{}", traffic.packets_sent()), fmt::format("{}", traffic.packets_received()),
             latency_text(traffic.mean_latency_seconds()), latency_text(traffic.max_latency_seconds())});
  text += table.text();
  if (traffic.has_latency_seconds() && !observe::is_sampled(traffic))
    text += fmt::format("  latency {}\n", percentiles_text(traffic.latency_seconds(), seconds_text));
  if (traffic.has_jain_index()) text += fmt::format("  Jain index of the hosts {:.4f}\n", traffic.jain_index());
  if (!traffic.has_latency_cycles() || !observe::is_sampled(traffic)) return;
  const v1::LatencyCycles& latency = traffic.latency_cycles();
  text += fmt::format("  measured {} packets in {} router cycles{}\n", traffic.measured_packets(),
                      traffic.measured_cycles(), traffic.saturated() ? "; the network is saturated" : "");
  TextTable cycles({"latency in cycles", "least", "most", "in the network", "routers", "least accepted by a host"});
  cycles.add({fmt::format("{:.2f}", latency.mean()), fmt::format("{:.0f}", latency.min()),
              fmt::format("{:.0f}", latency.max()),
              latency.has_network_mean() ? fmt::format("{:.2f}", latency.network_mean()) : "-",
              traffic.has_mean_hops() ? fmt::format("{:.3f}", traffic.mean_hops()) : "-",
              traffic.has_accepted_load_min_node() ? percent_text(traffic.accepted_load_min_node()) : "-"});
  text += cycles.text();
  text += fmt::format("  latency in cycles {}\n",
                      percentiles_text(latency, [](double v) { return fmt::format("{:.0f}", v); }));
  if (latency.has_confidence() && traffic.has_accepted_load_confidence()) {
    text += fmt::format("  95 % confidence: latency +/- {:.2f} cycles, accepted load +/- {}\n", latency.confidence(),
                        percent_text(traffic.accepted_load_confidence()));
  }
}

void add_osu(const v1::JobReport& job, std::string& text) {
  // A background job has no results.
  if (job.osu().results().empty()) return;
  text += fmt::format("\n{}: osu {} on {} ranks\n", job.name(), job.osu().benchmark(), job.osu().ranks());
  TextTable table({"bytes", job.osu().unit(), "min", "max", "messages a second"});
  const auto optional = [](bool has, double value) { return has ? fmt::format("{:.2f}", value) : std::string(); };
  for (const v1::OsuResult& result : job.osu().results()) {
    table.add({fmt::format("{}", result.bytes()), fmt::format("{:.2f}", result.value()),
               optional(result.has_min(), result.min()), optional(result.has_max(), result.max()),
               optional(result.has_message_rate(), result.message_rate())});
  }
  text += table.text();
}

void add_gemm(const v1::JobReport& job, std::string& text) {
  const v1::GemmReport& gemm = job.gemm();
  text += fmt::format(
      "\n{}: gemm of {} x {} on {} x {} ranks\n  {}, {:.4g} Gflop/s, engines at work {}, result {} (largest relative "
      "error {:.3g})\n",
      job.name(), gemm.size(), gemm.size(), gemm.rows(), gemm.columns(), seconds_text(gemm.seconds()), gemm.gflops(),
      percent_text(gemm.engine_utilization()), gemm.verified() ? "verified" : "NOT verified",
      gemm.max_relative_error());
}

void add_jobs(const v1::Report& report, std::string& text) {
  if (report.jobs_size() > 1) {
    text += "\njobs\n";
    const bool baseline = std::any_of(report.jobs().begin(), report.jobs().end(),
                                      [](const v1::JobReport& job) { return job.has_baseline_seconds(); });
    std::vector<std::string> header{"job", "ranks", "first rank", "finish", "completions", "background"};
    if (baseline) header.insert(header.end(), {"alone", "slowdown"});
    TextTable table(std::move(header));
    for (const v1::JobReport& job : report.jobs()) {
      std::vector<std::string> row{job.name(),
                                   fmt::format("{}", job.ranks()),
                                   job.ranks() == 0 ? "-" : fmt::format("{}", job.first_rank()),
                                   seconds_text(job.finish_seconds()),
                                   fmt::format("{}", job.completions()),
                                   job.background() ? "yes" : ""};
      if (baseline) {
        row.push_back(job.has_baseline_seconds() ? seconds_text(job.baseline_seconds()) : "-");
        row.push_back(job.has_slowdown() ? fmt::format("{:.3f}", job.slowdown()) : "-");
      }
      table.add(std::move(row));
    }
    text += table.text();
  }
  for (const v1::JobReport& job : report.jobs()) {
    if (job.has_osu()) add_osu(job, text);
    if (job.has_gemm()) add_gemm(job, text);
  }
}

void add_puts(const v1::PutsReport& puts, std::string& text) {
  if (puts.results().empty()) return;
  text += fmt::format("\n{}s of host[{}], {} at once\n", puts.operation(), puts.source(), puts.streams());
  TextTable table({"bytes", "count", "mean latency", "least", "most", "rate"});
  for (const v1::PutsResult& result : puts.results()) {
    table.add({fmt::format("{}", result.bytes()), fmt::format("{}", result.count()),
               seconds_text(result.mean_latency_seconds()), seconds_text(result.min_latency_seconds()),
               seconds_text(result.max_latency_seconds()),
               fmt::format("{:.4g} GB/s", result.bytes_per_second() / 1e9)});
  }
  text += table.text();
}

void add_ranks(const v1::Report& report, std::string& text) {
  text += "\nranks\n";
  TextTable table({"rank", "host", "finish", "compute", "communication", "messages", "bytes", "events"});
  for (int i = 0; i < std::min(report.ranks_size(), kMaxRanks); ++i) {
    const v1::Rank& rank = report.ranks(i);
    table.add({fmt::format("{}", rank.rank()), fmt::format("{}", rank.host()), seconds_text(rank.finish_seconds()),
               seconds_text(rank.compute_seconds()), seconds_text(rank.communication_seconds()),
               fmt::format("{}", rank.messages_sent()), fmt::format("{}", rank.bytes_sent()),
               rank.events_total() == 0 ? fmt::format("{}", rank.events_replayed())
                                        : fmt::format("{}/{}", rank.events_replayed(), rank.events_total())});
  }
  text += table.text();
  if (report.ranks_size() > kMaxRanks)
    text += fmt::format("  and {} more ranks (--json has all)\n", report.ranks_size() - kMaxRanks);
}

/// Adds the intervals, merging neighbours so that there are at most kMaxIntervalRows.
void add_occupancy(const v1::OccupancyReport& occupancy, std::string& text) {
  text += fmt::format("\ninput buffers of {} routers, of {} flits each at most\n", occupancy.routers(),
                      occupancy.capacity_flits());
  if (occupancy.intervals_size() == 0) return;
  TextTable table({"until", "mean flits", "most flits"});
  const int step = (occupancy.intervals_size() + kMaxIntervalRows - 1) / kMaxIntervalRows;
  for (int i = 0; i < occupancy.intervals_size(); i += step) {
    const int end = std::min(i + step, occupancy.intervals_size());
    double flits = 0;
    uint64_t samples = 0;
    int64_t most = 0;
    for (int k = i; k < end; ++k) {
      const v1::OccupancyInterval& interval = occupancy.intervals(k);
      flits += interval.mean_flits() * static_cast<double>(interval.samples());
      samples += interval.samples();
      most = std::max<int64_t>(most, interval.max_flits());
    }
    table.add({seconds_text(occupancy.intervals(end - 1).end_seconds()),
               fmt::format("{:.2f}", flits / static_cast<double>(samples)), fmt::format("{}", most)});
  }
  text += table.text();
}

void add_links(const v1::Report& report, std::string& text) {
  // A run that failed before it was wired has neither links nor partitions.
  if (report.links().empty()) return;
  std::vector<const v1::LinkReport*> links;
  for (const v1::LinkReport& link : report.links()) {
    if (link.packets() > 0) links.push_back(&link);
  }
  std::stable_sort(links.begin(), links.end(),
                   [](const auto* a, const auto* b) { return a->utilization() > b->utilization(); });
  text += fmt::format("\nbusiest links ({} of {} were used)\n", links.size(), report.links_size());
  if (links.empty()) return;
  TextTable table({"link", "used", "bytes", "packets", "credit stall"});
  for (size_t i = 0; i < std::min<size_t>(links.size(), kMaxLinks); ++i) {
    const v1::LinkReport& link = *links[i];
    table.add({link.name(), percent_text(link.utilization()), fmt::format("{}", link.bytes()),
               fmt::format("{}", link.packets()), seconds_text(link.credit_stall_seconds())});
  }
  text += table.text();

  std::erase_if(links, [](const auto* link) { return link->stall_to_flit() == 0; });
  std::stable_sort(links.begin(), links.end(),
                   [](const auto* a, const auto* b) { return a->stall_to_flit() > b->stall_to_flit(); });
  text += fmt::format("\nlinks with most stalls ({} had any)\n", links.size());
  if (links.empty()) return;
  TextTable stalls({"link", "stalls to flits", "credit stall", "used"});
  for (size_t i = 0; i < std::min<size_t>(links.size(), kMaxLinks); ++i) {
    const v1::LinkReport& link = *links[i];
    stalls.add({link.name(), fmt::format("{:.4f}", link.stall_to_flit()), seconds_text(link.credit_stall_seconds()),
                percent_text(link.utilization())});
  }
  text += stalls.text();
}

void add_statistics(const v1::Report& report, std::string& text) {
  if (report.has_message_latency_seconds()) {
    const v1::LatencySeconds& latency = report.message_latency_seconds();
    text += fmt::format("\nmessages\n  {} messages, mean latency {}, {}\n", latency.count(),
                        seconds_text(latency.mean()), percentiles_text(latency, seconds_text));
  }
  if (report.has_occupancy()) add_occupancy(report.occupancy(), text);
  if (report.has_packet_trace()) {
    const v1::PacketTraceReport& trace = report.packet_trace();
    text += fmt::format("\npacket trace\n  {} packets in {}; {} had not arrived\n", trace.packets(), trace.file(),
                        trace.unfinished());
  }
}

void add_partitions(const v1::Report& report, std::string& text) {
  if (report.partitions().empty()) return;
  text += "\npartitions\n";
  TextTable table({"partition", "kind", "place", "events", "busy", "wait", "records in", "records out"});
  table.align_left(1);
  table.align_left(2);
  for (const v1::PartitionReport& partition : report.partitions()) {
    const std::string place = partition.place() + (partition.lost() ? " (lost)" : "");
    table.add({partition.name(), partition.kind(), place, fmt::format("{}", partition.events()),
               seconds_text(partition.busy_seconds()), seconds_text(partition.wait_seconds()),
               fmt::format("{}", partition.records_in()), fmt::format("{}", partition.records_out())});
  }
  text += table.text();
}

void add_sentences(std::string_view title, const google::protobuf::RepeatedPtrField<std::string>& sentences,
                   std::string& text) {
  if (sentences.empty()) return;
  text += fmt::format("\n{}\n", title);
  for (int i = 0; i < std::min(sentences.size(), kMaxSentences); ++i) text += fmt::format("  {}\n", sentences[i]);
  if (sentences.size() > kMaxSentences) text += fmt::format("  and {} more\n", sentences.size() - kMaxSentences);
}

}  // namespace

std::string seconds_text(double seconds) {
  struct Unit {
    double scale;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  if (seconds == 0) return "0 s";
  for (const Unit& unit : kUnits) {
    if (std::abs(seconds) >= unit.scale) return fmt::format("{:.4g} {}", seconds / unit.scale, unit.name);
  }
  return fmt::format("{:.4g} ps", seconds * 1e12);
}

std::string percent_text(double share) { return fmt::format("{:.2f} %", share * 100); }

std::string report_text(const v1::Report& report) {
  std::string text;
  add_header(report, text);
  if (report.has_traffic()) add_traffic(report.traffic(), text);
  add_classes(report, text);
  add_flows(report, text);
  add_congestion(report, text);
  add_jobs(report, text);
  add_gpcnet(report, text);
  if (report.has_puts()) add_puts(report.puts(), text);
  add_ip(report, text);
  if (report.has_nanet()) text += nanet_text(report.nanet());
  if (report.ranks_size() > 0) add_ranks(report, text);
  add_links(report, text);
  add_statistics(report, text);
  add_partitions(report, text);
  add_sentences("warnings", report.warnings(), text);
  add_sentences("violations", report.violations(), text);
  add_limits(report, text);
  return text;
}

}  // namespace fabrictwin::report
