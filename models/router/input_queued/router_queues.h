// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What routers do for queues of their inputs: docs/models/queue-schemes.md. Included by router.cpp only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/router/input_queued/router.h"

namespace fabrictwin::router::input_queued {

// The VC numbers of an option: of each VC, the queue that the packet has behind that output.
template <int kVcs>
auto Router<kVcs>::queues_behind(const routing::RouteOption& option, const routing::PacketRoute& packet) -> Mask {
  Mask vcs;
  kernel::for_each_bit(option.vcs, [&](int32_t vc) {
    if ((vc + 1) * queues_ > context_.spec.vcs) return;
    const int32_t first = number(option.port, vc * queues_);
    const int32_t queue = context_.queues->behind(index_, option.port, vc, packet);
    if (queue != NextQueues::kAny) return vcs.set(first + queue);
    for (int32_t any = 0; any < queues_; ++any) vcs.set(first + any);
  });
  return vcs;
}

// Whether the front packet of input VC i, which has just been routed and is in a cold queue, moves to another queue.
template <int kVcs>
bool Router<kVcs>::moves_aside(int32_t i) {
  if (i != cold_of(i)) return false;
  const int32_t port = port_of(i);
  const int32_t output = port_of(candidates_[i].first());
  const int32_t queue =
      set_aside_->set_aside(port, context_.packets[inputs_[i].front].destination, output, inputs_[i].packets);
  if (queue == congestion::SetAsideQueues::kCold) return false;
  move_aside(i, i + queue);
  set_aside_->entered(port, queue);
  return true;
}

// All flits of the front packet that are here move; those that arrive later follow it. They keep their buffer.
template <int kVcs>
void Router<kVcs>::move_aside(int32_t cold, int32_t to) {
  InputVc& from = inputs_[cold];
  InputVc& aside = inputs_[to];
  const uint32_t packet = from.front;
  const uint16_t flits = from.packets > 1 ? context_.packets[packet].flits : from.size;
  if (from.packets == 1) arriving_[static_cast<size_t>(cold)] = to;
  candidates_[cold] = {};
  from.size = static_cast<uint16_t>(from.size - flits);
  from.has_head = false;
  from.left = 0;
  from.first = static_cast<uint16_t>(from.first + 1 == fifo_packets_ ? 0 : from.first + 1);
  if (--from.packets > 0) {
    from.front = packet_fifo_[cold * fifo_packets_ + from.first];
    routing_.set(cold);
  }
  aside.size = static_cast<uint16_t>(aside.size + flits);
  receive_head(to, packet);
}

// Moves the front packet of a cold queue if there are new reasons and it still waits for an output VC.
template <int kVcs>
void Router<kVcs>::reconsider(int32_t i) {
  if (inputs_[i].packets == 0 || inputs_[i].output >= 0 || candidates_[i].none()) return;
  const int32_t any = candidates_[i].first();
  if (!waiters_[any].test(i)) return;
  const int32_t destination = context_.packets[inputs_[i].front].destination;
  // VC allocation has chosen it in this cycle.
  if (std::ranges::any_of(matches_, [i](const Match& match) { return match.input == i; })) return;
  if (!set_aside_->wants(port_of(i), destination, port_of(any), inputs_[i].packets)) return;
  const Mask waiting = candidates_[i];
  if (moves_aside(i)) waiting.for_each([&](int32_t o) { waiters_[o].reset(i); });
}

template <int kVcs>
void Router<kVcs>::reconsider_port(int32_t port) {
  for (int32_t vc = 0; vc < context_.spec.vcs; vc += queues_) reconsider(number(port, vc));
}

// Whether the front packet of a queue may not go on. A queue that was set aside is left in its order.
template <int kVcs>
bool Router<kVcs>::parks(int32_t i) {
  if (i == cold_of(i)) return false;
  const int32_t destination = context_.packets[inputs_[i].front].destination;
  if (!set_aside_->stopped(port_of(candidates_[i].first()), destination)) return false;
  parked_.set(i);
  return true;
}

template <int kVcs>
void Router<kVcs>::packet_left(int32_t i) {
  candidates_[i] = {};
  const int32_t queue = i - cold_of(i);
  if (queue == congestion::SetAsideQueues::kCold) return;
  const int32_t used = set_aside_->in_use();
  set_aside_->left(port_of(i), queue);
  if (set_aside_->in_use() < used) reconsider_port(port_of(i));
}

template <int kVcs>
void Router<kVcs>::receive_message(const congestion::SetAsideMessage& message) {
  const int32_t used = set_aside_->in_use();
  set_aside_->receive(message);
  switch (message.kind) {
    case congestion::SetAsideMessage::Kind::kStop:
      for (int32_t port = 0; port < port_count_; ++port) reconsider_port(port);
      return;
    case congestion::SetAsideMessage::Kind::kResume:
      parked_.for_each([&](int32_t i) {
        parked_.reset(i);
        wait_for_vc(i);
      });
      return;
    case congestion::SetAsideMessage::Kind::kReleased:
      if (set_aside_->in_use() < used) reconsider_port(message.port);
      return;
  }
}

}  // namespace fabrictwin::router::input_queued
