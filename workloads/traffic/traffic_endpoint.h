// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One host of a traffic workload.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cosim/base/fifo.h"
#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/traffic/uniform_traffic.h"

namespace fabrictwin::traffic {

/// Generates the packets of a host and checks those that it receives. It has finished when no host generates packets
/// any more and none is in flight.
class TrafficEndpoint final : public host::HostProcess {
 public:
  TrafficEndpoint(int32_t node, std::shared_ptr<TrafficState> state, observe::EndpointDigest* digest);

  bool finished() const override { return !generating_ && state_->generating == 0 && state_->in_flight == 0; }
  Time finish_time() const override;
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override { arrivals_.push_back(message); }
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  void take_arrivals();
  void generate();
  void send_packet();
  void reach();
  void schedule(int64_t gap);
  /// A packet of this host arrived at `time`: called by the receiving host.
  void packet_returned(Time time);
  void stop_generating();

  std::shared_ptr<TrafficState> state_;
  observe::EndpointDigest* digest_;
  RandomStream gaps_;
  RandomStream destinations_;
  int64_t next_slot_ = -1;  ///< Slot of the next packet, in an open loop.
  Fifo<int64_t> ready_;     ///< Slots of the next packets, in a closed loop.
  int32_t places_ = 0;      ///< Entries of the window that are still used.
  uint64_t packets_ = 0;    ///< Packets generated.
  bool generating_ = true;
  Time last_arrival_;
  std::vector<nic::IncomingMessage> arrivals_;
  std::string failure_;
};

}  // namespace fabrictwin::traffic
