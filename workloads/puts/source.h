// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host that issues Puts or Gets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/puts/state.h"

namespace fabrictwin::puts {

/// Submits the Puts of all streams to its network interface, size by size. A size ends when every destination has
/// reported, with a message that is not measured, that all of its Puts have arrived; for Gets, when all data has
/// arrived.
class Source final : public host::HostProcess {
 public:
  /// `digest` outlives it.
  Source(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest);

  bool finished() const override { return state_->finished; }
  Time finish_time() const override { return state_->end; }
  std::string waits_for() const override;

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage&) override { ++streams_done_; }
  void on_sent(uint64_t cookie) override { left_.push_back(cookie - 1); }
  void decide() override;

 private:
  bool gets() const { return state_->spec.operation == v1::Puts::GET; }
  void give(uint64_t stream);
  void start_size();
  void got(uint64_t number);

  std::shared_ptr<State> state_;
  observe::EndpointDigest* digest_;
  size_t size_ = 0;
  std::vector<int32_t> given_;  ///< By stream: Puts of this size submitted.
  std::vector<int32_t> over_;   ///< By stream: Gets of this size completed.
  std::vector<uint64_t> left_;  ///< Numbers of Puts that have just left, or Gets that have arrived.
  uint64_t streams_done_ = 0;
};

}  // namespace fabrictwin::puts
