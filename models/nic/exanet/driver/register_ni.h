// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of a node whose logic is RTL: what a driver does with registers and memory at a host port.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/link/host_message.h"
#include "models/link_transaction.h"
#include "models/ni_port.h"
#include "models/register_mailbox.h"
#include "models/register_packetizer.h"
#include "models/register_port.h"
#include "models/register_rdma.h"

namespace fabrictwin {

/// NiPort over host records. The memory answers when it is asked. What is sent goes out in the delta cycle after the
/// call, so that the order of what the processor does at one time never depends on the order of SystemC's processes.
/// Before anything else it configures the logic. Failures of the logic or its peer go to NiClient::ni_failed(). Not
/// thread-safe.
class RegisterNi : public sc_core::sc_module, public NiPort, private RegisterPort {
 public:
  SC_HAS_PROCESS(RegisterNi);

  struct Config {
    Time latency;                        ///< Of the host port, towards the processor.
    NiClient* client = nullptr;          ///< Outlives the module.
    int32_t interfaces = kNiInterfaces;  ///< Of the packetizer: channels 0 to 4 * interfaces - 1 may be used.
    int32_t mailboxes = 2;               ///< Interfaces of the mailbox that receive.
    uint32_t mailbox_depth = 16;         ///< Of the logic's rings.
    int32_t rdma_pages = 1;              ///< RDMA channels 0 to 32 * pages - 1 may be used.
    uint16_t pdid = 1;
  };

  RegisterNi(const sc_core::sc_module_name& name, const Config& config);

  tlm_utils::simple_initiator_socket<RegisterNi> port_out;  ///< Towards the logic.
  tlm_utils::simple_target_socket<RegisterNi> port_in;

  void send_message(int32_t channel, NiNode node, int32_t interface, std::span<const std::byte> payload) override;
  void start_transfer(int32_t channel, const NiTransfer& transfer) override;

  /// Register accesses begun so far.
  uint64_t accesses() const { return accesses_; }
  /// What it waits for, for people who ask why a run hangs; empty if nothing.
  std::string waits_for() const;

 private:
  struct Arrival {
    Time time;
    HostMessage message;
  };
  struct Access {
    uint32_t tag = 0;
    HostRegion region = HostRegion::kMessages;
    uint32_t address = 0;
    Written written;  ///< Of a write.
    Read read;        ///< Of a read.
  };
  /// A write to memory whose bytes are arriving.
  struct MemoryWrite {
    HostMessage head;
    std::vector<std::byte> bytes;
    std::array<uint64_t, 4> strobes{};
  };

  void write(HostRegion region, uint32_t address, uint32_t bytes, const Word& value, Written written) override;
  void read(HostRegion region, uint32_t address, uint32_t bytes, Read read) override;
  void after(Time delay, std::function<void()> action) override;
  Time now() const override;
  void fail(const std::string& what) override;

  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void run_commands();
  void configure();
  void take(const HostMessage& message);
  void take_answer(const HostMessage& message);
  void serve_read(const HostMessage& message);
  void take_write(const HostMessage& message);
  void take_bytes(const HostMessage& message);
  void send(const HostMessage& message);
  void schedule();

  Config config_;
  LinkTransaction transaction_;
  RegisterPacketizer packetizer_;
  RegisterMailbox mailbox_;
  RegisterRdma rdma_;
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
  bool failed_ = false;
};

}  // namespace fabrictwin
