// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Network interfaces without a network: everything takes random times, transfers end in any order, rings are full now
// and then.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "models/kernel/link_transaction.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::test {

class FakeNiNetwork : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FakeNiNetwork);
  struct Options {
    uint64_t seed = 1;
    int32_t ring = 16;       ///< Entries of each mailbox.
    uint64_t take_ns = 100;  ///< Longest time for which an entry stays in its ring.
    uint64_t transfer_ns = 3000;
  };

  FakeNiNetwork(std::vector<nic::exanet::Node> nodes, Options options)
      : sc_module(sc_core::sc_module_name("fake")), options_(options), random_(options.seed, 0, RandomPurpose::kTest) {
    for (const nic::exanet::Node node : nodes) ports_[node] = std::make_unique<Port>(*this, node);
    SC_METHOD(work);
    sensitive << event_;
    dont_initialize();
  }

  nic::exanet::Port* port(nic::exanet::Node node) { return ports_.at(node).get(); }
  void bind(nic::exanet::Node node, nic::exanet::Client* client) { ports_.at(node)->client = client; }
  /// What broke the contract of nic::exanet::Port; empty if nothing did.
  std::string misuse;
  int32_t refused = 0, overtaken = 0, most_transfers = 0, most_messages = 0;

 private:
  struct Port : nic::exanet::Port {
    Port(FakeNiNetwork& owner, nic::exanet::Node own) : network(owner), node(own) {}
    void send_message(int32_t channel, nic::exanet::Node to, int32_t interface,
                      std::span<const std::byte> payload) override {
      network.send(*this, channel, to, interface, payload);
    }
    void start_transfer(int32_t channel, const nic::exanet::Transfer& transfer) override {
      network.transfer(*this, channel, transfer);
    }
    FakeNiNetwork& network;
    nic::exanet::Node node;
    nic::exanet::Client* client = nullptr;
    std::set<int32_t> channels, transfers;
    std::map<int32_t, int32_t> used;     ///< Entries of each ring.
    std::map<int32_t, Time> last_taken;  ///< Of each ring: entries are taken in order.
    std::map<int32_t, uint32_t> sequence;
  };

  Time now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }
  Time after(uint64_t longest_ns) {
    return now() + Time::from_ps(1 + static_cast<int64_t>(random_.next_below(longest_ns * 1000)));
  }
  void at(Time time, std::function<void()> what) {
    events_.emplace(std::make_pair(time, order_++), std::move(what));
    event_.notify(kernel::to_sc_time(events_.begin()->first.first - now()));
  }
  void work() {
    while (!events_.empty() && events_.begin()->first.first <= now()) {
      const std::function<void()> what = std::move(events_.begin()->second);
      events_.erase(events_.begin());
      in_call_ = false;
      what();
    }
    if (!events_.empty()) event_.notify(kernel::to_sc_time(events_.begin()->first.first - now()));
  }
  void guard(const char* what) {
    if (in_call_) misuse = what;
  }

  void send(Port& from, int32_t channel, nic::exanet::Node to, int32_t interface, std::span<const std::byte> payload) {
    guard("send_message from within a call");
    if (!from.channels.insert(channel).second) misuse = "send_message on a channel that is not free";
    most_messages = std::max(most_messages, static_cast<int32_t>(from.channels.size()));
    if (payload.size() > nic::exanet::kNiMessageBytes) misuse = "message too long";
    nic::exanet::Message message{
        from.node, interface, channel, ++from.sequence[channel], static_cast<int32_t>(payload.size()), {}};
    std::copy(payload.begin(), payload.end(), message.payload.begin());
    at(after(500), [this, &from, to, message] {
      Port& target = *ports_.at(to);
      int32_t& used = target.used[message.interface];
      const bool full = used >= options_.ring;
      if (full) ++refused;
      if (!full) {
        ++used;
        Time& last = target.last_taken[message.interface];
        last = std::max(last + Time::from_ps(1), after(options_.take_ns));
        at(last, [&target, message] {
          --target.used[message.interface];
          target.client->message_arrived(message);
        });
      }
      at(after(500), [&from, message, full] {
        from.channels.erase(message.channel);
        from.client->message_done(message.channel,
                                  full ? nic::exanet::MessageState::kNacked : nic::exanet::MessageState::kAcked);
      });
    });
  }

  void transfer(Port& from, int32_t channel, const nic::exanet::Transfer& transfer) {
    guard("start_transfer from within a call");
    if (!from.transfers.insert(channel).second) misuse = "start_transfer on a channel that is not free";
    if (transfer.bytes == 0 || (transfer.local ^ transfer.remote) % 16 != 0) misuse = "bad transfer";
    most_transfers = std::max(most_transfers, static_cast<int32_t>(from.transfers.size()));
    // Cells of the destination's 256 bytes, in any order; some in two pieces.
    Time last = now();
    for (uint64_t offset = 0; offset < transfer.bytes;) {
      const uint64_t bytes = std::min(256 - (transfer.remote + offset) % 256, transfer.bytes - offset);
      const Time when = after(options_.transfer_ns);
      if (when < last) ++overtaken;
      last = std::max(last, when);
      const uint64_t cut = random_.next_below(4) == 0 ? random_.next_below(bytes) : 0;
      at(when, [this, &from, transfer, offset, bytes, cut] {
        std::array<std::byte, 256> data{};
        const uint64_t whole = (bytes + 15) / 16 * 16;  // Memory is read in words.
        from.client->read_memory(transfer.local + offset, std::span(data).first(whole));
        for (const bool head : {true, false}) {
          std::array<uint64_t, 4> strobes{};
          for (uint64_t i = 0; i < bytes; ++i) {
            if (head == (i < cut)) strobes[i / 64] |= uint64_t{1} << (i % 64);
          }
          write(transfer.node, transfer.remote + offset, std::span(data).first(whole), strobes);
        }
      });
      offset += bytes;
    }
    const Time arrived =
        last + Time::from_ps(1 + static_cast<int64_t>(random_.next_below(options_.transfer_ns * 1000)));
    at(arrived, [this, transfer] { notify(transfer.node, *transfer.at_destination); });
    at(arrived + Time::from_ns(300), [this, &from, channel, transfer] {
      from.transfers.erase(channel);
      notify(from.node, *transfer.at_source);
    });
  }
  // As a 16-byte burst of which half is written.
  void notify(nic::exanet::Node node, const nic::exanet::Notification& notification) {
    std::array<std::byte, 16> data{};
    const size_t half = notification.address % 16;
    std::memcpy(&data[half], &notification.data, 8);
    write(node, notification.address - half, data, {uint64_t{0xff} << half});
  }
  void write(nic::exanet::Node node, uint64_t address, std::span<const std::byte> bytes,
             const std::array<uint64_t, 4>& strobes) {
    in_call_ = true;
    ports_.at(node)->client->write_memory(address, bytes, strobes);
    in_call_ = false;
  }

  Options options_;
  RandomStream random_;
  std::map<nic::exanet::Node, std::unique_ptr<Port>> ports_;
  std::map<std::pair<Time, uint64_t>, std::function<void()>> events_;
  uint64_t order_ = 0;
  bool in_call_ = false;
  sc_core::sc_event event_;
};

}  // namespace fabrictwin::test
