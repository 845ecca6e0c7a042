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

namespace fabrictwin {

/// The network interface of one host. Messages leave in order, each as packets of up to 256 bytes of payload on VC 0;
/// the first packet begins with the 32-byte Envelope. A packet starts when the router can hold all of it (virtual
/// cut-through). Every packet carries a checksum in its footer (footer lo: XXH3 of the payload words, hi: zero), and
/// every body is compared with what its key says. Not thread-safe.
class NetworkInterface : public sc_core::sc_module, public HostPort, public HostInterface {
 public:
  SC_HAS_PROCESS(NetworkInterface);

  struct Config {
    int32_t node = 0;
    const SystemGraph* graph = nullptr;
    Link tile;                         ///< The link to the router.
    uint64_t seed = 0;                 ///< Of tie bits: every flow draws its own.
    LinkCounters* counters = nullptr;  ///< Of the direction towards the router.
    EndpointDigest* digest = nullptr;
    std::string* failure = nullptr;       ///< Gets the first failure of any part of the partition.
    PacketTrace* packet_trace = nullptr;  ///< Where to tell of packets, unless it is null.
    int32_t channel = 0;                  ///< Towards the router; see SystemGraph.
  };

  NetworkInterface(const sc_core::sc_module_name& name, Config config);

  tlm_utils::simple_initiator_socket<NetworkInterface> tile_out;
  tlm_utils::simple_target_socket<NetworkInterface> tile_in;
  sc_core::sc_export<HostPort> host{"host"};

  sc_core::sc_export<HostPort>& host_port() override { return host; }
  void bind_endpoint(Endpoint* endpoint) override { endpoint_ = endpoint; }
  tlm::tlm_initiator_socket<>& link_out() override { return tile_out; }
  tlm::tlm_target_socket<>& link_in() override { return tile_in; }

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
  struct Reassembly {
    bool active = false;
    Envelope envelope;
    uint64_t received = 0;  ///< Bytes of the body.
    uint64_t hash = 0;
    bool intact = true;
    uint32_t sequence = 0;  ///< Of the message expected next, or being received.
  };

  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void deliver(const Arrival& arrival);
  void take_body(Reassembly& message, int32_t source, const std::byte* bytes, uint64_t count);
  void inject();
  void inject_packet();
  void follow(const PacketHeader& header, int64_t slot);
  void schedule();
  void fail(const std::string& what);
  Time now() const { return from_sc_time(sc_core::sc_time_stamp()); }

  Config config_;
  Clock word_clock_;
  Endpoint* endpoint_ = nullptr;
  sc_core::sc_event work_event_;
  LinkTransaction transaction_;

  std::deque<OutgoingMessage> outgoing_;
  std::deque<Time> outgoing_since_;  ///< When they were given; only for a packet trace.
  uint64_t offset_ = 0;              ///< Bytes of the first outgoing message that have left, envelope included.
  int64_t next_slot_ = 0;
  int32_t credits_ = 0;                              ///< Of VC 0.
  std::unordered_map<int32_t, uint32_t> sequences_;  ///< Messages sent to each node.

  std::array<std::vector<Word>, kVcs> assembling_;
  std::deque<Arrival> arrivals_;
  std::deque<Credit> credits_coming_;
  std::deque<Completion> completions_;
  std::unordered_map<int32_t, Reassembly> reassemblies_;
  uint64_t packets_received_ = 0;
  uint64_t payload_received_ = 0;
};

}  // namespace fabrictwin
