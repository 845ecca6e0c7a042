// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a processor does with its network interface: sends messages, takes what its mailboxes get, starts transfers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/rtl/node/node_device.h"

namespace fabrictwin::test {

/// A message as the mailbox gives it out.
struct MailboxEntry {
  std::vector<uint8_t> data;
  uint32_t source = 0;
  int channel = 0;
  uint32_t sequence = 0;
};

class NodeHost {
 public:
  static constexpr int kDepth = 16;  ///< Of a ring in the logic.
  static constexpr int kRingBits = 3;
  /// States of a channel of the packetizer.
  enum State { kIdle, kOngoing, kAcked, kNacked, kTimedOut };

  /// Takes over the device's events. Its processes are in one protection domain, which owns all of its memory.
  NodeHost(NodeDevice& device, uint16_t pdid);

  NodeDevice& device() { return device_; }
  uint32_t node() const { return device_.identity().node; }
  /// Opens a packetizer interface and the mailbox of the same number, and the RDMA page.
  void open(int number);
  /// Puts the ring of a mailbox into the device's memory, 2^kRingBits entries; each is told.
  void place_ring(int number);

  using Sent = std::function<void(State state)>;
  /// One message; the channel must be free. `sent` says what became of it.
  void send(int channel, uint32_t node, int interface_number, const std::vector<uint8_t>& data, Sent sent);
  /// Called with every entry.
  std::function<void(int interface_number, const MailboxEntry& entry)> on_message;

  using Finished = std::function<void(Code code)>;
  void start(const Transfer& transfer, Finished finished);
  /// Times of the RDMA unit in ticks of 16 cycles.
  void set_rdma_times(unsigned timeout, unsigned backoff, unsigned retries, unsigned lifetime);
  /// Of packetizer and mailbox.
  void read_counter(int number, std::function<void(uint64_t value)> done);
  /// A register of 64 bits.
  void read(uint32_t address, std::function<void(uint64_t value)> done);

 private:
  void write(uint32_t address, uint64_t value);
  void poll(int channel, Sent sent);
  void poll_transfer(uint32_t address, Finished finished);
  void take_entry(int interface_number);
  void take_from_memory(int interface_number);
  static uint64_t ring_base(int number) { return uint64_t{0x3f00000000} + static_cast<uint64_t>(number) * 0x400; }

  NodeDevice& device_;
  uint16_t pdid_;
  std::vector<int> heads_ = std::vector<int>(64);
  std::vector<bool> in_memory_ = std::vector<bool>(64);
};

}  // namespace fabrictwin::test
