// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic_metrics.h"

#include <string>

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
const metric::Gauge kClassOffered{
    {.name = "fabrictwin_class_offered_load_ratio",
     .help = "Offered load of a class of traffic, over what the links between routers can carry, mean over its senders",
     .labels = {"class"},
     .order = 350,
     .in_report = false}};
const metric::Gauge kClassAccepted{{.name = "fabrictwin_class_accepted_load_ratio",
                                    .help = "What hosts receive of a class of traffic, over what the links between "
                                            "routers can carry, mean over its receivers",
                                    .labels = {"class"},
                                    .order = 351,
                                    .in_report = false}};
const metric::Counter kClassSent{{.name = "fabrictwin_class_packets_sent_total",
                                  .help = "Packets of a class of traffic that have left their hosts",
                                  .labels = {"class"},
                                  .order = 352,
                                  .in_report = false}};
const metric::Counter kClassReceived{{.name = "fabrictwin_class_packets_received_total",
                                      .help = "Packets of a class of traffic that have arrived",
                                      .labels = {"class"},
                                      .order = 353,
                                      .in_report = false}};
const metric::Counter kClassBytes{{.name = "fabrictwin_class_bytes_total",
                                   .unit = "bytes",
                                   .help = "Bytes of a class of traffic that have arrived, without headers",
                                   .labels = {"class"},
                                   .order = 355,
                                   .in_report = false}};
const metric::Summary kClassLatency{{.name = "fabrictwin_class_packet_latency_seconds",
                                     .unit = "seconds",
                                     .help = "Simulated time from when a host creates a packet of a class of traffic "
                                             "to the arrival of its last word",
                                     .labels = {"class"},
                                     .order = 354,
                                     .in_report = false}};

}  // namespace

void measure_class(const v1::ClassReport& of_class, bool measured, uint64_t bytes,
                   const metric::Distribution& latencies, metric::Sink& sink) {
  const std::string& name = of_class.name();
  sink.add(kClassOffered, of_class.offered_load(), {name});
  if (measured) sink.add(kClassAccepted, of_class.accepted_load(), {name});
  sink.add(kClassSent, static_cast<double>(of_class.packets_sent()), {name});
  sink.add(kClassReceived, static_cast<double>(of_class.packets_received()), {name});
  sink.add(kClassBytes, static_cast<double>(bytes), {name});
  sink.add(kClassLatency, latencies, {name});
}

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
