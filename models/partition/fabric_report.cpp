// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a partition of routers that are packets or flits tells of itself.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "models/partition/apart_check.h"
#include "models/partition/fabric_partition.h"

namespace fabrictwin::partition {

std::vector<std::string> FabricPartition::waits() const {
  if (done_) return {};
  if (bare_ != nullptr) {
    const auto in_flight = bare_->network().in_flight(bare_->network().cycle());
    return {fmt::format("the traffic waits for {} flits in the network", in_flight.flits)};
  }
  std::vector<std::string> lines = workload_->waits();
  const int32_t hosts = context_.plan->graph.host_count();
  for (int32_t host = 0; host < hosts; ++host) {
    if (!is_here(host)) continue;
    std::string line = hosts_[shard_of_[static_cast<size_t>(host)]]->waits_for(host);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  if (congestion_) congestion_->add_waits(lines);
  if (const size_t coming = packets_coming(); coming > 0)
    lines.push_back(fmt::format("{} packets wait for words that have not come", coming));
  lines.push_back(fmt::format("{} packets are in the network", fabric_->packets_in_flight()));
  return lines;
}

void FabricPartition::measure(metric::Sink& sink) const {
  measure_workload(*context_.plan, context_.partition, *workload_, sink);
  // A mean over routers of one depth would look like that of all.
  if (has_all_models(*context_.plan, context_.partition)) occupancy_.measure(fabric_->buffer_fill(), sink);
  if (statistics_) statistics_->measure(sink);
  if (congestion_) congestion_->measure(sink);
  if (input_queues_) input_queues_->measure(sink);
}

// The model of input-queued networks joins each host with one link.
void FabricPartition::warn_about_ports(v1::Report& report) const {
  const std::vector<int32_t> ports = fabric::ports_of_hosts(context_.plan->graph);
  const int32_t most = ports.empty() ? 1 : *std::max_element(ports.begin(), ports.end());
  if (most == 1) return;
  report.add_warnings(
      fmt::format("hosts beside routers of the model INPUT_QUEUED use the first of their {} ports; write model: PACKET "
                  "or EXANET for all of them",
                  most));
}

bool FabricPartition::samples_buffers() const {
  return context_.experiment->statistics.occupancy_interval > Time::zero() && fabric_->routers() > 0;
}

void FabricPartition::report(v1::Report& report) const {
  fabric_->update_counters(reached_, context_.link_counters);
  if (samples_buffers() && !apart()) occupancy_.report(*report.mutable_occupancy());
  if (bare_ != nullptr) {
    uint64_t packets = 0;
    const int32_t hosts = context_.plan->graph.host_count();
    for (int32_t host = 0; host < hosts; ++host) packets += bare_->network().packets_received(host);
    report.set_packets_delivered(packets);
    if (apart()) {
      report.set_simulated_fs(bare_->finish_time().fs());
      return workload_->report_here(report);
    }
    report.set_simulated_fs(bare_->now().fs());
    report.mutable_traffic()->set_flit_hops(bare_->flit_hops());
    // A run that is stopped before its end has come as far as this.
    const Time end = done_ || reached_.is_never() ? bare_->now() : std::max(bare_->now(), reached_);
    if (input_queues_) input_queues_->report(end, done_, report);
    return workload_->report(report);
  }
  if (hosted_ != nullptr) warn_about_ports(report);
  // Reports the threads that can be used.
  report.mutable_run()->set_threads(static_cast<int32_t>(hosts_.size()));
  uint64_t packets = 0;
  uint64_t bytes = 0;
  Time finish;
  for (const auto& hosts : hosts_) {
    packets += hosts->packets_received();
    bytes += hosts->bytes_received();
    finish = std::max(finish, hosts->finish_time());
  }
  report.set_packets_delivered(packets);
  report.set_bytes_delivered(bytes);
  report.set_simulated_fs(finish.fs());
  if (statistics_) statistics_->report(report);
  if (apart()) return workload_->report_here(report);
  // A run that is stopped before its end has come as far as this.
  const Time end = done_ || reached_.is_never() ? finish : std::max(finish, reached_);
  report.set_simulated_fs(end.fs());
  if (congestion_) congestion_->report(end, done_, report);
  if (input_queues_) input_queues_->report(end, done_, report);
  workload_->report(report);
  if (congestion_) congestion_->report_flows(report);
}

}  // namespace fabrictwin::partition
