// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/transactor/node_client.h"

#include <cstring>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/kernel/link_transaction.h"

namespace fabrictwin::test {
namespace {

constexpr int kMessageChannels = 6;  // Of each client, four to an interface.
constexpr int kRdmaChannels = 5;
constexpr uint64_t kSendBase = 0x1000'0000;
constexpr uint64_t kReceiveBase = 0x4000'0000;
constexpr uint64_t kNotifications = 0x2000'0000;
constexpr uint64_t kRegion = 0x10'0000;

std::byte content(int node, uint64_t address) {
  return static_cast<std::byte>(mix64(address * 64 + static_cast<uint64_t>(node)));
}

}  // namespace

NodeClient::NodeClient(const sc_core::sc_module_name& name, int index, Society& society, uint64_t seed, int messages,
                       int transfers, Time pause)
    : sc_module(name),
      index_(index),
      society_(society),
      random_(seed + static_cast<uint64_t>(index)),
      messages_left_(messages),
      transfers_left_(transfers),
      pause_(pause) {
  SC_METHOD(work);
  sensitive << work_event_;
}

void NodeClient::work() {
  if (ni_ == nullptr) return;
  send_some();
  start_some();
}

// True if the next thing is to be done later.
bool NodeClient::paused() {
  if (pause_ == Time::zero() || random_() % 4 == 0) return false;
  work_event_.notify(
      kernel::to_sc_time(Time::from_fs(1 + static_cast<int64_t>(random_() % static_cast<uint64_t>(pause_.fs())))));
  return true;
}

void NodeClient::send_some() {
  while (messages_left_ > 0 && static_cast<int>(busy_.size()) < kMessageChannels) {
    if (paused()) return;
    int32_t channel = 0;
    while (busy_.count(channel) != 0) ++channel;
    --messages_left_;
    ++society_.messages_sent;
    Sending sending;
    sending.destination = static_cast<int>(random_() % society_.nodes.size());
    sending.interface = static_cast<int32_t>(random_() & 1);
    sending.payload.resize(8 + random_() % (nic::exanet::kNiMessageBytes - 7));
    const uint64_t number = next_number_++;
    std::memcpy(sending.payload.data(), &number, sizeof number);
    for (size_t i = 8; i < sending.payload.size(); ++i) sending.payload[i] = content(index_, number << 8 | i);
    log(fmt::format("sends message {} to {} on channel {}, {} bytes", number, sending.destination, channel,
                    sending.payload.size()));
    ni_->send_message(channel, society_.nodes[static_cast<size_t>(sending.destination)], sending.interface,
                      sending.payload);
    busy_[channel] = std::move(sending);
  }
}

void NodeClient::start_some() {
  while (transfers_left_ > 0 && static_cast<int>(transferring_.size()) < kRdmaChannels) {
    if (paused()) return;
    int32_t channel = 0;
    while (transferring_.count(channel) != 0) ++channel;
    --transfers_left_;
    const uint64_t number = society_.next_transfer++;
    TransferRecord& record = society_.transfers[number];
    record.source = index_;
    record.destination = static_cast<int>(random_() % society_.nodes.size());
    const uint64_t offset = random_() % 64;
    const uint64_t place = static_cast<uint64_t>(index_ * kRdmaChannels + channel);
    nic::exanet::Transfer& transfer = record.transfer;
    transfer.node = society_.nodes[static_cast<size_t>(record.destination)];
    transfer.local = kSendBase + place * kRegion + offset;
    transfer.remote = kReceiveBase + place * kRegion + offset % 16 + 16 * (random_() % 300);
    const uint64_t sizes[] = {1 + random_() % 32, 1 + random_() % 600, 1 + random_() % 5000, 1 + random_() % 40'000};
    transfer.bytes = sizes[random_() % 4];
    transfer.at_destination = {kNotifications + 0x1000 + place * 24, number};
    transfer.at_source = {kNotifications + place * 8, number};
    record.written.resize(transfer.bytes);
    transferring_[channel] = number;
    log(fmt::format("starts transfer {} to {}, {} bytes", number, record.destination, transfer.bytes));
    ni_->start_transfer(channel, transfer);
  }
}

void NodeClient::message_arrived(const nic::exanet::Message& message) {
  uint64_t number = 0;
  std::memcpy(&number, message.payload.data(), sizeof number);
  int source = -1;
  for (size_t i = 0; i < society_.nodes.size(); ++i) {
    if (society_.nodes[i] == message.source) source = static_cast<int>(i);
  }
  ++society_.messages_arrived;
  log(fmt::format("message {} of {} in mailbox {}, {} bytes, channel {}", number, source, message.interface,
                  message.bytes, message.channel));
  if (source < 0 || message.bytes < 8) return fail("a message from nowhere or without a number");
  for (int i = 8; i < nic::exanet::kNiMessageBytes; ++i) {
    const std::byte expected =
        i < message.bytes ? content(source, number << 8 | static_cast<uint64_t>(i)) : std::byte{0};
    if (message.payload[static_cast<size_t>(i)] != expected)
      return fail(fmt::format("byte {} of message {} from {} is wrong", i, number, source));
  }
}

void NodeClient::message_done(int32_t channel, nic::exanet::MessageState state) {
  log(fmt::format("channel {} done: {}", channel, static_cast<int>(state)));
  const auto sending = busy_.find(channel);
  if (sending == busy_.end()) return fail(fmt::format("channel {} was not busy", channel));
  if (state == nic::exanet::MessageState::kTimedOut) fail(fmt::format("the message on channel {} timed out", channel));
  if (state == nic::exanet::MessageState::kNacked) {
    // A full ring.
    ++society_.nacks;
    ni_->send_message(channel, society_.nodes[static_cast<size_t>(sending->second.destination)],
                      sending->second.interface, sending->second.payload);
    return;
  }
  busy_.erase(sending);
  work_event_.notify(sc_core::SC_ZERO_TIME);
}

void NodeClient::read_memory(uint64_t address, std::span<std::byte> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = content(index_, address + i);
}

void NodeClient::write_memory(uint64_t address, std::span<const std::byte> bytes,
                              const std::array<uint64_t, 4>& strobes) {
  if (address < kReceiveBase) {
    for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      const auto mask = static_cast<uint8_t>(strobes[i / 64] >> (i % 64));
      if (mask == 0) continue;
      uint64_t number = 0;
      std::memcpy(&number, bytes.data() + i, sizeof number);
      const auto found = society_.transfers.find(number);
      if (mask != 0xff || found == society_.transfers.end()) return fail("a notification of nothing");
      TransferRecord& record = found->second;
      const bool here = record.destination == index_ && address + i == record.transfer.at_destination->address;
      const bool there = record.source == index_ && address + i == record.transfer.at_source->address;
      log(fmt::format("notification of transfer {} at its {}", number, here ? "destination" : "source"));
      if (here == there) return fail(fmt::format("notification {} in a wrong place", number));
      if ((here && record.at_destination) || (there && record.at_source))
        return fail(fmt::format("notification {} came twice", number));
      if (here) {
        record.at_destination = true;
        for (const bool written : record.written) {
          if (!written) return fail(fmt::format("transfer {} is not complete at its notification", number));
        }
        continue;
      }
      record.at_source = true;
      if (!record.at_destination) return fail(fmt::format("transfer {} ended at its source first", number));
      ++society_.transfers_done;
      society_.bytes_transferred += record.transfer.bytes;
      std::erase_if(transferring_, [&](const auto& entry) { return entry.second == number; });
      work_event_.notify(sc_core::SC_ZERO_TIME);
    }
    return;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    if ((strobes[i / 64] >> (i % 64) & 1) != 0) write_byte(address + i, bytes[i]);
  }
}

void NodeClient::write_byte(uint64_t address, std::byte value) {
  for (auto& [number, record] : society_.transfers) {
    if (record.destination != index_ || record.at_destination) continue;
    if (address < record.transfer.remote || address >= record.transfer.remote + record.transfer.bytes) continue;
    const uint64_t at = address - record.transfer.remote;
    if (value != content(record.source, record.transfer.local + at))
      return fail(fmt::format("byte {} of transfer {} is wrong", at, number));
    record.written[at] = true;
    return;
  }
  fail(fmt::format("a byte at {:#x}, where nothing is expected", address));
}

void NodeClient::fail(const std::string& what) {
  society_.failures.push_back(
      fmt::format("node {} at {}: {}", index_, to_string(kernel::from_sc_time(sc_core::sc_time_stamp())), what));
}

void NodeClient::log(const std::string& what) {
  society_.log.push_back(
      fmt::format("{} node {}: {}", kernel::from_sc_time(sc_core::sc_time_stamp()).fs(), index_, what));
}

}  // namespace fabrictwin::test
