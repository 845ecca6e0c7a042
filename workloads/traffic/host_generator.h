// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic of messages, host by host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "cosim/base/clock.h"
#include "cosim/base/fifo.h"
#include "cosim/base/random.h"
#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/measurement.h"
#include "workloads/traffic/packet_gaps.h"
#include "workloads/traffic/spec.h"
#include "workloads/traffic/traffic_hosts.h"

namespace fabrictwin::traffic {

class HostGenerator;

/// What the generators of all hosts share. As no host is simulated ahead of another, the first one that acts at or
/// after the end of a sample ends it, before it does anything else: so samples have exact ends, whatever acts first.
class HostTraffic {
 public:
  /// A load of `spec` is in words per slot of `words`. `patterns`, by class, and `measurement`, whose ticks are
  /// femtoseconds, outlive it.
  HostTraffic(const TrafficSpec& spec, std::span<const DestinationPattern> patterns, Measurement& measurement,
              const Clock& words, uint64_t seed, const TrafficHosts& hosts);

  /// Whether no host here generates packets any more, and those that they have sent to each other have arrived.
  bool finished() const;

  /// The generator of a host, which has a number; must not outlive this object.
  std::unique_ptr<HostGenerator> make_host(int32_t node, observe::EndpointDigest* digest);

 private:
  friend class HostGenerator;
  struct Class {
    ClassSpec spec;
    const DestinationPattern* pattern = nullptr;
    PacketGaps gaps;      ///< Gaps of an open loop.
    bool closed = false;  ///< The process is a closed loop.
    int64_t first = 0;    ///< Packets are generated from this slot on,
    int64_t end = 0;      ///< and none from this one on.
  };

  /// Lets the measurement check everything that is over at `now`.
  void advance(Time now);
  void sent(int32_t destination, Time now, size_t of_class);
  void received(int32_t source, int32_t host, Time generated, Time now, size_t of_class);
  /// Whether a host, by number, has a generator here, and not in another partition.
  bool is_here(int32_t number) const { return hosts_[static_cast<size_t>(number)] != nullptr; }

  Measurement& measurement_;
  Clock words_;
  uint64_t seed_;
  TrafficHosts places_;
  bool sampled_;
  Time duration_;
  absl::InlinedVector<Class, 1> classes_;
  std::vector<HostGenerator*> hosts_;  ///< By number.
  int32_t keeper_ = -1;                ///< The host that acts at the end of each sample, so that somebody does.
  bool stopped_ = false;               ///< The measurement in samples is over, so that nothing is generated any more,
  Time stop_;                          ///< from this time on.
  int32_t generating_ = 0;             ///< Sources of hosts that will still generate packets.
  uint64_t in_flight_ = 0;             ///< Packets between hosts here that have not arrived,
  unsigned __int128 generated_ = 0;    ///< and the sum of the times at which they were generated, in femtoseconds.
};

/// Generates the packets of a host and checks those that it receives. It exists for networks whose hosts have network
/// interfaces: it gives them real messages, one for each packet, and runs beside other processes. It has finished when
/// no host generates packets any more and none is in flight; in the background, always.
class HostGenerator final : public host::HostProcess {
 public:
  HostGenerator(int32_t node, HostTraffic& traffic, observe::EndpointDigest* digest);

  bool finished() const override { return traffic_.places_.background() || traffic_.finished(); }
  Time finish_time() const override;
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override { arrivals_.push_back(message); }
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  /// What the host generates of a class.
  struct Source {
    RandomStream gaps;
    RandomStream destinations;
    int64_t next_slot = 0;  ///< Slot of the next packet, in an open loop.
    Fifo<int64_t> ready{};  ///< Slots of the next packets, in a closed loop.
    int32_t window = 0;     ///< Entries of the window that are still used.
    uint64_t packets = 0;   ///< Packets generated.
    bool generating = true;
  };

  void take_arrivals();
  void generate(size_t of_class);
  void send_packet(size_t of_class);
  void schedule(size_t of_class, int64_t slot);
  void wake_for_packet();
  /// A packet of this host arrived at `time`: called by the receiving host.
  void packet_returned(Time time, size_t of_class);
  void stop_generating(Source& source);
  bool generating() const;

  HostTraffic& traffic_;
  int32_t number_;  ///< The traffic knows the host by it.
  observe::EndpointDigest* digest_;
  absl::InlinedVector<Source, 1> sources_;  ///< By class.
  Time last_arrival_;
  std::vector<nic::IncomingMessage> arrivals_;
  std::string failure_;
};

}  // namespace fabrictwin::traffic
