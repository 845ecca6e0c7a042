// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A destination host of Puts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/puts/state.h"

namespace fabrictwin::puts {

/// Checks arrivals, and notifies the source when a stream is complete for a size. It does not see Gets.
class Target final : public host::HostProcess {
 public:
  /// `digest` outlives it.
  Target(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest);

  bool finished() const override { return state_->finished; }
  Time finish_time() const override { return state_->end; }
  std::string waits_for() const override { return {}; }
  std::string failure() const override { return failure_; }

 protected:
  void begin() override {}
  void on_message(const nic::IncomingMessage& message) override;
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  std::shared_ptr<State> state_;
  observe::EndpointDigest* digest_;
  std::vector<uint64_t> arrived_;                ///< Numbers of Puts that have just arrived.
  absl::flat_hash_map<uint64_t, int32_t> come_;  ///< By stream: Puts of the current size.
  std::string failure_;
};

}  // namespace fabrictwin::puts
