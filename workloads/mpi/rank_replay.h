// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A replayed rank as a SystemC module on a network interface.
#pragma once

#include <memory>
#include <string>

#include "models/endpoint.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin {

/// The endpoint of one rank: hands calls to its engine and time back to SystemC.
class RankReplay final : public Endpoint {
 public:
  /// Shares `engine` with the workload, which reports on it even when the endpoint is gone.
  RankReplay(const sc_core::sc_module_name& name, int32_t node, std::shared_ptr<RankEngine> engine);

  bool finished() const override { return engine_->finished(); }
  Time finish_time() const override { return engine_->finish_time(); }
  std::string waits_for() const override { return engine_->waits_for(); }
  std::string failure() const override { return engine_->failure(); }

 protected:
  void begin() override { decide(); }
  void on_message(const IncomingMessage& message) override { engine_->on_message(message); }
  void on_sent(uint64_t cookie) override { engine_->on_sent(cookie); }
  void decide() override;

 private:
  std::shared_ptr<RankEngine> engine_;
  RankEngine::Sender sender_;
};

}  // namespace fabrictwin
