// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/probe/workload.h"

#include <algorithm>
#include <utility>

#include "workloads/probe/process.h"

namespace fabrictwin::probe {

Workload::Workload(std::vector<Probe> probes) : state_(std::make_shared<State>()) {
  std::stable_sort(probes.begin(), probes.end(), [](const Probe& a, const Probe& b) { return a.start < b.start; });
  state_->probes = std::move(probes);
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  return std::make_unique<Process>(node, state_, digest);
}

void Workload::report(v1::Report&) const {}

double Workload::done() const {
  if (state_->probes.empty()) return 1;
  return static_cast<double>(state_->arrived.get()) / static_cast<double>(state_->probes.size());
}

}  // namespace fabrictwin::probe
