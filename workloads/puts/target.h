// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host that Puts come to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/run/digest.h"
#include "models/host_process.h"
#include "workloads/puts/puts_state.h"

namespace fabrictwin {

/// Checks what comes, and tells the source when a stream has come for a size. Gets it does not see.
class PutsTarget final : public HostProcess {
 public:
  /// `digest` outlives it.
  PutsTarget(int32_t node, std::shared_ptr<PutsState> state, EndpointDigest* digest);

  bool finished() const override { return state_->finished; }
  Time finish_time() const override { return state_->end; }
  std::string waits_for() const override { return {}; }
  std::string failure() const override { return failure_; }

 protected:
  void begin() override {}
  void on_message(const IncomingMessage& message) override;
  void on_sent(uint64_t) override {}
  void decide() override;

 private:
  std::shared_ptr<PutsState> state_;
  EndpointDigest* digest_;
  std::vector<uint64_t> arrived_;                ///< Numbers of what has just come.
  absl::flat_hash_map<uint64_t, int32_t> come_;  ///< By stream: Puts of the size that is measured.
  std::string failure_;
};

}  // namespace fabrictwin
