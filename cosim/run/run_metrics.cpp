// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/run_metrics.h"

#include <algorithm>
#include <utility>

#include "cosim/link/record.h"

namespace fabrictwin::run {
namespace {

const metric::Gauge kRunInfo{{.name = "fabrictwin_run_info",
                              .help = "Always 1; its labels say what is being run",
                              .labels = {"version", "topology", "seed", "experiment"},
                              .order = 100,
                              .in_report = false}};
const metric::Counter kSimulatedSeconds{{.name = "fabrictwin_simulated_seconds_total",
                                         .unit = "seconds",
                                         .help = "Simulated time that the slowest partition has reached",
                                         .order = 110,
                                         .in_report = false}};
const metric::Counter kWallSeconds{{.name = "fabrictwin_wall_seconds_total",
                                    .unit = "seconds",
                                    .help = "Wall-clock time since the simulation began",
                                    .order = 120,
                                    .in_report = false}};

const metric::Counter kLinkBytes{
    {.name = "fabrictwin_link_bytes_total",
     .unit = "bytes",
     .help = "Bytes put on the wire of one direction of a link, headers and footers included",
     .labels = {"link"},
     .order = 200,
     .in_report = false}};
const metric::Counter kLinkPackets{{.name = "fabrictwin_link_packets_total",
                                    .help = "Packets whose footer was put on the wire of one direction of a link",
                                    .labels = {"link"},
                                    .order = 210,
                                    .in_report = false}};
const metric::Counter kLinkCreditStall{
    {.name = "fabrictwin_link_credit_stall_seconds_total",
     .unit = "seconds",
     .help = "Simulated time in which a routed packet waited for this link only for want of credits",
     .labels = {"link"},
     .order = 220,
     .in_report = false}};
const metric::Gauge kLinkStallToFlit{
    {.name = "fabrictwin_link_stall_to_flit_ratio",
     .help = "Router cycles in which a packet waited for this link only for want of credits, over words sent since the "
             "beginning",
     .labels = {"link"},
     .order = 230,
     .in_report = false}};

const metric::Gauge kPartitionInfo{{.name = "fabrictwin_partition_info",
                                    .help = "Always 1; its labels say what a partition is made of and where it runs",
                                    .labels = {"partition", "kind", "place"},
                                    .order = 500,
                                    .in_report = false}};
const metric::Counter kPartitionEvents{
    {.name = "fabrictwin_partition_events_total",
     .help = "Events (model steps, clock edges of RTL) that a partition has simulated",
     .labels = {"partition"},
     .order = 510,
     .in_report = false}};
const metric::Counter kPartitionBusy{{.name = "fabrictwin_partition_busy_seconds_total",
                                      .unit = "seconds",
                                      .help = "Wall-clock time that a partition has spent simulating",
                                      .labels = {"partition"},
                                      .order = 520,
                                      .in_report = false}};
const metric::Counter kPartitionWait{
    {.name = "fabrictwin_partition_wait_seconds_total",
     .unit = "seconds",
     .help = "Wall-clock time in which a partition did not simulate, for want of others or of a core",
     .labels = {"partition"},
     .order = 530,
     .in_report = false}};
const metric::Counter kPartitionRecordsReceived{
    {.name = "fabrictwin_partition_records_received_total",
     .help = "Records that a partition has taken from the links that enter it",
     .labels = {"partition"},
     .order = 540,
     .in_report = false}};
const metric::Counter kPartitionRecordsSent{{.name = "fabrictwin_partition_records_sent_total",
                                             .help = "Records that a partition has put on the links that leave it",
                                             .labels = {"partition"},
                                             .order = 550,
                                             .in_report = false}};

const metric::Counter kTransportRecords{{.name = "fabrictwin_transport_records_total",
                                         .help = "Records that crossed between processes, both ways",
                                         .labels = {"transport"},
                                         .order = 600,
                                         .in_report = false}};
const metric::Counter kTransportMessages{{.name = "fabrictwin_transport_messages_total",
                                          .help = "Messages in which records crossed between processes, both ways",
                                          .labels = {"transport"},
                                          .order = 610,
                                          .in_report = false}};
const metric::Counter kTransportBytes{{.name = "fabrictwin_transport_bytes_total",
                                       .unit = "bytes",
                                       .help = "Bytes in which records crossed between processes, both ways",
                                       .labels = {"transport"},
                                       .order = 620,
                                       .in_report = false}};

}  // namespace

RunMetrics::RunMetrics(const experiment::Experiment& experiment, const system::Plan& plan, std::string version)
    : version_(std::move(version)),
      topology_(plan.graph.topology),
      seed_(std::to_string(experiment.seed)),
      experiment_(experiment.file),
      cycle_seconds_(static_cast<double>(plan.graph.router_clock.numerator()) /
                     static_cast<double>(plan.graph.router_clock.denominator()) * 1e-15) {
  link_names_.reserve(static_cast<size_t>(plan.graph.channel_count()));
  for (int32_t channel = 0; channel < plan.graph.channel_count(); ++channel) {
    link_names_.push_back(plan.graph.channel_name(channel));
  }
}

void RunMetrics::measure(const RunSample& sample, std::span<const link::LinkCounters> links, metric::Sink& sink) const {
  sink.add(kRunInfo, 1, {version_, topology_, seed_, experiment_});
  sink.add(kSimulatedSeconds, sample.simulated.seconds());
  sink.add(kWallSeconds, sample.wall_seconds);
  measure_links(links, sink);
  observe::send_metrics(sample.measures, "", sink);
  for (const v1::PartitionReport& partition : sample.partitions) {
    const std::string& name = partition.name();
    sink.add(kPartitionInfo, 1, {name, partition.kind(), partition.place()});
    sink.add(kPartitionEvents, static_cast<double>(partition.events()), {name});
    sink.add(kPartitionBusy, partition.busy_seconds(), {name});
    sink.add(kPartitionWait, partition.wait_seconds(), {name});
    sink.add(kPartitionRecordsReceived, static_cast<double>(partition.records_in()), {name});
    sink.add(kPartitionRecordsSent, static_cast<double>(partition.records_out()), {name});
  }
  for (const TransportCounters& counters : sample.transports) {
    sink.add(kTransportRecords, static_cast<double>(counters.records), {counters.transport});
    sink.add(kTransportMessages, static_cast<double>(counters.messages), {counters.transport});
    sink.add(kTransportBytes, static_cast<double>(counters.bytes), {counters.transport});
  }
}

void RunMetrics::measure_links(std::span<const link::LinkCounters> links, metric::Sink& sink) const {
  const size_t count = std::min(links.size(), link_names_.size());
  for (size_t channel = 0; channel < count; ++channel) {
    const std::string& name = link_names_[channel];
    const auto words = static_cast<double>(links[channel].words.get());
    const auto stalls = static_cast<double>(links[channel].credit_stall_cycles.get());
    sink.add(kLinkBytes, words * link::kWordBytes, {name});
    sink.add(kLinkPackets, static_cast<double>(links[channel].packets.get()), {name});
    sink.add(kLinkCreditStall, stalls * cycle_seconds_, {name});
    sink.add(kLinkStallToFlit, words > 0 ? stalls / words : 0, {name});
  }
}

}  // namespace fabrictwin::run
