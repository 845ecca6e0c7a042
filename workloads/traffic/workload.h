// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic traffic, whatever the model of the routers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/experiment/experiment.h"
#include "cosim/link/packet_format.h"
#include "models/host/workload.h"
#include "models/router/input_queued/packet_workload.h"
#include "workloads/traffic/cycle_generator.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/host_generator.h"
#include "workloads/traffic/measurement.h"
#include "workloads/traffic/spec.h"
#include "workloads/traffic/traffic_hosts.h"

namespace fabrictwin::traffic {

/// The workload Traffic of traffic.proto: a pattern, one measurement, and the generator that the network needs. Load
/// counts the words of a packet (header, footer, envelope and body) against the word slots of a link between routers.
class Workload final : public host::Workload, public router::input_queued::SendsPackets {
 public:
  /// What traffic must know of the network.
  struct Network {
    Clock router_clock;
    Bandwidth link_rate;  ///< The rate of links between routers.
    /// Words per router cycle of a link between routers that is never idle, if hosts send bare packets by the cycle;
    /// otherwise they send messages through network interfaces.
    std::optional<double> words_per_cycle;
    link::PacketFormat packets{};  ///< How network interfaces make packets of words.
  };

  /// `patterns` are those of the classes. Requires at least two hosts and payloads of 32 (the envelope) to 256 bytes.
  Workload(const TrafficSpec& spec, std::vector<DestinationPattern> patterns, const Network& network, uint64_t seed,
           int32_t hosts, const experiment::StatisticsSpec& statistics = {})
      : Workload(spec, std::move(patterns), network, seed, TrafficHosts(hosts), statistics) {}
  /// For some hosts, which send messages: one of several jobs. Others have no processes.
  Workload(const TrafficSpec& spec, std::vector<DestinationPattern> patterns, const Network& network, uint64_t seed,
           const TrafficHosts& hosts, const experiment::StatisticsSpec& statistics);

  bool takes_part(int32_t node) const override { return hosts_.number(node) >= 0; }
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  router::input_queued::PacketWorkload* packets() override { return cycle_generator_.get(); }
  std::string_view shared_among_hosts() const override { return shared_; }
  /// Traffic is over when its last packet has arrived.
  bool end_is_cut(std::span<const int32_t> partition_of) const override;
  bool report_part(v1::WorkloadPart& part) const override;
  absl::Status add_part(const v1::WorkloadPart& part) override;
  /// Nothing, if parts tell of it.
  void report_here(v1::Report& report) const override {
    if (!shared_.empty()) this->report(report);
  }
  bool parts_done() const override { return measurement_->over(); }
  /// Whether the hosts here generate nothing any more, and what they have sent to each other has arrived.
  bool finished_here() const { return host_traffic_ == nullptr || host_traffic_->finished(); }
  std::vector<uint64_t> class_bytes() const override { return measurement_->class_bytes(); }
  void measure(metric::Sink& sink) const override { measurement_->measure(sink); }
  void report(v1::Report& report) const override;
  double done() const override { return measurement_->done(); }

 private:
  TrafficHosts hosts_;
  std::vector<DestinationPattern> patterns_;
  /// What hosts share besides packets.
  std::string_view shared_;
  std::optional<Measurement> measurement_;
  // One of them exists.
  std::unique_ptr<CycleGenerator> cycle_generator_;
  std::unique_ptr<HostTraffic> host_traffic_;
};

}  // namespace fabrictwin::traffic
