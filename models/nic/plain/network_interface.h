// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's network interface: cuts messages into packets and puts them together again.
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
#include "cosim/link/packet.h"
#include "cosim/run/counters.h"
#include "cosim/run/digest.h"
#include "cosim/run/packet_trace.h"
#include "cosim/run/system_graph.h"
#include "models/endpoint.h"
#include "models/host_interface.h"
#include "models/link_transaction.h"
#include "models/message_body.h"

namespace fabrictwin {

/// The network interface of one host. Messages leave in order, each as packets of up to 256 bytes of payload on VC 0;
/// the first packet begins with the 32-byte Envelope. A packet starts when the router can hold all of it (virtual
/// cut-through). Where a host has several ports, they take turns message by message unless a message names one, and a
/// message comes in through the port of the same number (modulo those of its destination); messages of a flow are
/// delivered in the order in which they were given. Every packet carries a checksum in its footer (footer lo: XXH3 of
/// the payload words, hi: zero), and every body is compared with what its key says. Not thread-safe.
class NetworkInterface : public sc_core::sc_module, public HostPort, public HostInterface {
 public:
  SC_HAS_PROCESS(NetworkInterface);

  struct PortConfig {
    Link tile;                         ///< The link to the router.
    LinkCounters* counters = nullptr;  ///< Of the direction towards the router.
    int32_t channel = 0;               ///< Towards the router; see SystemGraph.
  };
  struct Config {
    int32_t node = 0;
    const SystemGraph* graph = nullptr;
    std::vector<PortConfig> ports;  ///< At least one.
    uint64_t seed = 0;              ///< Of tie bits: every flow draws its own.
    EndpointDigest* digest = nullptr;
    std::string* failure = nullptr;       ///< Gets the first failure of any part of the partition.
    PacketTrace* packet_trace = nullptr;  ///< Where to tell of packets, unless it is null.
  };

  NetworkInterface(const sc_core::sc_module_name& name, Config config);

  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<NetworkInterface>> tile_out;  ///< By port.
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<NetworkInterface>> tile_in;
  sc_core::sc_export<HostPort> host{"host"};

  sc_core::sc_export<HostPort>& host_port() override { return host; }
  void bind_endpoint(Endpoint* endpoint) override { endpoint_ = endpoint; }
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
    std::vector<Word> words;
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
    uint32_t sequence = 0;  ///< In its flow.
    Time since;             ///< When it was given.
  };
  /// One port. Everything in a queue is in the order of time.
  struct Port {
    explicit Port(const PortConfig& config, int32_t buffer_words)
        : config(config), word_clock(config.tile.word_clock()), credits(buffer_words) {}

    PortConfig config;
    Clock word_clock;
    std::deque<Outgoing> outgoing;
    uint64_t offset = 0;  ///< Bytes of the first outgoing message that have left, envelope included.
    int64_t next_slot = 0;
    int32_t credits;  ///< Of VC 0.
    std::array<std::vector<Word>, kVcs> assembling;
    std::deque<Arrival> arrivals;
    std::deque<Credit> credits_coming;
    std::deque<Completion> completions;
  };
  /// A message of which something has come.
  struct Reassembly {
    bool begun = false;
    IncomingBody body;
    bool whole() const { return begun && body.complete(); }
  };
  /// What comes from one host.
  struct Flow {
    uint32_t next = 0;  ///< Sequence of the message that is delivered next.
    std::map<uint32_t, Reassembly> messages;
  };

  void receive(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void deliver(const Arrival& arrival);
  void hand_over(Flow& flow, int32_t source);
  void inject(int32_t port);
  void inject_packet(int32_t port);
  PacketHeader make_header(int32_t port, const Outgoing& outgoing, uint64_t payload) const;
  void follow(const Port& port, const PacketHeader& header, int64_t slot);
  void schedule();
  void fail(const std::string& what);
  Time now() const { return from_sc_time(sc_core::sc_time_stamp()); }

  Config config_;
  int32_t hosts_;
  Endpoint* endpoint_ = nullptr;
  sc_core::sc_event work_event_;
  LinkTransaction transaction_;

  std::vector<Port> ports_;
  int32_t next_port_ = 0;                            ///< Of the next message that names none.
  std::unordered_map<int32_t, uint32_t> sequences_;  ///< Messages sent to each node.
  std::unordered_map<int32_t, Flow> flows_;          ///< By source.
  uint64_t packets_received_ = 0;
  uint64_t payload_received_ = 0;
};

}  // namespace fabrictwin
