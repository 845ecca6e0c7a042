// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/node/node_host.h"

#include <gtest/gtest.h>

#include <memory>

namespace fabrictwin::test {
namespace {

uint32_t channel_address(int channel, int word) {
  return static_cast<uint32_t>(channel / 4) << 12 | static_cast<uint32_t>(channel % 4) << 7 |
         static_cast<uint32_t>(word) << 3;
}

}  // namespace

NodeHost::NodeHost(NodeDevice& device, uint16_t pdid) : device_(device), pdid_(pdid) {
  device_.memory.grant(0, uint64_t{1} << 38, pdid);
  device_.on_event = [this](int interface_number) { take_entry(interface_number); };
}

void NodeHost::write(uint32_t address, uint64_t value) {
  device_.messages.push({true, address, {make_word(value, 0)}, [address](const auto&, bool error) {
                           EXPECT_FALSE(error) << std::hex << address;
                         }});
}

void NodeHost::read(uint32_t address, std::function<void(uint64_t value)> done) {
  device_.messages.push(
      {false, address, {}, [address, done = std::move(done)](const std::vector<Word128>& words, bool error) {
         EXPECT_FALSE(error) << std::hex << address;
         done(words[0][0] | uint64_t{words[0][1]} << 32);
       }});
}

void NodeHost::open(int number) {
  const auto page = static_cast<uint32_t>(number) << 12;
  write(0x80000 + page, uint64_t{1} << 63 | pdid_);
  write(0x80008 + page, uint64_t{1} << 63 | pdid_);
  device_.descriptors.push({true, 0x10000, {make_word(pdid_ | 1u << 16, 0)}, {}});
}

void NodeHost::place_ring(int number) {
  const auto page = static_cast<uint32_t>(number) << 12;
  in_memory_[static_cast<size_t>(number)] = true;
  write(0x80010 + page, uint64_t{3} << 62 | uint64_t{kRingBits} << 39 | ring_base(number));
}

void NodeHost::send(int channel, uint32_t node, int interface_number, const std::vector<uint8_t>& data, Sent sent) {
  for (size_t w = 0; 8 * w < data.size(); ++w) {
    uint64_t word = 0;
    for (size_t b = 8 * w; b < data.size() && b < 8 * w + 8; ++b) word |= uint64_t{data[b]} << (8 * (b % 8));
    write(channel_address(channel, static_cast<int>(w)), word);
  }
  write(channel_address(channel, 8), uint64_t{node} << 42 | static_cast<uint64_t>(interface_number) << 12);
  write(channel_address(channel, 9), data.size());
  poll(channel, std::move(sent));
}

void NodeHost::poll(int channel, Sent sent) {
  read(channel_address(channel, 9), [this, channel, sent = std::move(sent)](uint64_t value) {
    const auto state = static_cast<State>(value & 7);
    if (state == kOngoing) {
      poll(channel, sent);
    } else if (sent) {
      sent(state);
    }
  });
}

void NodeHost::take_entry(int interface_number) {
  if (in_memory_[static_cast<size_t>(interface_number)]) return take_from_memory(interface_number);
  const auto page = 0x40000 + (static_cast<uint32_t>(interface_number) << 12);
  int& head = heads_[static_cast<size_t>(interface_number)];
  const uint32_t slot = page + (static_cast<uint32_t>(head % kDepth) << 7);
  head = (head + 1) % (2 * kDepth);
  auto entry = std::make_shared<MailboxEntry>();
  auto bytes = std::make_shared<size_t>();
  read(slot + 64, [entry, bytes](uint64_t value) {
    entry->sequence = static_cast<uint32_t>(value & 0xffffff);
    entry->channel = static_cast<int>(value >> 24 & 0xff);
    entry->source = static_cast<uint32_t>(value >> 32 & 0x3fffff);
    *bytes = value >> 57;
  });
  for (uint32_t w = 0; w < 8; ++w) {
    read(slot + 8 * w, [this, entry, bytes, w, interface_number](uint64_t value) {
      for (size_t b = 0; b < 8; ++b) {
        const auto byte = static_cast<uint8_t>(value >> (8 * b));
        if (8 * w + b < *bytes) {
          entry->data.push_back(byte);
        } else {
          EXPECT_EQ(byte, 0) << "bytes behind the message";
        }
      }
      if (w == 7 && on_message) on_message(interface_number, *entry);
    });
  }
  write(page + 0x808, static_cast<uint64_t>(head));
}

void NodeHost::take_from_memory(int interface_number) {
  constexpr int kEntries = 1 << kRingBits;
  int& head = heads_[static_cast<size_t>(interface_number)];
  const SparseMemory& memory = device_.memory.bytes();
  const uint64_t slot = ring_base(interface_number) + static_cast<uint64_t>(head % kEntries) * 128;
  EXPECT_EQ(memory.read_word(slot + 72), head < kEntries ? 1u : 0u) << "an entry that was told is not there";
  const uint64_t description = memory.read_word(slot + 64);
  MailboxEntry entry{{},
                     static_cast<uint32_t>(description >> 32 & 0x3fffff),
                     static_cast<int>(description >> 24 & 0xff),
                     static_cast<uint32_t>(description & 0xffffff)};
  for (uint64_t b = 0; b < description >> 57; ++b) entry.data.push_back(memory.read(slot + b));
  head = (head + 1) % (2 * kEntries);
  write(0x40808 + (static_cast<uint32_t>(interface_number) << 12), static_cast<uint64_t>(head));
  if (on_message) on_message(interface_number, entry);
}

void NodeHost::start(const Transfer& transfer, Finished finished) {
  const auto words = transfer.descriptor();
  const uint32_t address = transfer.address();
  device_.descriptors.push({true,
                            address,
                            {words.begin(), words.end()},
                            [this, address, finished = std::move(finished)](const auto&, bool error) {
                              EXPECT_FALSE(error) << "a free channel refused a descriptor";
                              poll_transfer(address, finished);
                            }});
}

void NodeHost::poll_transfer(uint32_t address, Finished finished) {
  device_.descriptors.push(
      {false, address, {}, [this, address, finished = std::move(finished)](const std::vector<Word128>& words, bool) {
         const auto code = static_cast<Code>(words[0][0] >> 4 & 15);
         if (code == Code::kBusy) {
           poll_transfer(address, finished);
         } else if (finished) {
           finished(code);
         }
       }});
}

void NodeHost::set_rdma_times(unsigned timeout, unsigned backoff, unsigned retries, unsigned lifetime) {
  device_.descriptors.push(
      {true,
       0x10100,
       {make_word(timeout | uint64_t{backoff} << 16 | uint64_t{retries} << 32 | uint64_t{lifetime} << 36, 0)},
       {}});
}

void NodeHost::read_counter(int number, std::function<void(uint64_t value)> done) {
  read(0xc0040 + 8 * static_cast<uint32_t>(number), std::move(done));
}

}  // namespace fabrictwin::test
