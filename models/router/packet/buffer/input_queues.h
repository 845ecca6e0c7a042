// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The records of routers whose inputs have queues of a scheme: docs/models/queue-schemes.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/fifo.h"
#include "cosim/experiment/experiment.h"
#include "models/congestion/queues/classifier.h"
#include "models/congestion/queues/set_aside.h"

namespace fabrictwin::router::packet::buffer {

/// One queue of a VC of an input.
struct InputQueue {
  int32_t number = 0;  ///< Its number in the scheme.
  int32_t packets = 0;
  uint32_t first = 0;
  uint32_t last = 0;
  int64_t gate = 0;  ///< Nothing leaves before this time.
};

/// The queues of a VC of an input that have packets, or had some a short while ago.
class VcQueues {
 public:
  /// The slot of the queue with this number; if there is none, of a new one.
  uint32_t slot_of(int32_t number, int64_t now);
  InputQueue& operator[](uint32_t slot) { return queues_[slot]; }
  const InputQueue& operator[](uint32_t slot) const { return queues_[slot]; }
  const std::vector<InputQueue>& all() const { return queues_; }
  bool empty() const { return packets_ == 0; }

  /// `next_of(packet)` is a reference to the number of the next packet in the same queue.
  template <typename NextOf>
  void push(uint32_t slot, uint32_t packet, const NextOf& next_of) {
    InputQueue& queue = queues_[slot];
    if (queue.first == 0) {
      queue.first = packet;
    } else {
      next_of(queue.last) = packet;
    }
    next_of(packet) = 0;
    queue.last = packet;
    ++queue.packets;
    ++packets_;
  }
  template <typename NextOf>
  uint32_t pop(uint32_t slot, const NextOf& next_of) {
    InputQueue& queue = queues_[slot];
    const uint32_t packet = queue.first;
    queue.first = next_of(packet);
    --queue.packets;
    --packets_;
    return packet;
  }

 private:
  std::vector<InputQueue> queues_;  ///< By slot: few, as each has a packet.
  int32_t packets_ = 0;
};

/// What the sender knows of the queues of a VC at the other end of its link: it counts what it has sent, and credits
/// say what has left, and when the sender hears of it.
class QueueCredits {
 public:
  /// Bytes that a queue holds, with those on their way to it.
  int32_t held(int32_t number, int64_t now);
  void sent(int32_t number, int32_t bytes);
  /// A credit, which the sender can use from `time` on: after all earlier ones.
  void give_back(int64_t time, int32_t number, int32_t bytes) { credits_.push_back({time, number, bytes}); }
  /// Whether a packet may be sent to a queue of a VC with `free` bytes of free space: it must fit, and if the queue has
  /// packets already, it must leave as much free as the queue holds then. So one queue has at most half of the space,
  /// and of n long ones each has one part in n + 1 (dynamic thresholds with a factor of 1: Choudhury and Hahne, 1998).
  static bool admits(int32_t held, int32_t free, int32_t bytes) {
    return bytes <= free && (held == 0 || held + bytes <= free - bytes);
  }

 private:
  struct Held {
    int32_t number = 0;
    int32_t bytes = 0;
  };
  struct Credit {
    int64_t time = 0;
    int32_t number = 0;
    int32_t bytes = 0;
  };

  std::vector<Held> held_;  ///< Queues with packets.
  Fifo<Credit> credits_;
};

/// What an input or output is told of a set-aside queue at the other end of its link.
struct SetAsideNotice {
  int64_t time = 0;   ///< When it arrives.
  uint32_t port = 0;  ///< The port that it comes to,
  uint32_t vc = 0;    ///< and the VC.
  congestion::SetAsideMessage message;
};

/// One set-aside queue more or less.
struct SetAsideChange {
  int64_t time = 0;
  int32_t change = 0;
};

/// The set-aside queues of a whole network over time. Not thread-safe.
class SetAsideCount {
 public:
  /// Counts changes, in any order, none before any that has been counted, and clears them.
  void add(std::vector<SetAsideChange>& changes);
  /// From now on, what is added is kept.
  void keep() { keeps_ = true; }
  const std::vector<SetAsideChange>& kept() const { return kept_; }
  int64_t in_use() const { return in_use_; }
  int64_t most() const { return most_; }
  /// When the last one was released in femtoseconds; 0 if none was.
  int64_t released() const { return released_; }

 private:
  int64_t in_use_ = 0;
  int64_t most_ = 0;
  int64_t released_ = 0;
  bool keeps_ = false;
  std::vector<SetAsideChange> kept_;
};

/// The queues of all inputs. As with Tables, only the shard of an element uses what belongs to it.
struct InputQueues {
  /// A queue whose first packet waits for an output.
  struct Waiting {
    uint32_t buffer = 0;
    uint32_t slot = 0;
  };

  congestion::Classifier classifier;
  std::vector<VcQueues> queues;                       ///< By buffer.
  std::vector<QueueCredits> credits;                  ///< By buffer, where PortRecord::credit_port says.
  std::vector<std::vector<Waiting>> waiting;          ///< By output port.
  std::vector<congestion::SetAsideQueues> set_aside;  ///< By element, with FBICM.
  std::vector<Fifo<SetAsideNotice>> notices;          ///< By port: those that are on their way to it.

  bool sets_aside() const { return !set_aside.empty(); }
};

}  // namespace fabrictwin::router::packet::buffer
