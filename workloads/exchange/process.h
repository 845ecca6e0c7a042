// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One host of an exchange among neighbours.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/observe/digest.h"
#include "models/host/host_process.h"
#include "workloads/exchange/spec.h"
#include "workloads/mpi/collectives/plan.h"

namespace fabrictwin::exchange {

/// What all hosts of an exchange share.
struct State {
  ExchangeSpec spec;
  std::vector<int32_t> dims;
  int32_t hosts = 0;
  std::atomic<uint64_t> iterations{0};  ///< Completed iterations of all hosts together.
};

/// In each iteration sends to all neighbours in the lattice and receives from them, then takes part in an allreduce by
/// recursive doubling without computation. Messages need neither handshake nor software time: only the network is
/// measured.
class Process final : public host::HostProcess {
 public:
  /// `digest` outlives it.
  Process(int32_t node, std::shared_ptr<State> state, observe::EndpointDigest* digest);

  bool finished() const override { return iteration_ == state_->spec.iterations; }
  Time finish_time() const override { return finish_time_; }
  std::string waits_for() const override;
  std::string failure() const override { return failure_; }

  uint64_t messages_sent() const { return sequence_; }
  uint64_t bytes_sent() const { return bytes_sent_; }

 protected:
  void begin() override;
  void on_message(const nic::IncomingMessage& message) override;
  void on_sent(uint64_t) override { --leaving_; }
  void decide() override;

 private:
  struct Arrival {
    int32_t source;
    uint32_t tag;
  };

  std::vector<int32_t> neighbours() const;
  uint32_t tag() const { return static_cast<uint32_t>(2 * iteration_ + (reducing_ ? 1 : 0)); }
  void post(int32_t destination, uint64_t bytes);
  void start_exchange();
  bool exchanged();
  bool reduced();
  bool take(int32_t source);

  std::shared_ptr<State> state_;
  observe::EndpointDigest* digest_;
  int32_t iteration_ = 0;
  bool reducing_ = false;
  int32_t neighbours_ = 0;
  int32_t leaving_ = 0;                              ///< Messages that have not left.
  std::vector<Arrival> arrivals_;                    ///< That nothing has waited for yet.
  std::vector<mpi::collectives::CollectiveOp> ops_;  ///< The steps of the allreduce.
  size_t op_ = 0;                                    ///< The wait that is next.
  size_t started_ = 0;                               ///< Before this one, operations have been started.
  uint64_t sequence_ = 0;
  uint64_t bytes_sent_ = 0;
  Time finish_time_;
  std::string failure_;
};

}  // namespace fabrictwin::exchange
