// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Latencies of messages.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "cosim/base/latency_histogram.h"
#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "cosim/metric/sink.h"
#include "models/nic/message.h"

namespace fabrictwin::v1 {
class Report;
}  // namespace fabrictwin::v1

namespace fabrictwin::host {

/// The time of each message from the host's call to the network interface until all of it has arrived. Shared by the
/// endpoints of a partition. Not thread-safe.
class MessageLatencies {
 public:
  void sent(const nic::Envelope& envelope, Time now) { under_way_[key_of(envelope)] = now; }
  void received(const nic::Envelope& envelope, Time now) {
    const auto found = under_way_.find(key_of(envelope));
    if (found == under_way_.end()) return;
    latencies_.add((now - found->second).fs());
    under_way_.erase(found);
  }
  void measure(metric::Sink& sink) const;
  void report(v1::Report& report) const;

 private:
  // The key of the payload names the flow and the user's message; the workload's own field distinguishes the messages
  // that a protocol derives from it.
  static uint64_t key_of(const nic::Envelope& envelope) {
    return mix64(envelope.payload_key ^ mix64(envelope.user[0]));
  }

  std::unordered_map<uint64_t, Time> under_way_;
  LatencyHistogram latencies_;  ///< In femtoseconds.
};

}  // namespace fabrictwin::host
