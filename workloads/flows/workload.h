// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A workload of flows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/host/workload.h"
#include "workloads/flows/process.h"

namespace fabrictwin::flows {

/// Flows between hosts, whatever made the list of them.
class Workload final : public host::Workload {
 public:
  /// With `transport`, network interfaces tell when all of a flow has arrived.
  Workload(FlowList flows, int32_t hosts, bool transport);

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  bool independent_hosts() const override { return true; }
  std::span<uint64_t> flow_bytes() override { return state_.bytes; }
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  std::vector<std::vector<uint32_t>> by_source_;  ///< By host: numbers of flows by start.
  std::vector<uint64_t> expected_;                ///< By host: flows that it receives to their end.
  State state_;
  std::vector<const Process*> processes_;
};

}  // namespace fabrictwin::flows
