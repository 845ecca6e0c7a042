// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/event_list.h"

#include <algorithm>

#include "cosim/base/text.h"

namespace fabrictwin::skeleton {
namespace {

v1::TraceDatatype type_of(char letter) {
  switch (letter) {
    case 'd':
      return v1::DOUBLE;
    case 'i':
      return v1::INT;
    case 'l':
      return v1::LONG_LONG;
    case 'c':
      return v1::CHAR;
    default:
      return v1::BYTE;
  }
}

v1::TraceAction action_of(char letter) {
  switch (letter) {
    case 'B':
      return v1::BCAST;
    case 'R':
      return v1::REDUCE;
    case 'S':
      return v1::SCAN;
    case 'G':
      return v1::ALLGATHER;
    case 'T':
      return v1::ALLTOALL;
    default:
      return v1::ALLREDUCE;
  }
}

}  // namespace

trace::format::Event& EventList::add(v1::TraceAction action) {
  trace::format::Event& event = events_.emplace_back();
  event.action = action;
  return event;
}

void EventList::collective(v1::TraceAction action, uint64_t count, v1::TraceDatatype datatype, int32_t root) {
  trace::format::Event& event = add(action);
  event.peer = root;
  event.count = count;
  event.datatype = datatype;
  if (trace::format::action_shape(action).datatypes < 2) return;
  event.receive_count = count;
  event.receive_datatype = datatype;
}

void EventList::alltoallv(uint32_t ranks, uint64_t count, v1::TraceDatatype datatype) {
  trace::format::Event& event = add(v1::ALLTOALLV);
  event.send_counts.assign(ranks, count);
  event.receive_counts.assign(ranks, count);
  event.datatype = event.receive_datatype = datatype;
}

void EventList::compute(Time duration) { compute(Computation{duration, 0}); }

void EventList::compute(const Computation& computation) {
  if (computation.alone <= Time::zero()) return;
  trace::format::Event& event = add(v1::COMPUTE);
  event.duration = computation.alone;
  event.count = computation.bytes;
}

void EventList::message(v1::TraceAction action, int32_t peer, uint64_t count, int32_t tag) {
  trace::format::Event& event = add(action);
  event.peer = peer;
  event.tag = tag;
  event.count = count;
  event.datatype = v1::DOUBLE;
}

void EventList::wait(int32_t from, int32_t tag) {
  trace::format::Event& event = add(v1::WAIT_RECV);
  event.peer = from;
  event.tag = tag;
}

void EventList::swap_int(int32_t to, int32_t from) {
  trace::format::Event& event = add(v1::SENDRECV);
  event.peer = to;
  event.receive_peer = from;
  event.count = event.receive_count = 1;
  event.datatype = event.receive_datatype = v1::INT;
}

void EventList::swap(int32_t to, uint64_t sent, int32_t from, uint64_t received) {
  irecv(from, received);
  send(to, sent);
  wait(from);
}

void EventList::token(std::string_view token) {
  uint64_t count = 0;
  if (token == "|") return call(v1::BARRIER);
  if (parse_number(token, count)) {
    collective(v1::BCAST, 1, v1::INT);
    return collective(v1::BCAST, count, v1::CHAR);
  }
  parse_number(token.substr(1, token.size() - 2), count);
  collective(action_of(token.front()), count, type_of(token.back()));
}

void EventList::script(std::string_view script) {
  for (const std::string_view word : split(script, " \n")) {
    if (word.empty()) continue;
    const size_t star = std::min(word.find('*'), word.size());
    uint32_t repeat = 1;
    if (star < word.size()) parse_number(word.substr(star + 1), repeat);
    for (uint32_t i = 0; i < repeat; ++i) token(word.substr(0, star));
  }
}

}  // namespace fabrictwin::skeleton
