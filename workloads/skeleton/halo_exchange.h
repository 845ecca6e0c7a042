// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange with neighbours as HPCG and miniFE do it: all receives, all blocking sends, all waits.
#pragma once

#include <cstdint>

#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Makes `event` an empty event of that action; cheaper than a new one.
void clear_event(TraceEvent& event, v1::TraceAction action);

/// Event number `number` (0 to 3 x neighbours - 1) of an exchange with `neighbours` neighbours, into `event`. `peer(i)`
/// is neighbour i, `received(i)` and `sent(i)` are counts of `datatype`.
template <typename Peer, typename Received, typename Sent>
void exchange_event(uint32_t number, uint32_t neighbours, int32_t tag, v1::TraceDatatype datatype, Peer peer,
                    Received received, Sent sent, TraceEvent& event) {
  const uint32_t step = number / neighbours;
  const uint32_t i = number % neighbours;
  clear_event(event, step == 0 ? v1::IRECV : step == 1 ? v1::SEND : v1::WAIT_RECV);
  event.peer = peer(i);
  event.tag = tag;
  if (step == 2) return;
  event.datatype = datatype;
  event.count = step == 0 ? received(i) : sent(i);
}

}  // namespace fabrictwin
