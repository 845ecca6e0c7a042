// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/node/node_traffic.h"

#include <gtest/gtest.h>

namespace fabrictwin::test {

NodeTraffic::NodeTraffic(NodeNetwork& network, uint64_t seed) : network_(network), random_(seed) {
  const auto count = static_cast<size_t>(network.size());
  messages_.resize(count);
  moves_.resize(count);
  sequences_.resize(count, std::vector<uint32_t>(kChannels));
  for (int d = 0; d < network.size(); ++d) {
    hosts_.push_back(std::make_unique<NodeHost>(network.device(d), kPdid));
    host(d).on_message = [this, d](int interface_number, const MailboxEntry& entry) {
      receive(d, interface_number, entry);
    };
    network.device(d).memory.on_watched = [this, d](uint64_t address, uint64_t value) {
      const auto it = notifications_.find({d, address});
      ASSERT_NE(it, notifications_.end()) << "a notification twice, or one that nobody asked for";
      EXPECT_EQ(it->second, value);
      notifications_.erase(it);
    };
  }
}

void NodeTraffic::set_stalls(unsigned percent) {
  for (auto& host : hosts_) {
    host->device().messages.set_stalls(percent);
    host->device().descriptors.set_stalls(percent);
  }
}

void NodeTraffic::open() {
  for (auto& host : hosts_) {
    for (int i = 0; i < kInterfaces; ++i) host->open(i);
    host->place_ring(kInterfaces - 1);
    // Nothing is lost, so late packets need not be known for long.
    host->set_rdma_times(2048, 64, 8, 256);
  }
  ASSERT_TRUE(network_.drain(100'000));
}

void NodeTraffic::add_message(int from, int to) {
  Message message{to, static_cast<int>(random_.below(kInterfaces)), std::vector<uint8_t>(random_.below(65))};
  for (uint8_t& byte : message.data) byte = static_cast<uint8_t>(random_.next());
  messages_[static_cast<size_t>(from)].push_back(std::move(message));
}

void NodeTraffic::add_transfer(int from, int to, bool read, uint32_t max_length) {
  const uint64_t offset = random_.below(16);
  const uint64_t place = ++transfers_ << 24;
  Transfer t{.read = read,
             .pdid = kPdid,
             .node = host(to).node(),
             .remote = place + 0x1000 + 16 * random_.below(300) + offset,
             .local = place + 0x400000 + 16 * random_.below(300) + offset,
             .length = static_cast<uint32_t>(random_.between(1, max_length)),
             .data = random_.next(),
             .notify = true,
             .notify_va = place + 0x800000,
             .local_notify = true,
             .local_notify_va = place + 0x900000};
  SparseMemory& source = device(read ? to : from).memory.bytes();
  for (uint64_t k = 0; k < t.length; ++k) source.write(t.source() + k, static_cast<uint8_t>(random_.next()));
  moves_[static_cast<size_t>(from)].push_back({to, t});
}

void NodeTraffic::start() {
  for (int d = 0; d < network_.size(); ++d) {
    waiting_ += static_cast<int>(messages_[static_cast<size_t>(d)].size() + moves_[static_cast<size_t>(d)].size());
    for (int c = 0; c < kChannels; ++c) {
      next_message(d, c);
      next_transfer(d, c);
    }
  }
}

void NodeTraffic::next_message(int from, int channel) {
  auto& queue = messages_[static_cast<size_t>(from)];
  if (queue.empty()) return;
  const Message message = std::move(queue.front());
  queue.pop_front();
  send(from, channel, message);
}

void NodeTraffic::send(int from, int channel, const Message& message) {
  const uint32_t sequence = ++sequences_[static_cast<size_t>(from)][static_cast<size_t>(channel)];
  const Key key{host(from).node(), channel, sequence};
  expected_.emplace(key, message);
  host(from).send(channel, host(message.to).node(), message.interface_number, message.data,
                  [this, from, channel, message, key](NodeHost::State state) {
                    if (state == NodeHost::kNacked) {
                      // The ring was full: never delivered, so once more.
                      EXPECT_EQ(expected_.erase(key), 1u) << "nacked and delivered";
                      ++refused_;
                      send(from, channel, message);
                      return;
                    }
                    EXPECT_EQ(state, NodeHost::kAcked);
                    --waiting_;
                    next_message(from, channel);
                  });
}

void NodeTraffic::receive(int at, int interface_number, const MailboxEntry& entry) {
  const auto it = expected_.find({entry.source, entry.channel, entry.sequence});
  ASSERT_NE(it, expected_.end()) << "a message twice, or one that nobody sent";
  EXPECT_EQ(it->second.to, at);
  EXPECT_EQ(it->second.interface_number, interface_number);
  EXPECT_EQ(it->second.data, entry.data);
  uint32_t& newest = newest_[{at, interface_number, entry.source, entry.channel}];
  EXPECT_GT(entry.sequence, newest);
  newest = entry.sequence;
  expected_.erase(it);
  ++delivered_;
}

void NodeTraffic::next_transfer(int from, int channel) {
  auto& queue = moves_[static_cast<size_t>(from)];
  if (queue.empty()) return;
  Move move = queue.front();
  queue.pop_front();
  Transfer& t = move.transfer;
  t.channel = channel;
  const int destination = t.read ? from : move.to;
  device(destination).memory.watch(t.notify_va);
  notifications_[{destination, t.notify_va}] = t.data;
  device(from).memory.watch(t.local_notify_va);
  notifications_[{from, t.local_notify_va}] = t.data;
  host(from).start(t, [this, from, channel, move](Code code) {
    EXPECT_EQ(code, Code::kDone);
    finish_transfer(from, move);
    --waiting_;
    next_transfer(from, channel);
  });
}

void NodeTraffic::finish_transfer(int from, const Move& move) {
  const Transfer& t = move.transfer;
  const SparseMemory& source = device(t.read ? move.to : from).memory.bytes();
  const SparseMemory& destination = device(t.read ? from : move.to).memory.bytes();
  for (uint64_t k = 0; k < t.length; ++k) {
    ASSERT_EQ(destination.read(t.destination() + k), source.read(t.source() + k)) << "byte " << k << " of " << t.length;
  }
  for (uint64_t k = 1; k <= 32; ++k) {
    EXPECT_EQ(destination.read(t.destination() - k), 0) << "written before the buffer";
    EXPECT_EQ(destination.read(t.destination() + t.length - 1 + k), 0) << "written behind the buffer";
  }
}

void NodeTraffic::check(int with_error) {
  EXPECT_TRUE(expected_.empty()) << expected_.size() << " messages are missing";
  EXPECT_TRUE(notifications_.empty()) << notifications_.size() << " notifications are missing";
  for (int d = 0; d < network_.size(); ++d) {
    EXPECT_EQ(device(d).error(), d == with_error) << "device " << d;
    EXPECT_TRUE(device(d).idle()) << "device " << d;
    EXPECT_TRUE(device(d).memory.idle()) << "device " << d;
  }
  network_.expect_all_credits();
}

}  // namespace fabrictwin::test
