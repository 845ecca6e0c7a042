// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node whose logic is RTL: a driver's accesses to registers and memory at a host port.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/link/host_message.h"
#include "cosim/link/packet_mark.h"
#include "models/kernel/link_transaction.h"
#include "models/memory/host_memory.h"
#include "models/nic/exanet/cca_throttle.h"
#include "models/nic/exanet/driver/register_mailbox.h"
#include "models/nic/exanet/driver/register_packetizer.h"
#include "models/nic/exanet/driver/register_port.h"
#include "models/nic/exanet/driver/register_rdma.h"
#include "models/nic/exanet/driver/register_reducer.h"
#include "models/nic/exanet/interrupts.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet::driver {

/// A Port over host records. Memory is read and written when it answers: at the time of the request unless it is
/// modelled. What is sent leaves in the delta
/// cycle after the call, so that the order of the processor's actions at one time never depends on the order of
/// SystemC's processes. It configures the logic before anything else. Failures of the logic or its peer go to
/// Client::ni_failed(). Not thread-safe.
class RegisterNi : public sc_core::sc_module, public exanet::Port, public allreduce::Port, private RegisterPort {
 public:
  SC_HAS_PROCESS(RegisterNi);

  struct Config {
    Time latency;                                ///< Latency of the host port, towards the processor.
    Client* client = nullptr;                    ///< Outlives the module.
    int32_t interfaces = kNiInterfaces;          ///< Interfaces to send: channels 0 to 4 * interfaces - 1 may be used.
    int32_t mailboxes = 2;                       ///< Interfaces of the mailbox that receive.
    uint32_t mailbox_depth = 16;                 ///< Entries of each ring of the mailbox,
    bool rings_in_memory = false;                ///< which are in block RAM, or in the host's memory.
    std::optional<InterruptSettings> interrupt;  ///< How messages are told; without it, each by itself.
    int32_t rdma_pages = 1;                      ///< RDMA channels 0 to 32 * pages - 1 may be used.
    uint16_t pdid = 1;
    CcaSettings congestion;  ///< For the RDMA unit.
    int32_t firmware = 0;    ///< Cycles that its firmware takes for a transfer, less one.
    bool translation_cache = false;
    std::optional<memory::HostMemory::Config> memory;  ///< Without it, memory answers at once.
    link::PacketMarking marking;                       ///< For the router in the same logic; disabled if it has none.
  };

  static constexpr int32_t kMarkingWrites = 2;  ///< Writes to registers for Config::marking.

  RegisterNi(const sc_core::sc_module_name& name, const Config& config);

  tlm_utils::simple_initiator_socket<RegisterNi> port_out;  ///< Towards the logic.
  tlm_utils::simple_target_socket<RegisterNi> port_in;

  void send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) override;
  void start_transfer(int32_t channel, const Transfer& transfer) override;
  void configure(const allreduce::Group& group) override;
  void start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) override;
  /// Binds the one who uses the Allreduce accelerator.
  void bind_reducer(allreduce::Client* client) { reducer_.bind_client(client); }

  /// See RegisterRdma.
  uint64_t notices() const { return rdma_.notices(); }
  /// Register accesses begun so far.
  uint64_t accesses() const { return accesses_; }
  /// What it waits for, to explain a run that hangs; empty if nothing.
  std::string waits_for() const;

 private:
  struct Arrival {
    Time time;
    link::HostMessage message;
  };
  struct Access {
    uint32_t tag = 0;
    link::HostRegion region = link::HostRegion::kMessages;
    uint32_t address = 0;
    Written written;  ///< Callback of a write.
    Read read;        ///< Callback of a read.
  };
  /// A write to memory whose bytes are arriving.
  struct MemoryWrite {
    link::HostMessage head;
    std::vector<std::byte> bytes;
    std::array<uint64_t, 4> strobes{};
  };

  void write(link::HostRegion region, uint32_t address, uint32_t bytes, const link::Word& value,
             Written written) override;
  void read(link::HostRegion region, uint32_t address, uint32_t bytes, Read read) override;
  void after(Time delay, std::function<void()> action) override;
  Time now() const override;
  void fail(const std::string& what) override;

  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void run_commands();
  void configure();
  void configure_marking();
  void take(const link::HostMessage& message);
  void take_answer(const link::HostMessage& message);
  void serve_read(const link::HostMessage& message);
  void answer_read(const link::HostMessage& message);
  void take_write(const link::HostMessage& message);
  void take_bytes(const link::HostMessage& message);
  void finish_write(const MemoryWrite& write);
  /// Handles the answers of `memory_`.
  void take_memory();
  void send(const link::HostMessage& message);
  void schedule();

  Config config_;
  kernel::LinkTransaction transaction_;
  RegisterPacketizer packetizer_;
  RegisterMailbox mailbox_;
  RegisterRdma rdma_;
  RegisterReducer reducer_;
  sc_core::sc_event work_event_;
  sc_core::sc_event command_event_;
  std::deque<Arrival> arrivals_;
  std::deque<std::function<void()>> commands_;  ///< For the next delta cycle.
  std::multimap<Time, std::function<void()>> timers_;
  std::deque<Access> under_way_;
  uint32_t next_tag_ = 0;
  uint64_t accesses_ = 0;
  bool writing_ = false;  ///< `write_` waits for bytes.
  MemoryWrite write_;
  std::optional<memory::HostMemory> memory_;
  std::deque<link::HostMessage> asked_reads_;  ///< In the order of their answers,
  std::deque<MemoryWrite> asked_writes_;       ///< as these are.
  bool failed_ = false;
};

}  // namespace fabrictwin::nic::exanet::driver
