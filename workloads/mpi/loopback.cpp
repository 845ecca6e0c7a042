// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/loopback.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::mpi {
namespace {

bool later(const Loopback::Event& a, const Loopback::Event& b) {
  return a.time != b.time ? a.time > b.time : a.number > b.number;
}

}  // namespace

bool Loopback::send(Time now, int32_t from, int32_t to, const nic::IncomingMessage& message, uint64_t cookie) {
  Time& free_at = free_at_[static_cast<size_t>(from)];
  free_at = std::max(now, free_at) + copy_.of(message.envelope.bytes);
  const Time end = free_at + latency_;
  if (end.is_never()) return false;
  if (cookie != 0) {
    Event left;
    left.time = free_at;
    left.slot = from;
    left.cookie = cookie;
    push(left);
  }
  Event arrival;
  arrival.time = end;
  arrival.slot = to;
  arrival.arrives = true;
  arrival.message = message;
  push(arrival);
  return true;
}

void Loopback::push(const Event& event) {
  events_.push_back(event);
  events_.back().number = number_++;
  std::push_heap(events_.begin(), events_.end(), later);
}

bool Loopback::take(Time now, Event& event) {
  if (next() > now) return false;
  std::pop_heap(events_.begin(), events_.end(), later);
  event = events_.back();
  events_.pop_back();
  return true;
}

}  // namespace fabrictwin::mpi
