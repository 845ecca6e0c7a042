// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the model of the network interface share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "models/memory/host_memory.h"
#include "models/memory/host_pages.h"
#include "models/nic/exanet/packet.h"
#include "models/nic/exanet/port.h"
#include "models/nic/exanet/timing.h"

namespace fabrictwin::nic::exanet {

/// Outgoing packets are in these streams, which take turns packet by packet.
enum class Stream : uint8_t { kMessages, kAnswers, kRdmaRequests, kRdmaAnswers, kReductions };
inline constexpr int kNiStreams = 5;

/// Time, scheduled events, the path to the link, and the identity of the node. Events of one time run in the order in
/// which they were scheduled. Not thread-safe.
class Context {
 public:
  using Action = std::function<void()>;

  Context(Timing timing, Numbering numbering, Node node, uint16_t pdid)
      : timing(std::move(timing)), numbering(numbering), node(node), pdid(pdid) {}

  const Timing timing;
  const Numbering numbering;
  const Node node;
  const uint16_t pdid;
  Client* client = nullptr;
  memory::HostMemory* memory = nullptr;  ///< Null: memory responds at once.
  memory::HostPages* pages = nullptr;    ///< Null: all pages are present.
  /// Enqueues a packet in its stream, at the current time.
  std::function<void(Stream, const Words&)> transmit;

  Time now() const { return now_; }
  /// The clock edge `cycles` after the first one at or after the current time.
  Time after_cycles(int64_t cycles) const { return timing.clock.edge(edge() + cycles); }
  /// The first clock edge at or after the current time, by its number.
  int64_t edge() const { return timing.clock.edge_at_or_after(now_); }
  /// Schedules an action at `time`, which is not in the past.
  void at(Time time, Action action) { events_.push({time, order_++, std::move(action)}); }
  void after(int64_t cycles, Action action) { at(after_cycles(cycles), std::move(action)); }

  /// When the next event is due.
  Time next_event() const { return events_.empty() ? Time::never() : events_.top().time; }
  /// Sets the current time.
  void set_now(Time now) { now_ = now; }
  /// Runs all events that are due.
  void run_events();

  /// The name of a node in failures.
  static std::string name_of(Node node);

 private:
  struct Event {
    Time time;
    uint64_t order;
    Action action;
    bool operator<(const Event& other) const { return std::pair(other.time, other.order) < std::pair(time, order); }
  };
  Time now_;
  uint64_t order_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace fabrictwin::nic::exanet
