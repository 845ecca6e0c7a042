// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One host of a probe workload.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cosim/run/digest.h"
#include "models/endpoint.h"
#include "workloads/probe/probe_workload.h"

namespace fabrictwin {

/// Sends the probes of its host and checks those that it receives. All hosts have finished when all probes have
/// arrived.
class ProbeEndpoint final : public Endpoint {
 public:
  ProbeEndpoint(const sc_core::sc_module_name& name, int32_t node, std::shared_ptr<ProbeState> state,
                EndpointDigest* digest);

  bool finished() const override { return state_->arrived.get() == state_->probes.size(); }
  Time finish_time() const override { return state_->last_arrival; }
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

 protected:
  void begin() override;
  void on_message(const IncomingMessage& message) override;
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  std::shared_ptr<ProbeState> state_;
  EndpointDigest* digest_;
  std::vector<size_t> own_;  ///< Probes that this host sends.
  size_t next_ = 0;          ///< Of those.
  std::string failure_;
};

}  // namespace fabrictwin
