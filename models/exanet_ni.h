// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of the ExaNet network interface: packetizer, mailbox and RDMA unit behind one link.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>

#include "cosim/base/clock.h"
#include "cosim/run/counters.h"
#include "cosim/run/system_graph.h"
#include "models/host_memory.h"
#include "models/host_pages.h"
#include "models/link_transaction.h"
#include "models/ni_context.h"
#include "models/ni_framer.h"
#include "models/ni_mailbox.h"
#include "models/ni_memory.h"
#include "models/ni_packetizer.h"
#include "models/ni_port.h"
#include "models/ni_processor.h"
#include "models/rdma_receiver.h"
#include "models/rdma_sender.h"

namespace fabrictwin {

/// Speaks the packets of rtl/ni and rtl/rdma, so that the other end may be either; docs/models/exanet-ni-model.md says
/// what is exact. At each time what has arrived is taken first, then what is due inside, then a packet may leave. Not
/// thread-safe.
class ExanetNi : public sc_core::sc_module, public NiPort {
 public:
  SC_HAS_PROCESS(ExanetNi);

  struct Config {
    NiNode node = 0;
    NiNumbering numbering;
    uint16_t pdid = 1;     ///< The one protection domain of the run.
    Link link;             ///< To the router, or what is in its place.
    int32_t credits = 64;  ///< Words of each VC that the neighbour can hold.
    NiTiming timing;
    NiMailbox::Config mailbox;
    int32_t configuration = 0;                 ///< Writes of the processor at time zero, for timing.accesses().
    int32_t contexts = 32;                     ///< Transfers that can be received at once.
    std::optional<Time> page_fault_time;       ///< None: all pages are there.
    std::optional<HostMemory::Config> memory;  ///< None: it answers at once.
    LinkCounters* counters = nullptr;          ///< Of the direction towards the router.
    NiClient* client = nullptr;                ///< Outlives the module's activity; may be set later by bind_client().
  };
  struct Counters {
    uint64_t packets = 0;                       ///< Taken in, right ones.
    std::array<uint64_t, kNiFaults> dropped{};  ///< By NiFault.
  };

  ExanetNi(const sc_core::sc_module_name& name, Config config);

  tlm_utils::simple_initiator_socket<ExanetNi> tile_out;
  tlm_utils::simple_target_socket<ExanetNi> tile_in;

  /// Before anything happens.
  void bind_client(NiClient* client) { context_.client = client; }

  void send_message(int32_t channel, NiNode node, int32_t interface, std::span<const std::byte> payload) override;
  void start_transfer(int32_t channel, const NiTransfer& transfer) override;

  const Counters& counters() const { return counters_; }
  const NiPacketizer& packetizer() const { return packetizer_; }
  const NiMailbox& mailbox() const { return mailbox_; }
  const RdmaSender& rdma_sender() const { return sender_; }
  const RdmaReceiver& rdma_receiver() const { return receiver_; }

 private:
  /// Words whose room is free again, and the packet that they were, if it was one.
  struct Arrival {
    Time time;
    uint8_t vc = 0;
    uint8_t freed = 0;
    bool complete = false;
    NiWords packet;
  };
  struct Credit {
    Time time;
    uint8_t vc;
    uint8_t count;
  };

  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void take(const Arrival& arrival);
  void return_credit(uint8_t vc, uint8_t count);
  void dispatch(const NiWords& packet);
  void inject();
  void inject_packet(size_t stream, int64_t slot);
  void schedule();
  Time kernel_now() const { return from_sc_time(sc_core::sc_time_stamp()); }

  Config config_;
  Clock word_clock_;
  std::optional<HostMemory> host_memory_;
  std::optional<HostPages> pages_;
  NiContext context_;
  NiMemory memory_;
  NiPacketizer packetizer_;
  NiMailbox mailbox_;
  RdmaSender sender_;
  RdmaReceiver receiver_;
  std::optional<NiProcessor> processor_;  ///< With timing.accesses().

  sc_core::sc_event work_event_;
  LinkTransaction transaction_;
  std::array<NiFramer, kVcs> framers_{NiFramer(0), NiFramer(1)};
  std::deque<Arrival> arrivals_;
  std::deque<Credit> credits_coming_;
  std::array<std::deque<NiWords>, kNiStreams> queues_;
  std::array<int32_t, kVcs> credits_{};
  size_t turn_ = 0;  ///< The stream that was served last.
  int64_t next_slot_ = 0;
  int64_t forward_free_ = 0;        ///< Edge from which the way to the RDMA unit is free.
  Time decide_at_ = Time::never();  ///< When the link is free for what waits.
  Counters counters_;
};

}  // namespace fabrictwin
