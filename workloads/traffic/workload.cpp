// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/workload.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::traffic {

Workload::Workload(const TrafficSpec& spec, std::vector<DestinationPattern> patterns, const Network& network,
                   uint64_t seed, const TrafficHosts& hosts, const experiment::StatisticsSpec& statistics)
    : hosts_(hosts), patterns_(std::move(patterns)) {
  const bool closed = std::ranges::any_of(
      spec.all_classes(), [](const ClassSpec& of_class) { return of_class.process == v1::CLOSED_LOOP; });
  shared_ = spec.sampled ? "how long traffic is sampled (give it a duration)"
            : closed     ? "the loop of each class of the process CLOSED_LOOP"
                         : "";
  if (network.words_per_cycle.has_value()) {
    TrafficSpec by_cycle = spec;
    for (ClassSpec& of_class : by_cycle.all_classes()) {
      of_class.load *= *network.words_per_cycle;
      of_class.burst_load *= *network.words_per_cycle;
    }
    measurement_.emplace(by_cycle, statistics, patterns_, hosts.count(),
                         TimeBase::by_cycle(network.router_clock, *network.words_per_cycle));
    cycle_generator_ = std::make_unique<CycleGenerator>(by_cycle, patterns_, *measurement_, seed, hosts.count());
    return;
  }
  const Clock words = Clock::of_words(network.link_rate, network.packets.word_bits());
  measurement_.emplace(spec, statistics, patterns_, hosts.count(), TimeBase::by_time(network.router_clock, words),
                       network.packets);
  host_traffic_ = std::make_unique<HostTraffic>(spec, patterns_, *measurement_, words, seed, hosts);
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  if (host_traffic_ == nullptr) return absl::InternalError("hosts that send bare packets have no processes");
  if (!takes_part(node)) return std::unique_ptr<host::HostProcess>();
  return host_traffic_->make_host(node, digest);
}

bool Workload::end_is_cut(std::span<const int32_t> partition_of) const {
  const int32_t first = partition_of[static_cast<size_t>(hosts_.host(0))];
  for (int32_t number = 1; number < hosts_.count(); ++number) {
    if (partition_of[static_cast<size_t>(hosts_.host(number))] != first) return !hosts_.background();
  }
  return false;
}

bool Workload::report_part(v1::WorkloadPart& part) const {
  if (!shared_.empty()) return false;
  const bool over = host_traffic_ != nullptr ? host_traffic_->finished() : measurement_->over();
  measurement_->report_part(over, *part.mutable_traffic());
  return true;
}

absl::Status Workload::add_part(const v1::WorkloadPart& part) { return measurement_->add(part.traffic()); }

void Workload::report(v1::Report& report) const {
  // Network interfaces count the payload themselves.
  if (cycle_generator_ != nullptr) report.set_bytes_delivered(measurement_->bytes_received());
  measurement_->report(report);
}

}  // namespace fabrictwin::traffic
