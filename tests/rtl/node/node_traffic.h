// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random messages and transfers between hosts, and what must come of them: every message once with its bytes, every
// byte of a transfer and none beside, every notification once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/rtl/node/node_host.h"
#include "tests/rtl/node/node_network.h"

namespace fabrictwin::test {

class NodeTraffic {
 public:
  static constexpr uint16_t kPdid = 7;
  static constexpr int kInterfaces = 2;
  static constexpr int kChannels = 4 * kInterfaces;  ///< Of messages; as many transfers at once.

  /// Hosts for all devices of the network.
  NodeTraffic(NodeNetwork& network, uint64_t seed);

  NodeHost& host(int d) { return *hosts_[static_cast<size_t>(d)]; }
  void set_stalls(unsigned percent);
  /// Opens interfaces and pages, and waits until all devices are idle.
  void open();

  void add_message(int from, int to);
  void add_transfer(int from, int to, bool read, uint32_t max_length);
  /// Starts what was added; it goes on as the network runs.
  void start();
  bool done() const { return waiting_ == 0; }
  /// When it is done and all is still. One device may have seen errors, and must have.
  void check(int with_error = -1);
  int delivered() const { return delivered_; }
  int refused() const { return refused_; }

 private:
  struct Message {
    int to;
    int interface_number;
    std::vector<uint8_t> data;
  };
  struct Move {
    int to;
    Transfer transfer;
  };
  using Key = std::tuple<uint32_t, int, uint32_t>;  ///< Source, channel, sequence number.

  NodeDevice& device(int d) { return network_.device(d); }
  void next_message(int from, int channel);
  void send(int from, int channel, const Message& message);
  void next_transfer(int from, int channel);
  void finish_transfer(int from, const Move& move);
  void receive(int at, int interface_number, const MailboxEntry& entry);

  NodeNetwork& network_;
  RandomSource random_;
  std::vector<std::unique_ptr<NodeHost>> hosts_;
  std::vector<std::deque<Message>> messages_;
  std::vector<std::deque<Move>> moves_;
  std::vector<std::vector<uint32_t>> sequences_;
  std::map<Key, Message> expected_;
  /// Sequence number, by device, mailbox, source and channel.
  std::map<std::tuple<int, int, uint32_t, int>, uint32_t> newest_;
  std::map<std::pair<int, uint64_t>, uint64_t> notifications_;  ///< Expected, by device and address.
  int waiting_ = 0;
  int delivered_ = 0;
  int refused_ = 0;
  uint64_t transfers_ = 0;
};

}  // namespace fabrictwin::test
