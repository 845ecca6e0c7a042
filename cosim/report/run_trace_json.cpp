// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/run_trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/report/packet_trace_json.h"
#include "cosim/report/trace_event_writer.h"

namespace fabrictwin::report {
namespace {

/// Packets have processes from 1 on, by the number of their source.
enum Process : int32_t { kRanks = 2'000'000'000, kCounters, kPartitions };

/// The file has times in femtoseconds, of which 64 bits hold a little more than this; wall-clock times may be longer.
constexpr double kMostSeconds = 9000;

/// Times of reports are seconds in floating point.
Time time_of(double seconds) { return Time::from_fs(std::llround(std::min(seconds, kMostSeconds) * 1e15)); }

void add_rank_row(const v1::RankTimeline& timeline, const v1::RankRow& row, TraceEventWriter& writer) {
  const TraceEventWriter::Track track{kRanks, row.rank() + 1};
  writer.name_track(track, fmt::format("rank {}", row.rank()));
  uint64_t ticks = 0;
  const auto at = [&](uint64_t tick) {
    return time_of(timeline.end_seconds() * static_cast<double>(tick) / timeline.ticks());
  };
  for (int i = 0; i < row.states_size(); ++i) {
    const Time from = at(ticks);
    ticks += row.ticks(i);
    const std::string& state = timeline.states(static_cast<int>(row.states(i)));
    writer.slice(track, from, at(ticks), state == "compute" ? "compute" : "mpi", state);
  }
}

void add_rank_rows(const v1::RankTimeline& timeline, TraceEventWriter& writer) {
  if (timeline.rows().empty() || timeline.ticks() == 0) return;
  writer.name_process({kRanks, 0}, "ranks");
  for (const v1::RankRow& row : timeline.rows()) add_rank_row(timeline, row, writer);
}

/// What arrived in the interval of a point that began at `begin`: of all flows, and of classes of traffic.
void count_goodput(const v1::Report& report, const v1::SeriesPoint& point, double begin, TraceEventWriter::Track track,
                   TraceEventWriter& writer) {
  const double gbit = 8e-9 / (point.seconds() - begin);
  std::vector<std::pair<std::string_view, double>> values;
  if (point.flow_bytes_size() > 0) {
    const uint64_t bytes = std::accumulate(point.flow_bytes().begin(), point.flow_bytes().end(), uint64_t{0});
    values.emplace_back("all flows", static_cast<double>(bytes) * gbit);
  }
  for (int i = 0; i < point.class_bytes_size(); ++i) {
    const std::string_view name = i < report.classes_size() ? std::string_view(report.classes(i).name()) : "traffic";
    values.emplace_back(name, static_cast<double>(point.class_bytes(i)) * gbit);
  }
  if (!values.empty()) writer.count(track, time_of(begin), "goodput [Gbit/s]", values);
}

void add_counters(const v1::Report& report, TraceEventWriter& writer) {
  const TraceEventWriter::Track track{kCounters, 0};
  writer.name_process(track, "network");
  // An interval is drawn from its begin on.
  double begin = 0;
  for (const v1::LinkInterval& interval : report.link_series().intervals()) {
    writer.count(track, time_of(begin), "load of links [%]",
                 {{"mean", interval.mean_utilization() * 100}, {"most", interval.max_utilization() * 100}});
    begin = interval.end_seconds();
  }
  for (const v1::OccupancyInterval& interval : report.occupancy().intervals()) {
    writer.count(track, time_of(interval.begin_seconds()), "input buffers [flits]",
                 {{"mean", interval.mean_flits()}, {"most", static_cast<double>(interval.max_flits())}});
  }
  begin = 0;
  for (const v1::SeriesPoint& point : report.series().points()) {
    if (report.queues().has_set_aside_most()) {
      writer.count(track, time_of(point.seconds()), "set-aside queues",
                   {{"in use", static_cast<double>(point.set_aside())}});
    }
    count_goodput(report, point, begin, track, writer);
    if (point.has_queue_bytes()) {
      writer.count(track, time_of(point.seconds()), "longest queue [bytes]",
                   {{"longest", static_cast<double>(point.queue_bytes())}});
    }
    begin = point.seconds();
  }
}

/// In each interval, first what a partition was busy and then its waiting; like ones that touch are one slice.
void add_partition_row(const v1::PartitionTimeline& timeline, const v1::PartitionRow& row,
                       TraceEventWriter::Track track, TraceEventWriter& writer) {
  struct Slice {
    double from = 0;
    double to = 0;
    std::string name;
  };
  std::vector<Slice> slices;
  const auto add = [&](double from, double to, std::string name) {
    if (!(from < to)) return;
    if (!slices.empty() && slices.back().name == name && slices.back().to == from) {
      slices.back().to = to;
    } else {
      slices.push_back({from, to, std::move(name)});
    }
  };
  const int intervals = std::min({timeline.wall_end_seconds_size(), row.busy_permille_size(), row.waits_for_size()});
  double begin = 0;
  for (int i = 0; i < intervals; ++i) {
    const double end = timeline.wall_end_seconds(i);
    const double busy = row.busy_permille(i) >= 1000 ? end : begin + (end - begin) * row.busy_permille(i) / 1000;
    const int peer = static_cast<int>(row.waits_for(i)) - 1;
    const bool known = peer >= 0 && peer < timeline.rows_size();
    add(begin, busy, "busy");
    add(busy, end, known ? "waits for " + timeline.rows(peer).partition() : "waiting");
    begin = end;
  }
  for (const Slice& slice : slices) {
    writer.slice(track, time_of(slice.from), time_of(slice.to), slice.name == "busy" ? "busy" : "wait", slice.name);
  }
}

bool add_partition_rows(const v1::PartitionTimeline& timeline, TraceEventWriter& writer) {
  if (timeline.rows().empty() || timeline.wall_end_seconds().empty()) return false;
  writer.name_process({kPartitions, 0}, "partitions, in wall-clock time");
  int32_t number = 0;
  for (const v1::PartitionRow& row : timeline.rows()) {
    const TraceEventWriter::Track track{kPartitions, ++number};
    writer.name_track(track, fmt::format("{} ({})", row.partition(), row.place()));
    add_partition_row(timeline, row, track, writer);
  }
  return true;
}

/// Without a timeline only the sums are known.
void add_partition_tracks(const v1::Report& report, TraceEventWriter& writer) {
  if (report.partitions().empty()) return;
  writer.name_process({kPartitions, 0}, "partitions, in wall-clock time: busy, then waiting");
  int32_t number = 0;
  for (const v1::PartitionReport& partition : report.partitions()) {
    const TraceEventWriter::Track track{kPartitions, ++number};
    writer.name_track(track, fmt::format("{} ({}, {})", partition.name(), partition.kind(), partition.place()));
    const Time busy = time_of(partition.busy_seconds());
    writer.slice(track, Time::zero(), busy, "busy", "busy");
    writer.slice(track, busy, busy + time_of(partition.wait_seconds()), "wait", "waiting");
  }
}

}  // namespace

std::string run_trace_json(const v1::Report& report, const system::SystemGraph& graph,
                           const observe::PacketTrace* packets) {
  TraceEventWriter writer;
  add_rank_rows(report.rank_timeline(), writer);
  add_counters(report, writer);
  if (packets != nullptr) add_packets(*packets, graph, writer);
  if (!add_partition_rows(report.partition_timeline(), writer)) add_partition_tracks(report, writer);
  return writer.json();
}

}  // namespace fabrictwin::report
