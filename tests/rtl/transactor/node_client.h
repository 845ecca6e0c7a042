// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A processor that sends messages and transfers of random sizes and checks every byte of what it gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "cosim/base/time.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::test {

/// One transfer from the moment at which it starts; all clients share them.
struct TransferRecord {
  int source = 0;
  int destination = 0;
  nic::exanet::Transfer transfer;
  std::vector<bool> written;  ///< Bytes at the destination.
  bool at_destination = false;
  bool at_source = false;
};

/// What all clients know of each other.
struct Society {
  std::vector<nic::exanet::Node> nodes;
  std::map<uint64_t, TransferRecord> transfers;  ///< By notification data.
  uint64_t next_transfer = 1;
  std::vector<std::string> failures;
  /// One line for each thing that happened, with its time.
  std::vector<std::string> log;
  int messages_sent = 0, messages_arrived = 0, nacks = 0;
  int transfers_done = 0;
  uint64_t bytes_transferred = 0;
};

class NodeClient : public sc_core::sc_module, public nic::exanet::Client {
 public:
  SC_HAS_PROCESS(NodeClient);
  NodeClient(const sc_core::sc_module_name& name, int index, Society& society, uint64_t seed, int messages,
             int transfers, Time pause);

  void bind(nic::exanet::Port* ni) { ni_ = ni; }
  /// Nothing is left to send, and all that was sent is answered.
  bool finished() const {
    return messages_left_ == 0 && transfers_left_ == 0 && busy_.empty() && transferring_.empty();
  }

  void message_arrived(const nic::exanet::Message& message) override;
  void message_done(int32_t channel, nic::exanet::MessageState state) override;
  void read_memory(uint64_t address, std::span<std::byte> bytes) override;
  void write_memory(uint64_t address, std::span<const std::byte> bytes,
                    const std::array<uint64_t, 4>& strobes) override;
  void ni_failed(const std::string& what) override { fail(what); }

 private:
  struct Sending {
    int destination = 0;
    int32_t interface = 0;
    std::vector<std::byte> payload;
  };
  void work();
  bool paused();
  void send_some();
  void start_some();
  void fail(const std::string& what);
  void log(const std::string& what);
  void write_byte(uint64_t address, std::byte value);

  int index_;
  Society& society_;
  nic::exanet::Port* ni_ = nullptr;
  std::mt19937_64 random_;
  sc_core::sc_event work_event_;
  int messages_left_;
  int transfers_left_;
  Time pause_;
  std::map<int32_t, Sending> busy_;                                        ///< By channel.
  std::map<int32_t, uint64_t> transferring_;                               ///< By channel: number.
  std::map<std::pair<nic::exanet::Node, int32_t>, uint64_t> last_number_;  ///< By source and interface.
  uint64_t next_number_ = 1;
};

}  // namespace fabrictwin::test
