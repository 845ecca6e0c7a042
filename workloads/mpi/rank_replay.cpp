// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/rank_replay.h"

#include <utility>

namespace fabrictwin {

RankReplay::RankReplay(int32_t node, std::shared_ptr<RankEngine> engine)
    : HostProcess(node),
      engine_(std::move(engine)),
      sender_([this](const OutgoingMessage& message) { send(message); }) {}

void RankReplay::decide() {
  const Time next = engine_->decide(now(), sender_);
  if (!next.is_never()) wake_at(next);
}

}  // namespace fabrictwin
