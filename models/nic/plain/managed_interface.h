// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's network interface with congestion management: docs/models/exanet-congestion.md.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/experiment/hardware_congestion.h"
#include "models/congestion/cct_index.h"
#include "models/nic/plain/network_interface.h"

namespace fabrictwin::nic::plain {

/// Answers marked packets by notices, which go before data, and notices by gaps behind packets. While the oldest
/// message of a port has to wait for the end of a gap, others go ahead, packet by packet; messages to one destination
/// keep their order. One packet at a time is given to a link, when the one before it has left. Not thread-safe.
class ManagedInterface final : public NetworkInterface {
 public:
  /// `reaction` outlives it.
  ManagedInterface(const sc_core::sc_module_name& name, Config config, const experiment::GapReaction& reaction);

  void send(const OutgoingMessage& message) override;
  host::ControlCounters control() const override { return control_; }
  /// Those with data.
  uint64_t packets_received() const override { return NetworkInterface::packets_received() - notices_taken_; }

 private:
  struct Waiting {
    uint64_t number = 0;  ///< In the order in which the port has got messages.
    Outgoing outgoing;
  };
  /// The messages to one destination.
  struct Flow {
    std::deque<Waiting> messages;
    uint64_t offset = 0;   ///< Bytes of the first message that have left, envelope included.
    int64_t earliest = 0;  ///< The slot at which the gap behind its last packet ends.
  };
  struct Notice {
    int32_t destination = 0;
    uint32_t sequence = 0;  ///< Of the message whose packet was marked.
  };
  /// What leaves through one port.
  struct Port {
    uint64_t messages = 0;                    ///< That it has got.
    std::unordered_map<int32_t, Flow> flows;  ///< By destination.
    /// The flows with messages, by destination: those that may send, the oldest message first, and the others by the
    /// ends of their gaps.
    std::set<std::pair<uint64_t, int32_t>> eligible;
    std::set<std::pair<int64_t, int32_t>> in_gap;
    std::deque<Notice> notices;
  };

  Time packet_arrived(int32_t port, const link::PacketHeader& header, const Words& words) override;
  void handle() override;
  Time next_due() const override;

  /// Files a flow with messages under those that may send, or not yet.
  void file(int32_t port, int32_t destination);
  void inject(int32_t port);
  bool inject_notice(int32_t port);
  bool inject_packet(int32_t port);
  congestion::CctIndex& index_of(int32_t destination);

  const experiment::GapReaction& reaction_;
  std::vector<Port> ports_;
  std::unordered_map<int32_t, congestion::CctIndex> indexes_;  ///< By destination.
  host::ControlCounters control_;
  uint64_t notices_taken_ = 0;
};

}  // namespace fabrictwin::nic::plain
