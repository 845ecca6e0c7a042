// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One host of a probe workload.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/probe/workload.h"

namespace fabrictwin::probe {

/// Sends the probes of its host and checks those that it receives. All hosts finish when all probes have arrived.
class Process final : public host::HostProcess {
 public:
  Process(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest);

  bool finished() const override { return state_->arrived.get() == state_->probes.size(); }
  Time finish_time() const override { return state_->last_arrival; }
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override;
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  std::shared_ptr<State> state_;
  observe::EndpointDigest* digest_;
  std::vector<size_t> own_;  ///< Probes that this host sends.
  size_t next_ = 0;          ///< Index into own_ of the next probe.
  uint64_t arrived_ = 0;     ///< Probes that have arrived since the last decision, which knows the time.
  std::string failure_;
};

}  // namespace fabrictwin::probe
