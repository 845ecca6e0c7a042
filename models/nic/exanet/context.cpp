// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/context.h"

#include "fmt/format.h"

namespace fabrictwin::nic::exanet {

void Context::run_events() {
  while (!events_.empty() && events_.top().time <= now_) {
    // The queue returns constants only; the event is removed at once.
    const Action action = std::move(const_cast<Event&>(events_.top()).action);
    events_.pop();
    action();
  }
}

std::string Context::name_of(Node node) { return fmt::format("node {:#x}", node); }

}  // namespace fabrictwin::nic::exanet
