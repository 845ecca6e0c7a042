// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/queue_report.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "cosim/metric/metric.h"

namespace fabrictwin::partition::statistics {
namespace {

const metric::Gauge kQueueNow{
    {.name = "fabrictwin_queue_longest_bytes",
     .unit = "bytes",
     .help =
         "Bytes of data in the longest queue of an output of a router now; with EXANET and INPUT_QUEUED, of an input",
     .order = 440,
     .in_report = false,
     .largest = true}};
const metric::Gauge kQueueMost{{.name = "fabrictwin_queue_max_bytes",
                                .unit = "bytes",
                                .help = "Bytes of data in the longest queue of an output of a router so far; with "
                                        "EXANET and INPUT_QUEUED, of an input",
                                .order = 441,
                                .in_report = false,
                                .largest = true}};
const metric::Gauge kQueueMean{{.name = "fabrictwin_queue_mean_bytes",
                                .unit = "bytes",
                                .help = "Mean over simulated time of the queue of an output, of the output with the "
                                        "largest; with EXANET and INPUT_QUEUED, of an input",
                                .order = 442,
                                .in_report = false,
                                .largest = true}};
const metric::Gauge kSetAside{{.name = "fabrictwin_set_aside_queues",
                               .help = "Queues that inputs have set aside for congested outputs and use now",
                               .order = 443,
                               .in_report = false}};

/// The name of a port that has a number among those of all elements.
std::string port_name(const system::SystemGraph& graph, uint32_t number) {
  system::ElementId element = 0;
  while (number >= graph.elements[element].ports.size())
    number -= static_cast<uint32_t>(graph.elements[element++].ports.size());
  return graph.end_name({element, static_cast<int32_t>(number)});
}

}  // namespace

void measure_queues(int64_t now, const kernel::QueueSummary& queues, metric::Sink& sink) {
  sink.add(kQueueNow, static_cast<double>(now));
  sink.add(kQueueMost, static_cast<double>(queues.most));
  sink.add(kQueueMean, queues.mean);
}

void measure_set_aside(int64_t in_use, metric::Sink& sink) { sink.add(kSetAside, static_cast<double>(in_use)); }

void report_queues(const kernel::QueueSummary& queues, v1::QueuesReport& report) {
  report.set_max_bytes(static_cast<uint64_t>(queues.most));
  report.set_mean_bytes(queues.mean);
  report.set_p50_bytes(static_cast<uint64_t>(queues.p50));
  report.set_p99_bytes(static_cast<uint64_t>(queues.p99));
}

void report_input_queues(const kernel::QueueTotals& totals, Time at, const system::SystemGraph& graph,
                         v1::QueuesReport& report) {
  report.set_at_inputs(true);
  report_queues(totals.at(at), report);
  if (totals.most == 0) return;
  report.set_max_port(port_name(graph, totals.most_queue));
  report.set_mean_port(port_name(graph, totals.mean_queue));
}

// Queues of a run that is stopped stay as they are until then; those of one that ends by itself become empty, unless
// its parts all come to the end, with which the last process finished, and no further.
Time queues_stand_until(const experiment::Experiment& experiment, Time reached, bool together) {
  const Time stop = experiment.stop_after;
  if (!stop.is_never() && reached >= stop) return stop;
  return together && reached > Time::zero() ? reached - Time::from_fs(1) : Time::zero();
}

void report_queue_totals(const kernel::QueueTotals& totals, v1::QueuesPart& part) {
  part.set_most_bytes(totals.most);
  part.set_most_port(totals.most_queue);
  part.set_area(totals.area);
  part.set_until_fs(totals.until);
  part.set_bytes(totals.bytes);
  part.set_mean_port(totals.mean_queue);
  part.set_mean_most_bytes(totals.mean_most);
  for (size_t bucket = 1; bucket < totals.times.size(); ++bucket) {
    if (totals.times[bucket] == 0) continue;
    part.add_buckets(static_cast<uint32_t>(bucket));
    part.add_bucket_fs(totals.times[bucket]);
  }
}

kernel::QueueTotals totals_of(const v1::QueuesPart& part) {
  kernel::QueueTotals totals;
  totals.most = part.most_bytes();
  totals.most_queue = part.most_port();
  totals.area = part.area();
  totals.until = part.until_fs();
  totals.bytes = part.bytes();
  totals.mean_queue = part.mean_port();
  totals.mean_most = part.mean_most_bytes();
  totals.times.resize(kernel::QueueTimes::kBuckets);
  for (int i = 0; i < std::min(part.buckets_size(), part.bucket_fs_size()); ++i) {
    if (part.buckets(i) < totals.times.size()) totals.times[part.buckets(i)] = part.bucket_fs(i);
  }
  return totals;
}

void report_input_queue_totals(const kernel::QueueTotals& totals, v1::QueuesPart& part) {
  report_queue_totals(totals, part);
  part.set_at_inputs(true);
}

}  // namespace fabrictwin::partition::statistics
