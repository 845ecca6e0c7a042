// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/halo_exchange.h"

namespace fabrictwin::skeleton {

void clear_event(trace::format::Event& event, v1::TraceAction action) {
  event.action = action;
  event.peer = 0;
  event.communicator = 0;
  event.receive_peer = 0;
  event.tag = 0;
  event.datatype = v1::BYTE;
  event.receive_datatype = v1::BYTE;
  event.count = 0;
  event.receive_count = 0;
  event.send_counts.clear();
  event.receive_counts.clear();
  event.duration = Time::zero();
}

}  // namespace fabrictwin::skeleton
