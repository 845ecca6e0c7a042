// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's network interface: cuts messages into packets and reassembles them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "models/nic/message_body.h"
#include "models/nic/plain_packet.h"
#include "models/nic/words/link_interface.h"

namespace fabrictwin::nic::plain {

/// The network interface of one host that takes no time. Packets are those of PlainPacket, ports are taken as PortTurns
/// says, and messages leave a port in order. A packet starts when the router has space for all of it (virtual
/// cut-through). Messages of a flow are delivered in the order in which they were sent. Every body is compared with
/// what its key says. Not thread-safe.
class NetworkInterface : public words::LinkInterface {
 public:
  NetworkInterface(const sc_core::sc_module_name& name, Config config);

  void send(const OutgoingMessage& message) override;

 protected:
  struct Outgoing {
    OutgoingMessage message;
    uint32_t sequence = 0;  ///< Number in its flow.
    Time since;             ///< When the host sent it.
  };

  Time packet_arrived(int32_t port, const link::PacketHeader& header, const Words& words) override;
  void handle() override;
  Time next_due() const override;

  /// Takes a message that the host sends.
  Outgoing take(const OutgoingMessage& message) { return {message, sequences_[message.destination]++, now()}; }
  /// The port of a message.
  int32_t turn(const OutgoingMessage& message) { return turns_.take(message, ports()); }
  /// Sends a packet of a message of which `sent` bytes have left. Returns the slot of its first word.
  int64_t send_part(int32_t port, const Outgoing& outgoing, uint64_t sent, const PlainPacket& packet);
  /// The last word of a message has been given to send_part(): the host hears of it when that has left.
  void complete(int32_t port, uint64_t cookie) { queues_[port].completions.push_back({free_at(port), cookie}); }
  void deliver_completions();
  /// When the host is to hear of a message next.
  Time next_completion() const;

 private:
  struct Completion {
    Time time;
    uint64_t cookie;
  };
  /// What leaves through one port. Both queues are in time order.
  struct Queue {
    std::deque<Outgoing> outgoing;
    uint64_t offset = 0;  ///< Bytes of the first outgoing message that have left, envelope included.
    std::deque<Completion> completions;
  };
  /// A message that has arrived in part.
  struct Reassembly {
    bool begun = false;
    IncomingBody body;
    bool whole() const { return begun && body.complete(); }
  };
  /// The messages from one host.
  struct Flow {
    uint32_t next = 0;  ///< Sequence of the message to be delivered next.
    std::map<uint32_t, Reassembly> messages;
  };

  void deliver(const link::PacketHeader& header, const Words& words);
  /// How many messages of a flow are before the one whose number has these low bits.
  int32_t ahead_of(const Flow& flow, uint32_t sequence) const;
  /// The payload of a packet, padded to whole words, until the next call.
  const std::byte* payload_of(const Words& words);
  void hand_over(Flow& flow, int32_t source);
  void inject(int32_t port);
  void inject_packet(int32_t port, const PlainPacket& packet);

  std::vector<Queue> queues_;      ///< By port.
  std::vector<link::Word> words_;  ///< The packet that is being sent.
  std::vector<std::byte> bytes_;   ///< The payload of the packet that is being received.
  PortTurns turns_;
  std::unordered_map<int32_t, uint32_t> sequences_;  ///< By destination: messages sent.
  std::unordered_map<int32_t, Flow> flows_;          ///< By source.
};

}  // namespace fabrictwin::nic::plain
