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
#include "models/host_memory.h"
#include "models/host_pages.h"
#include "models/ni_packet.h"
#include "models/ni_port.h"
#include "models/ni_timing.h"

namespace fabrictwin {

/// What is sent takes turns by packets among these.
enum class NiStream : uint8_t { kMessages, kAnswers, kRdmaRequests, kRdmaAnswers };
inline constexpr int kNiStreams = 4;

/// Time, what will happen when, the way to the link, and who the node is. Events of one time happen in the order in
/// which they were asked for. Not thread-safe.
class NiContext {
 public:
  using Action = std::function<void()>;

  NiContext(NiTiming timing, NiNumbering numbering, NiNode node, uint16_t pdid)
      : timing(std::move(timing)), numbering(numbering), node(node), pdid(pdid) {}

  const NiTiming timing;
  const NiNumbering numbering;
  const NiNode node;
  const uint16_t pdid;
  NiClient* client = nullptr;
  HostMemory* memory = nullptr;  ///< None: memory answers at once.
  HostPages* pages = nullptr;    ///< None: all pages are there.
  /// Puts a packet into the queue of its stream, at the present time.
  std::function<void(NiStream, const NiWords&)> transmit;

  Time now() const { return now_; }
  /// The clock edge `cycles` after the first at or after the present.
  Time after_cycles(int64_t cycles) const { return timing.clock.edge(timing.clock.edge_at_or_after(now_) + cycles); }
  /// Does something at `time`, which is not in the past.
  void at(Time time, Action action) { events_.push({time, order_++, std::move(action)}); }
  void after(int64_t cycles, Action action) { at(after_cycles(cycles), std::move(action)); }

  /// When the next event is due.
  Time next_event() const { return events_.empty() ? Time::never() : events_.top().time; }
  /// The present is `now`.
  void set_now(Time now) { now_ = now; }
  /// Runs all events that are due.
  void run_events();

  /// The name of a node in failures.
  static std::string name_of(NiNode node);

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

}  // namespace fabrictwin
