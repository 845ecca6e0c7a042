// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/partition_metrics.h"

#include <map>
#include <string>

namespace fabrictwin::run::metrics {
namespace {

const metric::Gauge kKindPartitions{{.name = "fabrictwin_partition_kind_partitions",
                                     .help = "Partitions of a kind (MODEL, RTL or BOARD), how many there are",
                                     .labels = {"kind"},
                                     .order = 490,
                                     .in_report = false}};
const metric::Counter kKindEvents{{.name = "fabrictwin_partition_kind_events_total",
                                   .help = "Events that all partitions of a kind have simulated",
                                   .labels = {"kind"},
                                   .order = 492,
                                   .in_report = false}};
const metric::Counter kKindBusy{
    {.name = "fabrictwin_partition_kind_busy_seconds_total",
     .unit = "seconds",
     .help = "Wall-clock time that partitions of a kind have spent simulating, all together",
     .labels = {"kind"},
     .order = 494,
     .in_report = false}};
const metric::Counter kKindWait{{.name = "fabrictwin_partition_kind_wait_seconds_total",
                                 .unit = "seconds",
                                 .help = "Wall-clock time in which partitions of a kind did not simulate, all together",
                                 .labels = {"kind"},
                                 .order = 496,
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

void measure_kinds(std::span<const v1::PartitionReport> partitions, metric::Sink& sink) {
  struct Sums {
    double partitions = 0;
    double events = 0;
    double busy = 0;
    double wait = 0;
  };
  std::map<std::string, Sums> kinds;
  for (const v1::PartitionReport& partition : partitions) {
    Sums& sums = kinds[partition.kind()];
    ++sums.partitions;
    sums.events += static_cast<double>(partition.events());
    sums.busy += partition.busy_seconds();
    sums.wait += partition.wait_seconds();
  }
  for (const auto& [kind, sums] : kinds) {
    sink.add(kKindPartitions, sums.partitions, {kind});
    sink.add(kKindEvents, sums.events, {kind});
    sink.add(kKindBusy, sums.busy, {kind});
    sink.add(kKindWait, sums.wait, {kind});
  }
}

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
