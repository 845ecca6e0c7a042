// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a host does with its network interface, one thing after the other, for the directed tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/rtl/ni/ni_network.h"

namespace fabrictwin::test {

/// The virtual address of a mailbox.
inline uint64_t mailbox_va(int interface_number) { return static_cast<uint64_t>(interface_number) << 12; }

/// Data of a message that no other has.
inline std::vector<uint8_t> message_data(uint64_t key, int bytes) {
  std::mt19937_64 random(key);
  std::vector<uint8_t> data(static_cast<size_t>(bytes));
  for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
  return data;
}

struct NiEntry {
  std::vector<uint8_t> data;
  int source_rank = 0;
  uint32_t source = 0;
  int channel = 0;
  uint32_t sequence = 0;
  bool operator==(const NiEntry&) const = default;
};

class NiHost {
 public:
  NiHost(NiNetwork& network, int device) : network_(network), d_(device) {}

  void enable_packetizer(int interface_number, int pdid, int rank = 0) {
    const uint64_t value = uint64_t{1} << 63 | static_cast<uint64_t>(rank) << 16 | static_cast<uint64_t>(pdid);
    EXPECT_FALSE(network_.write(d_, ni_packetizer_config_address(interface_number), value));
  }
  void configure_mailbox(int interface_number, int pdid, bool enabled = true) {
    const uint64_t value = uint64_t{enabled} << 63 | static_cast<uint64_t>(pdid);
    EXPECT_FALSE(network_.write(d_, ni_mailbox_config_address(interface_number), value));
  }
  /// Whether the ring was refused.
  bool place_ring(int interface_number, uint64_t ring) {
    return network_.write(d_, ni_ring_address(interface_number), ring);
  }
  void set_timeout(uint64_t ticks, uint64_t retries, uint64_t prescale) {
    EXPECT_FALSE(network_.write(d_, kNiTimeoutAddress, ticks | retries << 16 | prescale << 20));
  }
  void wait_ready() {
    while ((network_.read(d_, kNiStatusAddress) >> 22 & 1) != 0) network_.run(50);
  }
  /// Destination, payload and doorbell; true if the doorbell was refused.
  bool send(int channel, int to_interface, const std::vector<uint8_t>& data, int rank = 0) {
    write_message(channel, to_interface, data, rank);
    return ring(channel, static_cast<int>(data.size()));
  }
  void write_message(int channel, int to_interface, const std::vector<uint8_t>& data, int rank = 0) {
    for (size_t w = 0; 8 * w < data.size(); ++w) {
      uint64_t word = 0;
      for (size_t b = 8 * w; b < data.size() && b < 8 * w + 8; ++b) word |= uint64_t{data[b]} << (8 * (b % 8));
      network_.device(d_).write(ni_channel_address(channel, static_cast<int>(w)), word);
    }
    network_.device(d_).write(ni_channel_address(channel, 8), uint64_t{NiNetwork::node(1 - d_)} << 42 |
                                                                  static_cast<uint64_t>(rank) << 39 |
                                                                  mailbox_va(to_interface));
    network_.finish_host(d_);
  }
  bool ring(int channel, int bytes) {
    return network_.write(d_, ni_channel_address(channel, 9), static_cast<uint64_t>(bytes));
  }
  int state(int channel) { return static_cast<int>(network_.read(d_, ni_channel_address(channel, 9)) & 7); }
  /// The state once it is no longer ongoing.
  int outcome(int channel, int limit = 2000) {
    for (int k = 0; k < limit && state(channel) == kOngoing; ++k) network_.run(10);
    return state(channel);
  }
  int tail(int interface_number) { return static_cast<int>(network_.read(d_, ni_tail_address(interface_number))); }
  NiEntry entry(int interface_number, int slot) {
    NiEntry entry;
    const uint64_t bytes = describe(entry, network_.read(d_, ni_entry_address(interface_number, slot, 8)));
    for (size_t b = 0; b < 64; ++b) {
      const uint64_t word =
          b % 8 == 0 ? network_.read(d_, ni_entry_address(interface_number, slot, static_cast<int>(b / 8))) : last_;
      last_ = word;
      const uint8_t byte = static_cast<uint8_t>(word >> (8 * (b % 8)));
      if (b < bytes) {
        entry.data.push_back(byte);
      } else {
        EXPECT_EQ(byte, 0) << "bytes of someone else after the message";
      }
    }
    return entry;
  }
  /// Entry `count` (of all since the ring was placed) of a ring of 2^bits at `base`, if it is there.
  std::optional<NiEntry> memory_entry(uint64_t base, int bits, uint64_t count) {
    const uint64_t at = base + count % (uint64_t{1} << bits) * 128;
    const NiMemory& memory = network_.device(d_).memory();
    if (memory.read(at + 72) != (~(count >> bits) & 1)) return std::nullopt;
    NiEntry entry;
    const uint64_t info = describe(entry, memory.read(at + 64));
    for (uint64_t b = 0; b < info; ++b)
      entry.data.push_back(static_cast<uint8_t>(memory.read(at + b / 8 * 8) >> (8 * (b % 8))));
    return entry;
  }
  void set_head(int interface_number, int head) {
    EXPECT_FALSE(network_.write(d_, ni_head_address(interface_number), static_cast<uint64_t>(head)));
  }

 private:
  /// Sets what the description says but the data, of which it returns the bytes.
  static uint64_t describe(NiEntry& entry, uint64_t description) {
    entry.sequence = static_cast<uint32_t>(description & 0xffffff);
    entry.channel = static_cast<int>(description >> 24 & 0xff);
    entry.source = static_cast<uint32_t>(description >> 32 & 0x3fffff);
    entry.source_rank = static_cast<int>(description >> 54 & 7);
    return description >> 57;
  }

  NiNetwork& network_;
  int d_;
  uint64_t last_ = 0;
};

}  // namespace fabrictwin::test
