// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a partition of models reports.
#include <algorithm>
#include <iterator>
#include <utility>

#include "cosim/observe/repeats.h"
#include "fmt/format.h"
#include "models/kernel/input_meter.h"
#include "models/network/credit_round_trip.h"
#include "models/network/mixed_calibration.h"
#include "models/partition/apart_check.h"
#include "models/partition/model_partition.h"
#include "models/partition/statistics/control_report.h"
#include "models/partition/statistics/queue_report.h"
#include "models/router/external/limits.h"

namespace fabrictwin::partition {
namespace {

/// Packets that are named if their words do not come.
constexpr size_t kPacketsInParts = 4;

}  // namespace

std::vector<std::string> ModelPartition::waits() const {
  std::vector<std::string> lines = workload_ ? workload_->waits() : std::vector<std::string>();
  for (const auto& endpoint : endpoints_) {
    if (std::string line = endpoint->waits_for(); !line.empty()) lines.push_back(std::move(line));
  }
  for (const auto& interface : interfaces_) {
    if (std::string line = interface->waits_for(); !line.empty()) lines.push_back(std::move(line));
  }
  if (!packets_) return lines;
  if (packets_->packets_in_flight() > 0)
    lines.push_back(fmt::format("{} packets are in routers at depth PACKET", packets_->packets_in_flight()));
  std::vector<std::string> parts = packets_->waits();
  const size_t more = parts.size() - std::min(parts.size(), kPacketsInParts);
  parts.resize(parts.size() - more);
  std::ranges::move(parts, std::back_inserter(lines));
  if (more > 0) lines.push_back(fmt::format("and {} more packets wait for their words", more));
  return lines;
}

host::ControlCounters ModelPartition::control() const {
  host::ControlCounters all;
  for (const auto& interface : interfaces_) all.add(interface->control());
  return all;
}

void ModelPartition::measure(metric::Sink& sink) const {
  if (workload_) measure_workload(*context_.plan, context_.partition, *workload_, sink);
  if (latencies_) latencies_->measure(sink);
  // Routers that are packets have no words in buffers, and a mean over the others would look like that of all.
  if (!packets_ && has_all_models(*context_.plan, context_.partition)) occupancy_.measure(fabric_->buffer_fill(), sink);
  if (const kernel::InputMeter* const meter = fabric_->input_meter(); meter != nullptr)
    statistics::measure_queues(meter->longest(), meter->totals(stood_).at(stood_), sink);
  if (context_.experiment->hardware_congestion.has_value() && !interfaces_.empty())
    statistics::measure_control(control(), sink);
  if (!context_.plan->graph.has_nodes() || interfaces_.empty()) return;
  observe::Repeats repeats;
  for (const auto& interface : interfaces_) {
    repeats.messages += interface->repeats().messages;
    repeats.blocks += interface->repeats().blocks;
  }
  observe::measure(repeats, sink);
}

void ModelPartition::report(v1::Report& report) const {
  fabric_->update_counters(Time::never(), context_.link_counters);
  if (packets_) packets_->update_counters(context_.link_counters);
  if (endpoints_.empty()) return;
  // Where other partitions have hosts, each adds its own numbers to those that are there.
  if (!apart_ && context_.experiment->statistics.occupancy_interval > Time::zero())
    occupancy_.report(*report.mutable_occupancy());
  if (latencies_) latencies_->report(report);
  // Each place with hosts says them, and a report has each of them once.
  for (const auto warning_of :
       {network::mixed_calibration, network::credit_round_trip_warning, router::external::rate_warning}) {
    if (std::string warning = warning_of(*context_.experiment, *context_.plan); !warning.empty())
      report.add_warnings(std::move(warning));
  }
  uint64_t packets = 0;
  uint64_t bytes = 0;
  for (const auto& interface : interfaces_) {
    packets += interface->packets_received();
    bytes += interface->payload_received();
  }
  report.set_packets_delivered(packets);
  report.set_bytes_delivered(bytes);
  if (context_.experiment->hardware_congestion.has_value())
    statistics::report_control(control(), *report.mutable_control());
  Time end;
  for (const auto& endpoint : endpoints_) {
    if (endpoint->finished()) end = std::max(end, endpoint->finish_time());
  }
  // A run that is stopped before its end has come as far as this.
  if (!apart_ && !done_ && !reached_.is_never()) end = std::max(end, reached_);
  report.set_simulated_fs(end.fs());
  if (!apart_) series_.report(end, done_, report);
  if (const kernel::InputMeter* const meter = fabric_->input_meter(); meter != nullptr && !apart_)
    statistics::report_input_queues(meter->totals(end), end, context_.plan->graph, *report.mutable_queues());
  apart_ ? workload_->report_here(report) : workload_->report(report);
}

void ModelPartition::report_part(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts) const {
  if (!apart_) return;
  v1::WorkloadPart part;
  bool told = workload_ && workload_->report_part(part);
  if (latencies_) {
    latencies_->report_part(*part.mutable_messages());
    told = true;
  }
  if (context_.experiment->statistics.occupancy_interval > Time::zero() && fabric_->routers() > 0) {
    occupancy_.report_part(fabric_->buffer_fill(), *part.mutable_occupancy());
    told = true;
  }
  if (series_.active()) {
    series_.report_part(*workload_, hosts_now(), *part.mutable_congestion()->mutable_series());
    told = true;
  }
  if (const kernel::InputMeter* const meter = fabric_->input_meter(); meter != nullptr) {
    const Time still = statistics::queues_stand_until(*context_.experiment, reached_, together_);
    statistics::report_input_queue_totals(meter->totals(still), *part.mutable_congestion()->mutable_queues());
    told = true;
  }
  if (told) *parts.Add() = std::move(part);
}

}  // namespace fabrictwin::partition
