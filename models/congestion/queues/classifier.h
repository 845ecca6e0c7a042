// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which queue of an input a packet is put into: docs/models/queue-schemes.md.
#pragma once

#include <cstdint>

#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/congestion.pb.h"

namespace fabrictwin::congestion {

/// The queues of the inputs of all routers of a network. With FBICM all packets enter the first queue, the cold one;
/// SetAsideQueues decides which of them are set aside. Immutable value type; thread-safe.
class Classifier {
 public:
  /// All packets share one queue.
  Classifier() = default;
  /// Queues of routers with at most `ports` ports in a network of `hosts` hosts.
  Classifier(const experiment::QueuesSpec& spec, int32_t hosts, int32_t ports) : scheme_(spec.scheme) {
    switch (spec.scheme) {
      case v1::Queues::VOQSW:
        queues_ = divisor_ = ports;
        break;
      case v1::Queues::VOQNET:
        queues_ = divisor_ = hosts;
        break;
      case v1::Queues::DBBM:
      case v1::Queues::OBQA:
        queues_ = divisor_ = spec.count;
        break;
      case v1::Queues::FBICM:
        queues_ = 1 + spec.count;
        break;
      default:
        break;
    }
  }

  v1::Queues::Scheme scheme() const { return scheme_; }
  /// Queues of an input, for each VC.
  int32_t queues() const { return queues_; }
  /// Whether the queue depends on the output of the router, so that it must be known when a packet is put into it.
  bool by_output() const { return scheme_ == v1::Queues::VOQSW || scheme_ == v1::Queues::OBQA; }
  /// Whether it depends on the destination.
  bool by_destination() const { return scheme_ == v1::Queues::VOQNET || scheme_ == v1::Queues::DBBM; }
  /// The queue of a packet for host `destination` that leaves the router by port `output`, which has a meaning only if
  /// by_output().
  int32_t queue_of(int32_t destination, int32_t output) const {
    return divisor_ == 1 ? 0 : (by_output() ? output : destination) % divisor_;
  }

 private:
  v1::Queues::Scheme scheme_ = v1::Queues::ONE;
  int32_t queues_ = 1;
  int32_t divisor_ = 1;
};

}  // namespace fabrictwin::congestion
