// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a host: packets of words and credits, whatever kind of network interface cuts and joins them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/counters.h"
#include "cosim/link/packet.h"
#include "cosim/link/packet_format.h"
#include "cosim/observe/digest.h"
#include "cosim/observe/packet_trace.h"
#include "cosim/system/system_graph.h"
#include "models/host/endpoint.h"
#include "models/host/host_interface.h"
#include "models/kernel/link_transaction.h"
#include "models/nic/credit_counter.h"

namespace fabrictwin::nic::words {

/// Base of the network interfaces of one host. Words are those of SystemGraph::packets. All packets leave on VC 0.
/// Every packet carries a checksum in its footer (the low 64 bits, or as many as a word has, of the XXH3 of the bytes
/// between header and footer), and is checked when it arrives. A packet through port p arrives through the port of the
/// same number (modulo those of its destination). Events of one time are handled in the order of ports, arrivals first.
/// Not thread-safe.
class LinkInterface : public sc_core::sc_module, public host::HostPort, public host::HostInterface {
 public:
  SC_HAS_PROCESS(LinkInterface);

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

  LinkInterface(const sc_core::sc_module_name& name, Config config);

  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<LinkInterface>> tile_out;  ///< By port.
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<LinkInterface>> tile_in;
  sc_core::sc_export<host::HostPort> host{"host"};

  sc_core::sc_export<host::HostPort>& host_port() override { return host; }
  void bind_endpoint(host::Endpoint* endpoint) override { endpoint_ = endpoint; }
  int32_t ports() const override { return static_cast<int32_t>(ports_.size()); }
  tlm::tlm_initiator_socket<>& link_out(int32_t port) override { return tile_out[port]; }
  tlm::tlm_target_socket<>& link_in(int32_t port) override { return tile_in[port]; }

  uint64_t packets_received() const override { return packets_received_; }
  uint64_t payload_received() const override { return payload_received_; }

 protected:
  using Words = std::vector<link::Word>;

  /// A packet has arrived, and neither it nor its header are wrong. Returns when its space is free again: not before
  /// the present, which is when its last word came.
  virtual Time packet_arrived(int32_t port, const link::PacketHeader& header, const Words& words) = 0;
  /// Handles what is due now, after arrivals.
  virtual void handle() = 0;
  /// When handle() is to be called next, if nothing arrives. The present or the past is the next delta cycle.
  virtual Time next_due() const = 0;

  /// Makes sure that handle() is called when something is due. To be called after everything that changes next_due(),
  /// except by the calls above.
  void schedule();

  /// How packets are made of words.
  const link::PacketFormat& format() const { return config_.graph->packets; }
  /// What a packet of so many words takes of a buffer: a whole number of credits.
  int32_t buffer_words(int32_t words) const {
    const int32_t credit = config_.graph->words.credit_words;
    return (words + credit - 1) / credit * credit;
  }
  /// The header of a packet to `destination` through `port`.
  link::PacketHeader make_header(int32_t port, int32_t destination, uint64_t payload_bytes, uint32_t sequence) const;
  /// Completes a packet with its footer and sends it as soon as the link is free; it needs credits for buffer_words()
  /// of its words. Returns the slot of its first word.
  int64_t send_packet(int32_t port, link::Word* words, int32_t count);
  /// Begins the trace of a message whose first packet leaves in `slot`, if it is to be traced. The host sent the
  /// message at `since`.
  void follow(int32_t port, const link::PacketHeader& header, int64_t slot, Time since);

  /// Words of VC 0 for which credits have come by now.
  int32_t credits(int32_t port);
  /// When the next ones come; never() if none are under way.
  Time next_credit(int32_t port) const { return ports_[port].credits.next(); }
  /// The slot in which a packet begins that is given to send_packet() now, and the time at which a slot begins.
  int64_t next_slot(int32_t port) const;
  Time slot_time(int32_t port, int64_t slot) const { return ports_[port].word_clock.edge(slot); }
  /// When the last word that was given to send_packet() has left.
  Time free_at(int32_t port) const { return ports_[port].word_clock.edge(ports_[port].next_slot); }

  void fail(const std::string& what);
  static Time now() { return kernel::from_sc_time(sc_core::sc_time_stamp()); }
  int32_t node() const { return config_.node; }
  int32_t hosts() const { return hosts_; }
  const system::SystemGraph& graph() const { return *config_.graph; }
  host::Endpoint* endpoint() const { return endpoint_; }
  void count_payload(uint64_t bytes) { payload_received_ += bytes; }

 private:
  struct Arrival {
    Time time;
    uint8_t vc;
    Words words;
  };
  /// Space that is still in use.
  struct Held {
    int32_t port;
    uint8_t vc;
    int32_t words;
  };
  /// One port. Every queue is in time order.
  struct Port {
    explicit Port(const PortConfig& config, int32_t buffer_words, int32_t vcs)
        : config(config),
          word_clock(config.tile.word_clock()),
          credits(buffer_words),
          assembling(static_cast<size_t>(vcs)) {}

    PortConfig config;
    Clock word_clock;
    int64_t next_slot = 0;
    CreditCounter credits;          ///< Of VC 0, in words.
    std::vector<Words> assembling;  ///< By VC.
    std::deque<Arrival> arrivals;
  };

  void receive(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  Time take(int32_t port, const Arrival& arrival);
  /// What is wrong with a packet; empty if nothing.
  std::string fault(const Arrival& arrival, const link::PacketHeader& header, int32_t destination) const;
  link::Word footer_of(std::span<const link::Word> words) const;
  /// Gives the space of a packet of so many words back.
  void return_credit(int32_t port, Time time, uint8_t vc, int32_t words);

  Config config_;
  int32_t hosts_;
  host::Endpoint* endpoint_ = nullptr;
  sc_core::sc_event work_event_;
  kernel::LinkTransaction transaction_;

  std::vector<Port> ports_;
  std::multimap<Time, Held> held_;  ///< By the time at which it is free.
  uint64_t packets_received_ = 0;
  uint64_t payload_received_ = 0;
};

}  // namespace fabrictwin::nic::words
