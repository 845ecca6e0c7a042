// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A SystemC block that is a host of the network: it speaks the packets of the routers on two TLM-2.0 sockets.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/packet.h"
#include "models/host/host_factory.h"
#include "models/host/standalone_host.h"
#include "models/kernel/link_transaction.h"

/// Sends packets to one other host, one every `gap`, and keeps what arrives.
class PacketHost : public sc_core::sc_module, public fabrictwin::host::StandaloneHost {
 public:
  SC_HAS_PROCESS(PacketHost);

  struct Program {
    int32_t destination = 0;  ///< Node.
    int32_t packets = 0;
    sc_core::sc_time gap;
  };
  struct Received {
    sc_core::sc_time time;  ///< At which its last word was here.
    int32_t source = 0;
    uint64_t number = 0;    ///< That the sender gave it.
    sc_core::sc_time sent;  ///< When the sender wanted to send it.
  };

  PacketHost(const sc_core::sc_module_name& name, const fabrictwin::host::HostSite& site, const Program& program);

  tlm::tlm_initiator_socket<>& link_out(int32_t) override { return out_; }
  tlm::tlm_target_socket<>& link_in(int32_t) override { return in_; }
  uint64_t packets_received() const override { return received.size(); }
  uint64_t payload_received() const override { return received.size() * kPayloadBytes; }

  std::vector<Received> received;

 private:
  static constexpr int kPayloadWords = 2;
  static constexpr int kPayloadBytes = kPayloadWords * fabrictwin::link::kWordBytes;
  static constexpr int kPacketWords = kPayloadWords + 2;

  struct Arrival {
    sc_core::sc_time time;
    uint8_t vc = 0;
    std::vector<fabrictwin::link::Word> words;
  };
  struct Credit {
    sc_core::sc_time time;
    int32_t count = 0;
  };

  void send_all();
  void send(uint64_t number, const sc_core::sc_time& wanted);
  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void take();

  tlm_utils::simple_initiator_socket<PacketHost> out_{"out"};
  tlm_utils::simple_target_socket<PacketHost> in_{"in"};
  const fabrictwin::host::HostSite site_;
  const Program program_;
  const fabrictwin::Clock word_clock_;
  fabrictwin::kernel::LinkTransaction transaction_;
  int64_t next_slot_ = 0;
  int32_t credits_;  ///< Words of VC 0 that the router has buffer space for.
  std::vector<fabrictwin::link::Word> assembling_[fabrictwin::link::kVcs];
  std::deque<Arrival> arrivals_;
  std::deque<Credit> credits_coming_;
  sc_core::sc_event_queue something_comes_{"something_comes"};
  sc_core::sc_event credits_came_{"credits_came"};
};
