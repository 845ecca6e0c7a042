// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues that are set aside for congested destinations: docs/models/queue-schemes.md.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/experiment/experiment.h"

namespace fabrictwin::congestion {

/// What the two ends of a link tell each other of a destination.
struct SetAsideMessage {
  enum class Kind : uint8_t {
    kStop,      ///< Upstream: set packets for it aside, and send none of them.
    kResume,    ///< Upstream: they may be sent again.
    kReleased,  ///< Downstream: no packet for it is set aside here any more.
  };
  Kind kind = Kind::kStop;
  int32_t port = 0;  ///< The port of the sender by which it leaves; for receive(), the port by which it has come.
  int32_t destination = 0;
  /// How many stops the queue at the downstream end has sent; a release answers the last one that had come.
  uint32_t stops = 0;
};

/// The set-aside queues of one element: those of all inputs of a router, or of a host, which has none and only obeys.
/// An input has a cold queue, number 0, and queues 1 to count, each of which belongs to a destination while it is in
/// use (FBICM: Escudero-Sahuquillo et al., "FBICM: efficient congestion management for high-performance networks using
/// distributed deterministic routing", HiPC 2008). Packets enter the cold queue. When one is at its front, set_aside()
/// tells whether it moves to another queue: because its destination has one, because the next element has said so, or
/// because the cold queue is long, which makes this element the root of a tree. A queue that becomes long stops the
/// element before it, which sets packets for the destination aside in turn; so the tree grows towards the sources. It
/// vanishes in the reverse order: a queue is released when it is empty and the element before it has none left.
/// Decisions depend on this element and the messages that it has got. Not thread-safe.
class SetAsideQueues {
 public:
  static constexpr int32_t kCold = 0;

  /// Makes the queues of an element with `inputs` inputs and `outputs` outputs, which are numbered by port.
  SetAsideQueues(const experiment::QueuesSpec& spec, int32_t inputs, int32_t outputs);

  /// The queue for `destination` at `input`; kCold if there is none.
  int32_t find(int32_t input, int32_t destination) const;
  /// The queue for a packet at the front of the cold queue of `input`, which holds `packets` packets, and will leave by
  /// `output`: kCold if it stays. Makes a queue if the packet wants one and there is one left. Then entered() is to be
  /// called before anything else.
  int32_t set_aside(int32_t input, int32_t destination, int32_t output, int32_t packets);
  /// Whether set_aside() would find reasons that may have come up since the packet came to the front.
  bool wants(int32_t input, int32_t destination, int32_t output, int32_t packets) const;
  /// A packet has entered, or has left, a queue other than the cold one.
  void entered(int32_t input, int32_t queue);
  void left(int32_t input, int32_t queue);
  /// Whether no packet for `destination` may leave a set-aside queue by `output` now. Packets in cold queues may.
  bool stopped(int32_t output, int32_t destination) const;

  /// A message has come through its port: stops and resumes by an output, releases by an input.
  void receive(const SetAsideMessage& message);
  /// Messages to be sent by their ports: stops and resumes by an input, releases by an output. Whoever sends them
  /// clears the list.
  std::vector<SetAsideMessage>& outbox() { return outbox_; }

  /// Queues in use, and the packets in one.
  int32_t in_use() const { return in_use_; }
  int32_t packets(int32_t input, int32_t queue) const { return queue_at(input, queue).packets; }
  /// Outputs and destinations of which the next element has spoken last.
  int32_t branches() const;

 private:
  struct Queue {
    int32_t destination = -1;  ///< -1: free.
    int32_t output = 0;
    int32_t packets = 0;
    uint32_t stops = 0;     ///< Stops sent.
    bool stopping = false;  ///< The element before has been stopped,
    bool told = false;      ///< or at least knows of the queue.
  };
  /// What the element behind an output has said of a destination.
  struct Branch {
    int32_t destination = 0;
    uint32_t stops = 0;  ///< The number of the last stop.
    bool stopped = false;
    int32_t queues = 0;  ///< Queues here that lead there.
  };

  Queue& queue_at(int32_t input, int32_t queue) { return queues_[index(input, queue)]; }
  const Queue& queue_at(int32_t input, int32_t queue) const { return queues_[index(input, queue)]; }
  size_t index(int32_t input, int32_t queue) const {
    return static_cast<size_t>(input) * static_cast<size_t>(count_) + static_cast<size_t>(queue - 1);
  }
  const Branch* branch(int32_t output, int32_t destination) const;
  Branch* branch(int32_t output, int32_t destination) {
    return const_cast<Branch*>(static_cast<const SetAsideQueues*>(this)->branch(output, destination));
  }
  void release_if_over(Queue& queue);
  void end_branch_if_over(int32_t output, int32_t destination);

  int32_t count_;
  int32_t detect_;
  int32_t stop_;
  int32_t resume_;
  int32_t in_use_ = 0;
  std::vector<Queue> queues_;                  ///< By input and queue, without the cold ones.
  std::vector<std::vector<Branch>> branches_;  ///< By output; few.
  std::vector<SetAsideMessage> outbox_;
};

}  // namespace fabrictwin::congestion
