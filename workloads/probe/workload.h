// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Single messages at given times, to measure the network's effect on them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "models/host/workload.h"

namespace fabrictwin::probe {

/// One message.
struct Probe {
  int32_t source = 0;
  int32_t destination = 0;
  uint64_t bytes = 0;  ///< Bytes of the body.
  Time start;
};

/// What all hosts of a probe workload share.
struct State {
  std::vector<Probe> probes;  ///< The probes in order of their start.
  link::Counter arrived;
  Time last_arrival;
};

/// Sends each probe at its time; ends when all have arrived. Probes between two hosts must arrive in order.
class Workload final : public host::Workload {
 public:
  /// `probes` may be in any order; those of one host at one time are sent in this order.
  explicit Workload(std::vector<Probe> probes);

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace fabrictwin::probe
