// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange with neighbours as in HPCG and miniFE: all receives, all blocking sends, all waits.
#pragma once

#include <cstdint>

#include "workloads/trace/format/event.h"

namespace fabrictwin::skeleton {

/// Resets `event` to an empty one of that action; cheaper than a new event.
void clear_event(trace::format::Event& event, v1::TraceAction action);

/// Sets `event` to event number `number` (0 to 3 x neighbours - 1) of an exchange with `neighbours` neighbours.
/// `peer(i)` is neighbour i; `received(i)` and `sent(i)` are counts of `datatype`.
template <typename Peer, typename Received, typename Sent>
void exchange_event(uint32_t number, uint32_t neighbours, int32_t tag, v1::TraceDatatype datatype, Peer peer,
                    Received received, Sent sent, trace::format::Event& event) {
  const uint32_t step = number / neighbours;
  const uint32_t i = number % neighbours;
  clear_event(event, step == 0 ? v1::IRECV : step == 1 ? v1::SEND : v1::WAIT_RECV);
  event.peer = peer(i);
  event.tag = tag;
  if (step == 2) return;
  event.datatype = datatype;
  event.count = step == 0 ? received(i) : sent(i);
}

}  // namespace fabrictwin::skeleton
