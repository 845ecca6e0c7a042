// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The driver's use of the Allreduce accelerator: vectors of any size, block after block.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/nic/exanet/allreduce/port.h"
#include "models/nic/message.h"

namespace fabrictwin::nic::exanet::driver {

/// Makes the vectors of a host's reductions from their keys, hands them to the accelerator, and compares what comes
/// back with the reduction of the vectors of all ranks. It calls the Port from work() only. Not thread-safe.
class Reducer : public allreduce::Client {
 public:
  struct Config {
    const std::vector<Node>* nodes = nullptr;  ///< The network's number of each host; outlives the reducer.
    uint32_t timeout = 0;                      ///< As in allreduce::Group.
    std::function<void()> wake;                ///< Asks for work(), later.
    /// A reduction is over.
    std::function<void(const IncomingMessage& result, uint64_t blocks)> done;
    std::function<void(const std::string& what)> fail;
  };
  explicit Reducer(Config config) : config_(std::move(config)) {}

  /// Binds the accelerator; without it, reductions are a failure.
  void bind(allreduce::Port* port) { port_ = port; }
  /// Takes a reduction, or a request to configure the accelerator.
  void take(const OutgoingMessage& message);
  void work();
  void reduced(const allreduce::Result& result) override;

 private:
  uint64_t bytes_of_block() const;
  void configure(const OutgoingMessage& message);
  void start_block();
  void end(const OutgoingMessage& message);

  Config config_;
  allreduce::Port* port_ = nullptr;
  std::deque<OutgoingMessage> messages_;  ///< The first one is being reduced.
  uint64_t offset_ = 0;                   ///< Bytes of it that are reduced.
  uint64_t hash_ = 0;
  bool intact_ = true;
  bool under_way_ = false;
};

}  // namespace fabrictwin::nic::exanet::driver
