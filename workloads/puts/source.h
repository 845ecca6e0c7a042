// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host that puts, or gets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/run/digest.h"
#include "models/host_process.h"
#include "workloads/puts/puts_state.h"

namespace fabrictwin {

/// Gives its network interface the Puts of all streams, size by size. A size ends when every destination has said, with
/// a message that is not measured, that all of its Puts have come; of Gets, when all data is here.
class PutsSource final : public HostProcess {
 public:
  /// `digest` outlives it.
  PutsSource(int32_t node, std::shared_ptr<PutsState> state, EndpointDigest* digest);

  bool finished() const override { return state_->finished; }
  Time finish_time() const override { return state_->end; }
  std::string waits_for() const override;

 protected:
  void begin() override;
  void on_message(const IncomingMessage&) override { ++streams_done_; }
  void on_sent(uint64_t cookie) override { left_.push_back(cookie - 1); }
  void decide() override;

 private:
  bool gets() const { return state_->spec.operation == v1::Puts::GET; }
  void give(uint64_t stream);
  void start_size();
  void got(uint64_t number);

  std::shared_ptr<PutsState> state_;
  EndpointDigest* digest_;
  size_t size_ = 0;
  std::vector<int32_t> given_;  ///< By stream: Puts of this size.
  std::vector<int32_t> over_;   ///< By stream: Gets of this size.
  std::vector<uint64_t> left_;  ///< Numbers of what has just left, or come.
  uint64_t streams_done_ = 0;
};

}  // namespace fabrictwin
