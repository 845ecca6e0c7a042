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
#include "cosim/report/congestion_text.h"
#include "cosim/report/limits_text.h"
#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::report {
namespace {

constexpr int kMaxRanks = 32;
constexpr int kMaxLinks = 10;
constexpr int kMaxIntervalRows = 16;
constexpr int kMaxSentences = 20;

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
  if (links.empty()) return;
  text += fmt::format("\nbusiest links ({} of {} were used)\n", links.size(), report.links_size());
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
  if (links.empty()) return;
  text += fmt::format("\nlinks with most stalls ({} had any)\n", links.size());
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
    text += "\nmessages\n";
    text += wrapped_list("", 2,
                         fmt::format("{} messages, mean latency {}, {}", latency.count(), seconds_text(latency.mean()),
                                     percentiles_text(latency, seconds_text)));
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

std::string report_text(const v1::Report& report, std::string_view workload) {
  std::string text;
  add_header(report, text);
  text += workload;
  add_congestion(report, text);
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
