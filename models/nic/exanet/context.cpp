// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/ni_context.h"

#include "fmt/format.h"

namespace fabrictwin {

void NiContext::run_events() {
  while (!events_.empty() && events_.top().time <= now_) {
    // The queue gives out constants only; the event leaves it at once.
    const Action action = std::move(const_cast<Event&>(events_.top()).action);
    events_.pop();
    action();
  }
}

std::string NiContext::name_of(NiNode node) { return fmt::format("node {:#x}", node); }

}  // namespace fabrictwin
