// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One end of a one-way latency measurement below MPI.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/osu/spec.h"

namespace fabrictwin::osu {

/// What the ends of a measurement share. Each variable is written by one of them only.
struct OneWayState {
  OsuSpec spec;
  std::vector<Bytes> sizes;
  int32_t hosts[2] = {0, 0};  ///< The sender and the receiver.
  std::vector<Time> elapsed;  ///< By completed size: the sum of the measured latencies.
  link::Counter messages;     ///< Messages that have arrived, including warm-up.

  /// Repetitions of one size.
  uint64_t repetitions() const { return static_cast<uint64_t>(spec.warmup) + static_cast<uint64_t>(spec.iterations); }
  uint64_t total() const { return repetitions() * sizes.size(); }
};

/// The sender passes one message at a time directly to the network interface, and the next when an empty reply has
/// arrived. The receiver measures from the send to the arrival, on a clock that both share. Software takes no time.
class OneWayProcess final : public host::HostProcess {
 public:
  /// For one of the hosts of `state`; `digest` outlives it.
  OneWayProcess(int32_t node, std::shared_ptr<OneWayState> state, observe::EndpointDigest* digest);

  bool finished() const override { return handled_ == state_->total(); }
  Time finish_time() const override { return finish_time_; }
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

  uint64_t messages_sent() const { return sent_; }
  uint64_t bytes_sent() const { return bytes_sent_; }

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override { arrivals_.push_back(message); }
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  bool sends() const { return node() == state_->hosts[0]; }
  int32_t peer() const { return state_->hosts[sends() ? 1 : 0]; }
  void post(uint64_t bytes);
  bool take(const nic::IncomingMessage& message);
  void measure(Time latency);

  std::shared_ptr<OneWayState> state_;
  observe::EndpointDigest* digest_;
  std::vector<nic::IncomingMessage> arrivals_;
  uint64_t handled_ = 0;  ///< Messages that have arrived from the peer.
  uint64_t sent_ = 0;
  uint64_t bytes_sent_ = 0;
  Time sum_;
  Time finish_time_;
  std::string failure_;
};

}  // namespace fabrictwin::osu
