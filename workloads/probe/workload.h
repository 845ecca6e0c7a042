// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Single messages at given times, to measure what a network does with them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/run/counters.h"
#include "models/workload.h"

namespace fabrictwin {

/// One message.
struct Probe {
  int32_t source = 0;
  int32_t destination = 0;
  uint64_t bytes = 0;  ///< Of the body.
  Time start;
};

/// What all hosts of a probe workload share.
struct ProbeState {
  std::vector<Probe> probes;  ///< In the order of their starts.
  Counter arrived;
  Time last_arrival;
};

/// Sends each probe at its time; ends when all have arrived. Probes between two hosts must arrive in their order.
class ProbeWorkload final : public Workload {
 public:
  /// Any order; probes of one host at one time are sent in this one.
  explicit ProbeWorkload(std::vector<Probe> probes);

  absl::StatusOr<std::unique_ptr<Endpoint>> make_endpoint(int32_t node, EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  std::shared_ptr<ProbeState> state_;
};

}  // namespace fabrictwin
