// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One host with programs over IP.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "models/host/ip/stack.h"
#include "workloads/ip/program.h"
#include "workloads/ip/state.h"

namespace fabrictwin::ip {

/// The network stack of a host between its programs and its network interface, which carries each IP packet as a
/// message. The payload digest gets each packet that arrives, whether or not its socket has space.
class Process final : public host::HostProcess, private host::ip::Stack::Owner {
 public:
  /// `digest` outlives it.
  Process(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest);

  bool finished() const override { return finished_; }
  Time finish_time() const override { return finish_time_; }
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }
  /// Whether it has programs.
  bool takes_part() const;

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override { messages_.push_back(message); }
  void on_sent(uint64_t) override { ++transferred_; }
  void decide() override;

 private:
  void transmit(const host::ip::Packet& packet) override { HostProcess::send(host::ip::message_of(packet)); }
  void sent(uint32_t flow) override { programs_[flow]->sent(); }
  void received(const host::ip::Datagram& datagram) override;
  void dropped(const host::ip::Datagram& datagram) override;
  void replied(const host::ip::Datagram& request) override;
  void slept(uint32_t flow) override { programs_[flow]->slept(now()); }

  void take(const nic::IncomingMessage& message);
  bool is_known(const host::ip::Datagram& datagram) const;
  bool is_done() const;

  std::shared_ptr<State> state_;
  observe::EndpointDigest* digest_;
  host::ip::Stack stack_;
  std::vector<std::unique_ptr<Program>> programs_;  ///< By flow; null for those of others.
  std::vector<nic::IncomingMessage> messages_;      ///< That have just arrived.
  int32_t transferred_ = 0;                         ///< Packets that have just left.
  bool finished_ = false;
  Time finish_time_;
  std::string failure_;
};

}  // namespace fabrictwin::ip
