// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/partition_metrics.h"

#include <string>

namespace fabrictwin::run::metrics {
namespace {

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
const metric::Counter kPartitionRounds{
    {.name = "fabrictwin_partition_rounds_total",
     .help = "How often a partition has been advanced, each time by its lookahead at most unless nothing happens; not "
             "of boards",
     .labels = {"partition"},
     .order = 515,
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

}  // namespace

void measure_partition(const v1::PartitionReport& partition, metric::Sink& sink) {
  const std::string& name = partition.name();
  sink.add(kPartitionInfo, 1, {name, partition.kind(), partition.place()});
  sink.add(kPartitionEvents, static_cast<double>(partition.events()), {name});
  if (partition.has_rounds()) sink.add(kPartitionRounds, static_cast<double>(partition.rounds()), {name});
  sink.add(kPartitionBusy, partition.busy_seconds(), {name});
  sink.add(kPartitionWait, partition.wait_seconds(), {name});
  sink.add(kPartitionRecordsReceived, static_cast<double>(partition.records_in()), {name});
  sink.add(kPartitionRecordsSent, static_cast<double>(partition.records_out()), {name});
}

}  // namespace fabrictwin::run::metrics
