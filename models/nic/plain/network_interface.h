// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's network interface: cuts messages into packets and reassembles them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/counters.h"
#include "cosim/link/packet.h"
#include "cosim/observe/digest.h"
#include "cosim/observe/packet_trace.h"
#include "cosim/system/system_graph.h"
#include "models/host/endpoint.h"
#include "models/host/host_interface.h"
#include "models/kernel/link_transaction.h"
#include "models/nic/message_body.h"

namespace fabrictwin::nic::plain {

/// The network interface of one host. Messages leave in order, each as packets of up to 256 bytes of payload on VC 0;
/// the first packet begins with the 32-byte Envelope. A packet starts when the router has space for all of it (virtual
/// cut-through). A host with several ports uses them in turn, message by message, unless a message names one; a message
/// arrives through the port of the same number (modulo those of its destination). Messages of a flow are delivered in
/// the order in which they were sent. Every packet carries a checksum in its footer (footer lo: XXH3 of the payload
/// words, hi: zero), and every body is compared with what its key says. Not thread-safe.
class NetworkInterface : public sc_core::sc_module, public host::HostPort, public host::HostInterface {
 public:
  SC_HAS_PROCESS(NetworkInterface);

  struct PortConfig {
    system::Link tile;                       ///< The link to the router.
    link::LinkCounters* counters = nullptr;  ///< Counters of the direction towards the router.
    int32_t channel = 0;                     ///< Channel towards the router; see SystemGraph.
  };
  struct Config {
    int32_t node = 0;
    const system::SystemGraph* graph = nullptr;
    std::vector<PortConfig> ports;  ///< At least one.
    uint64_t seed = 0;              ///< Seeds the tie bits, which are random for each flow.
    observe::EndpointDigest* digest = nullptr;
    std::string* failure = nullptr;                ///< Receives the first failure of any part of the partition.
    observe::PacketTrace* packet_trace = nullptr;  ///< Records packets unless it is null.
  };

  NetworkInterface(const sc_core::sc_module_name& name, Config config);

  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<NetworkInterface>> tile_out;  ///< By port.
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<NetworkInterface>> tile_in;
  sc_core::sc_export<host::HostPort> host{"host"};

  sc_core::sc_export<host::HostPort>& host_port() override { return host; }
  void bind_endpoint(host::Endpoint* endpoint) override { endpoint_ = endpoint; }
  int32_t ports() const override { return static_cast<int32_t>(ports_.size()); }
  tlm::tlm_initiator_socket<>& link_out(int32_t port) override { return tile_out[port]; }
  tlm::tlm_target_socket<>& link_in(int32_t port) override { return tile_in[port]; }

  void send(const OutgoingMessage& message) override;

  uint64_t packets_received() const override { return packets_received_; }
  uint64_t payload_received() const override { return payload_received_; }

 private:
  struct Arrival {
    Time time;
    uint8_t vc;
    std::vector<link::Word> words;
  };
  struct Credit {
    Time time;
    uint8_t count;
  };
  struct Completion {
    Time time;
    uint64_t cookie;
  };
  struct Outgoing {
    OutgoingMessage message;
    uint32_t sequence = 0;  ///< Number in its flow.
    Time since;             ///< When the host sent it.
  };
  /// One port. Every queue is in time order.
  struct Port {
    explicit Port(const PortConfig& config, int32_t buffer_words)
        : config(config), word_clock(config.tile.word_clock()), credits(buffer_words) {}

    PortConfig config;
    Clock word_clock;
    std::deque<Outgoing> outgoing;
    uint64_t offset = 0;  ///< Bytes of the first outgoing message that have left, envelope included.
    int64_t next_slot = 0;
    int32_t credits;  ///< Credits of VC 0.
    std::array<std::vector<link::Word>, link::kVcs> assembling;
    std::deque<Arrival> arrivals;
    std::deque<Credit> credits_coming;
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

  void receive(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void deliver(const Arrival& arrival);
  void hand_over(Flow& flow, int32_t source);
  void inject(int32_t port);
  void inject_packet(int32_t port);
  link::PacketHeader make_header(int32_t port, const Outgoing& outgoing, uint64_t payload) const;
  void follow(const Port& port, const link::PacketHeader& header, int64_t slot);
  void schedule();
  void fail(const std::string& what);
  Time now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

  Config config_;
  int32_t hosts_;
  host::Endpoint* endpoint_ = nullptr;
  sc_core::sc_event work_event_;
  kernel::LinkTransaction transaction_;

  std::vector<Port> ports_;
  int32_t next_port_ = 0;                            ///< Port of the next message that names none.
  std::unordered_map<int32_t, uint32_t> sequences_;  ///< By destination: messages sent.
  std::unordered_map<int32_t, Flow> flows_;          ///< By source.
  uint64_t packets_received_ = 0;
  uint64_t payload_received_ = 0;
};

}  // namespace fabrictwin::nic::plain
