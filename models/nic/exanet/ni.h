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
#include "cosim/link/counters.h"
#include "cosim/system/system_graph.h"
#include "models/kernel/link_transaction.h"
#include "models/kernel/round_robin.h"
#include "models/memory/host_memory.h"
#include "models/memory/host_pages.h"
#include "models/nic/credit_counter.h"
#include "models/nic/exanet/allreduce/unit.h"
#include "models/nic/exanet/cca_throttle.h"
#include "models/nic/exanet/context.h"
#include "models/nic/exanet/framer.h"
#include "models/nic/exanet/mailbox.h"
#include "models/nic/exanet/memory.h"
#include "models/nic/exanet/packetizer.h"
#include "models/nic/exanet/port.h"
#include "models/nic/exanet/processor.h"
#include "models/nic/exanet/rdma_receiver.h"
#include "models/nic/exanet/rdma_sender.h"

namespace fabrictwin::nic::exanet {

/// Uses the packets of rtl/ni and rtl/rdma, so that the other end may be a model or RTL; docs/models/exanet-ni-model.md
/// says what is exact. At each time, arrivals are handled first, then internal events, then a packet may leave. Not
/// thread-safe.
class Ni : public sc_core::sc_module, public exanet::Port, public allreduce::Port {
 public:
  SC_HAS_PROCESS(Ni);

  struct Config {
    Node node = 0;
    Numbering numbering;
    uint16_t pdid = 1;     ///< The one protection domain of the run.
    system::Link link;     ///< The link to the router, or to what replaces it.
    int32_t credits = 64;  ///< Words of each VC that the neighbour can hold.
    Timing timing;
    Mailbox::Config mailbox;
    CcaSettings congestion;               ///< What senders do about notices; who receives sends them in any case.
    int32_t configuration = 0;            ///< Writes of the processor at time zero, for timing.accesses().
    int32_t contexts = 32;                ///< Transfers that can be received at once.
    std::optional<Time> page_fault_time;  ///< Without it, all pages are present.
    std::optional<memory::HostMemory::Config> memory;  ///< Without it, memory responds at once.
    link::LinkCounters* counters = nullptr;            ///< Counters of the direction towards the router.
    Client* client = nullptr;  ///< Outlives the module's activity; may be set later by bind_client().
  };
  struct Counters {
    uint64_t packets = 0;                       ///< Correct packets received.
    std::array<uint64_t, kNiFaults> dropped{};  ///< By Fault.
    uint64_t notices = 0;                       ///< Notices of marked cells that it has sent.
  };

  Ni(const sc_core::sc_module_name& name, Config config);

  tlm_utils::simple_initiator_socket<Ni> tile_out;
  tlm_utils::simple_target_socket<Ni> tile_in;

  /// Call it before anything happens.
  void bind_client(Client* client) { context_.client = client; }
  /// Binds the one who uses the Allreduce accelerator.
  void bind_reducer(allreduce::Client* client) { reducer_.bind_client(client); }

  void send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) override;
  void start_transfer(int32_t channel, const Transfer& transfer) override;
  void configure(const allreduce::Group& group) override;
  void start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) override;

  const Counters& counters() const { return counters_; }
  const Packetizer& packetizer() const { return packetizer_; }
  const Mailbox& mailbox() const { return mailbox_; }
  const RdmaSender& rdma_sender() const { return sender_; }
  const RdmaReceiver& rdma_receiver() const { return receiver_; }
  const allreduce::Unit& reducer() const { return reducer_; }

 private:
  /// Words whose buffer space is free again, and the packet that they formed, if any.
  struct Arrival {
    Time time;
    uint8_t vc = 0;
    uint8_t freed = 0;
    bool complete = false;
    Words packet;
  };

  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void take(const Arrival& arrival);
  void return_credit(uint8_t vc, uint8_t count);
  void dispatch(const Words& packet);
  void notify_source(const RdmaPacket& cell);
  void inject();
  void inject_packet(size_t stream, int64_t slot);
  void schedule();
  Time kernel_now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

  Config config_;
  Clock word_clock_;
  std::optional<memory::HostMemory> host_memory_;
  std::optional<memory::HostPages> pages_;
  Context context_;
  Memory memory_;
  Packetizer packetizer_;
  Mailbox mailbox_;
  RdmaSender sender_;
  RdmaReceiver receiver_;
  allreduce::Unit reducer_;
  std::optional<Processor> processor_;  ///< With timing.accesses().

  sc_core::sc_event work_event_;
  kernel::LinkTransaction transaction_;
  std::array<Framer, link::kVcs> framers_{Framer(0), Framer(1)};
  std::deque<Arrival> arrivals_;
  std::array<std::deque<Words>, kNiStreams> queues_;
  std::array<CreditCounter, link::kVcs> credits_;
  kernel::RoundRobin turn_{1};  ///< Among the streams; after reset, that after stream 0 comes first.
  int64_t next_slot_ = 0;
  int64_t forward_free_ = 0;        ///< Edge from which the path to the RDMA unit is free.
  Time decide_at_ = Time::never();  ///< When the link is free for the next waiting packet.
  Counters counters_;
};

}  // namespace fabrictwin::nic::exanet
