// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Latencies of messages.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/latency_histogram.h"
#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "cosim/metric/sink.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "models/nic/message.h"

namespace fabrictwin::host {

/// The time of each message from the host's call to the network interface until all of it has arrived. Shared by the
/// endpoints of a partition. Not thread-safe.
class MessageLatencies {
 public:
  /// With `apart`, hosts of other partitions send to those here; 16 bytes are kept for each message between partitions.
  explicit MessageLatencies(bool apart) : apart_(apart) {}

  void sent(const nic::Envelope& envelope, Time now) { under_way_[key_of(envelope)] = now; }
  void received(const nic::Envelope& envelope, Time now) {
    const uint64_t key = key_of(envelope);
    const auto found = under_way_.find(key);
    if (found == under_way_.end()) {
      if (apart_) arrived_.emplace_back(key, now);
      return;
    }
    latencies_.add((now - found->second).fs());
    under_way_.erase(found);
  }
  void measure(metric::Sink& sink) const;
  void report(v1::Report& report) const;
  /// What the endpoints of this partition know: latencies within it, and when messages left it or arrived in it.
  void report_part(v1::MessageLatencyPart& part) const;
  /// Reports on the messages of all partitions. DataLoss if a part is none.
  static absl::Status report_parts(const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts,
                                   v1::Report& report);

 private:
  // The key of the payload names the flow and the user's message; the workload's own field distinguishes the messages
  // that a protocol derives from it.
  static uint64_t key_of(const nic::Envelope& envelope) {
    return mix64(envelope.payload_key ^ mix64(envelope.user[0]));
  }

  bool apart_;
  std::unordered_map<uint64_t, Time> under_way_;
  std::vector<std::pair<uint64_t, Time>> arrived_;  ///< From other partitions.
  LatencyHistogram latencies_;                      ///< In femtoseconds.
};

}  // namespace fabrictwin::host
