// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A replayed rank as a process on its host.
#pragma once

#include <memory>
#include <string>

#include "models/host_process.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin {

/// The process of one rank: hands calls to its engine and wake-ups back.
class RankReplay final : public HostProcess {
 public:
  /// Shares `engine` with the workload, which reports on it even when the endpoint is gone.
  RankReplay(int32_t node, std::shared_ptr<RankEngine> engine);

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
