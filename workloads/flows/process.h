// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One host of a workload of flows.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/flows/flow.h"

namespace fabrictwin::flows {

/// What happened to a flow, of one that repeats the last time. The host of each member alone writes it.
struct Outcome {
  Time arrived = Time::never();       ///< Destination: when all of it had arrived.
  Time arrived_shift;                 ///< Destination: by how much later than its start that one had begun.
  Time acknowledged = Time::never();  ///< Source: when it knew that; never without a transport.
  Time shift;                         ///< Source: by how much later than its start that one had begun.
  Time alone;                         ///< Source: how long that would take in an empty network.
};

/// What all hosts share.
struct State {
  FlowList flows;
  std::vector<Outcome> outcomes;      ///< By flow.
  std::vector<uint64_t> bytes;        ///< By flow: what has arrived so far.
  bool counted = false;               ///< Network interfaces count that, packet by packet.
  bool transport = false;             ///< Sources learn what has arrived.
  std::atomic<uint64_t> finished{0};  ///< Flows that have ended; one that repeats counts once.
  /// If not empty, processes in the background call it now and then, one at a time; an error ends the run.
  std::function<absl::Status(Time)> look;
};

/// Sends each of its flows at its start, and takes what arrives. In the background it starts anew when all of its flows
/// have ended, with starts and stops later by the time until then; nothing waits for it.
class Process final : public host::HostProcess {
 public:
  /// `flows` are the numbers of its flows by start; `expected` are the flows of others that it will receive to their
  /// end. `state` and `digest` outlive it.
  Process(int32_t node, State& state, std::vector<uint32_t> flows, uint64_t expected, observe::EndpointDigest* digest,
          bool background = false);

  bool finished() const override { return background_ || (ended_ == own_.size() && received_ == expected_); }
  Time finish_time() const override { return background_ ? Time::zero() : finish_time_; }
  /// In the background: how often all of its flows have ended, and when they last had.
  uint64_t rounds() const { return rounds_; }
  Time round_end() const { return shift_; }
  bool sends() const { return !own_.empty(); }
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override { arrivals_.push_back(message); }
  void on_sent(uint64_t cookie) override;
  void on_acknowledged(uint64_t cookie, Time alone) override;
  void decide() override;

 private:
  struct Ended {
    size_t flow = 0;
    Time alone;
  };

  Time start_of(size_t own) const { return state_.flows[own_[own]].start + shift_; }
  void start_flow(uint32_t number);
  void look();
  void take(const nic::IncomingMessage& message);

  State& state_;
  std::vector<uint32_t> own_;
  uint64_t expected_;
  observe::EndpointDigest* digest_;
  size_t started_ = 0;  ///< How many of its own flows have started.
  size_t ended_ = 0;
  bool background_;
  Time shift_;           ///< When this round began.
  uint64_t rounds_ = 0;  ///< Rounds that have ended.
  Time next_look_ = Time::never();
  uint64_t received_ = 0;
  Time finish_time_;
  std::vector<nic::IncomingMessage> arrivals_;
  std::vector<Ended> ending_;  ///< Flows that have ended, until the process runs.
  std::string failure_;
};

}  // namespace fabrictwin::flows
