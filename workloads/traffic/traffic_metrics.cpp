// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic_metrics.h"

namespace fabrictwin::traffic {
namespace {

const metric::Summary kPacketLatency{
    {.name = "fabrictwin_packet_latency_seconds",
     .unit = "seconds",
     .help = "Simulated time from when a host creates a packet of traffic to the arrival of its last word",
     .order = 300,
     .in_report = false}};
const metric::Gauge kAcceptedLoad{
    {.name = "fabrictwin_accepted_load_ratio",
     .help = "What hosts receive, over what the links between routers can carry, mean over all hosts",
     .order = 320,
     .in_report = false}};
const metric::Gauge kAcceptedLoadLeast{{.name = "fabrictwin_accepted_load_min_node_ratio",
                                        .help = "What the host has received that has received least, of those that "
                                                "packets go to, over what the links between routers can carry",
                                        .order = 330,
                                        .in_report = false}};
const metric::Gauge kJainIndex{
    {.name = "fabrictwin_jain_index",
     .help = "Fairness of what hosts have received, from 1 over their number to 1 for all the same",
     .order = 340,
     .in_report = false}};

}  // namespace

void measure_traffic(const v1::TrafficReport& traffic, const metric::Distribution& latencies, metric::Sink& sink) {
  sink.add(kPacketLatency, latencies);
  // accepted_load has no presence in the message, and 0 may be measured. Whoever measures it sets
  // accepted_load_min_node as soon as time has passed.
  if (traffic.has_accepted_load_min_node()) {
    sink.add(kAcceptedLoad, traffic.accepted_load());
    sink.add(kAcceptedLoadLeast, traffic.accepted_load_min_node());
  }
  if (traffic.has_jain_index()) sink.add(kJainIndex, traffic.jain_index());
}

}  // namespace fabrictwin::traffic
