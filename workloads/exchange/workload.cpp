// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/exchange/workload.h"

#include <utility>

namespace fabrictwin::exchange {

Workload::Workload(const ExchangeSpec& spec, std::vector<int32_t> dims, int32_t hosts)
    : state_(std::make_shared<State>()) {
  state_->spec = spec;
  state_->dims = std::move(dims);
  state_->hosts = hosts;
  processes_.reserve(hosts);
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  auto process = std::make_unique<Process>(node, state_, digest);
  processes_.push_back(process.get());
  return process;
}

void Workload::report(v1::Report& report) const {
  for (const Process* process : processes_) {
    v1::Rank& rank = *report.add_ranks();
    rank.set_rank(process->node());
    rank.set_finish_seconds(process->finish_time().seconds());
    rank.set_communication_seconds(process->finish_time().seconds());
    rank.set_messages_sent(process->messages_sent());
    rank.set_bytes_sent(process->bytes_sent());
  }
}

// Hosts of other places tell how far they are there.
double Workload::done() const {
  if (processes_.empty()) return 1;
  return static_cast<double>(state_->iterations.load(std::memory_order_relaxed)) /
         (static_cast<double>(state_->spec.iterations) * static_cast<double>(processes_.size()));
}

}  // namespace fabrictwin::exchange
