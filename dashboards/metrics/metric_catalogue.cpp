// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/metric_catalogue.h"

#include <fmt/format.h>

namespace fabrictwin::dashboards::metrics {
namespace metric {

constinit const Metric kRunInfo{"fabrictwin_run_info",
                                MetricType::kGauge,
                                "1",
                                "Always 1; its labels say what is being run",
                                {"version", "topology", "seed", "experiment"}};
constinit const Metric kSimulatedSeconds{"fabrictwin_simulated_seconds_total", MetricType::kCounter, "seconds",
                                         "Simulated time that the slowest partition has reached"};
constinit const Metric kWallSeconds{"fabrictwin_wall_seconds_total", MetricType::kCounter, "seconds",
                                    "Wall-clock time since the simulation began"};
constinit const Metric kLinkBytes{"fabrictwin_link_bytes_total",
                                  MetricType::kCounter,
                                  "bytes",
                                  "Bytes put on the wire of one direction of a link, headers and footers included",
                                  {"link"}};
constinit const Metric kLinkPackets{"fabrictwin_link_packets_total",
                                    MetricType::kCounter,
                                    "1",
                                    "Packets whose footer was put on the wire of one direction of a link",
                                    {"link"}};
constinit const Metric kLinkCreditStall{
    "fabrictwin_link_credit_stall_seconds_total",
    MetricType::kCounter,
    "seconds",
    "Simulated time in which a routed packet waited for this link only for want of credits",
    {"link"}};
constinit const Metric kLinkStallToFlit{"fabrictwin_link_stall_to_flit_ratio",
                                        MetricType::kGauge,
                                        "1",
                                        "Router cycles in which a packet waited for this link only for want of "
                                        "credits, over words sent since the beginning",
                                        {"link"}};
constinit const Metric kPacketLatency{
    "fabrictwin_packet_latency_seconds", MetricType::kSummary, "seconds",
    "Simulated time from the wish of a host to send a packet of traffic to the arrival of its last word"};
constinit const Metric kMessageLatency{
    "fabrictwin_message_latency_seconds", MetricType::kSummary, "seconds",
    "Simulated time from a host's giving a message to its network interface until all of it has arrived"};
constinit const Metric kAcceptedLoad{
    "fabrictwin_accepted_load_ratio", MetricType::kGauge, "1",
    "What hosts receive, over what the links between routers can carry, mean over all hosts"};
constinit const Metric kAcceptedLoadLeast{"fabrictwin_accepted_load_min_node_ratio", MetricType::kGauge, "1",
                                          "The same of the host that has received least, of those that packets go to"};
constinit const Metric kJainIndex{
    "fabrictwin_jain_index", MetricType::kGauge, "1",
    "Fairness of what hosts have received, from 1 over their number to 1 for all the same"};
constinit const Metric kBufferMean{"fabrictwin_router_buffer_mean_flits", MetricType::kGauge, "1",
                                   "Flits (words) in the input buffers of a router now, mean over the routers"};
constinit const Metric kBufferMost{"fabrictwin_router_buffer_max_flits", MetricType::kGauge, "1",
                                   "The same of the router that holds most"};
constinit const Metric kBufferCapacity{"fabrictwin_router_buffer_capacity_flits", MetricType::kGauge, "1",
                                       "Flits that fit into the input buffers of a router with the most ports"};
constinit const Metric kPartitionInfo{"fabrictwin_partition_info",
                                      MetricType::kGauge,
                                      "1",
                                      "Always 1; its labels say what a partition is made of and where it runs",
                                      {"partition", "kind", "place"}};
constinit const Metric kPartitionEvents{"fabrictwin_partition_events_total",
                                        MetricType::kCounter,
                                        "1",
                                        "Events (model steps, clock edges of RTL) that a partition has simulated",
                                        {"partition"}};
constinit const Metric kPartitionBusy{"fabrictwin_partition_busy_seconds_total",
                                      MetricType::kCounter,
                                      "seconds",
                                      "Wall-clock time that a partition has spent simulating",
                                      {"partition"}};
constinit const Metric kPartitionWait{
    "fabrictwin_partition_wait_seconds_total",
    MetricType::kCounter,
    "seconds",
    "Wall-clock time in which a partition did not simulate, for want of others or of a core",
    {"partition"}};
constinit const Metric kPartitionRecordsReceived{"fabrictwin_partition_records_received_total",
                                                 MetricType::kCounter,
                                                 "1",
                                                 "Records that a partition has taken from the links that enter it",
                                                 {"partition"}};
constinit const Metric kPartitionRecordsSent{"fabrictwin_partition_records_sent_total",
                                             MetricType::kCounter,
                                             "1",
                                             "Records that a partition has put on the links that leave it",
                                             {"partition"}};
constinit const Metric kTransportRecords{"fabrictwin_transport_records_total",
                                         MetricType::kCounter,
                                         "1",
                                         "Records that crossed between processes, both ways",
                                         {"transport"}};
constinit const Metric kTransportMessages{"fabrictwin_transport_messages_total",
                                          MetricType::kCounter,
                                          "1",
                                          "Messages in which records crossed between processes, both ways",
                                          {"transport"}};
constinit const Metric kTransportBytes{"fabrictwin_transport_bytes_total",
                                       MetricType::kCounter,
                                       "bytes",
                                       "Bytes in which records crossed between processes, both ways",
                                       {"transport"}};

}  // namespace metric

std::string_view to_string(MetricType type) {
  switch (type) {
    case MetricType::kCounter:
      return "counter";
    case MetricType::kGauge:
      return "gauge";
    default:
      return "summary";
  }
}

std::span<const Metric* const> metric_catalogue() {
  static constexpr const Metric* kAll[] = {
      &metric::kRunInfo,
      &metric::kSimulatedSeconds,
      &metric::kWallSeconds,
      &metric::kLinkBytes,
      &metric::kLinkPackets,
      &metric::kLinkCreditStall,
      &metric::kLinkStallToFlit,
      &metric::kPacketLatency,
      &metric::kMessageLatency,
      &metric::kAcceptedLoad,
      &metric::kAcceptedLoadLeast,
      &metric::kJainIndex,
      &metric::kBufferMean,
      &metric::kBufferMost,
      &metric::kBufferCapacity,
      &metric::kPartitionInfo,
      &metric::kPartitionEvents,
      &metric::kPartitionBusy,
      &metric::kPartitionWait,
      &metric::kPartitionRecordsReceived,
      &metric::kPartitionRecordsSent,
      &metric::kTransportRecords,
      &metric::kTransportMessages,
      &metric::kTransportBytes,
  };
  return kAll;
}

std::string metric_table() {
  std::string table = "| metric | type | unit | labels | what it says |\n|---|---|---|---|---|\n";
  for (const Metric* metric : metric_catalogue()) {
    std::string labels;
    for (std::string_view label : metric->labels()) labels += fmt::format("{}`{}`", labels.empty() ? "" : ", ", label);
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", metric->name, to_string(metric->type), metric->unit, labels,
                         metric->help);
  }
  return table;
}

}  // namespace fabrictwin::dashboards::metrics
