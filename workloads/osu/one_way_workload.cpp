// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/one_way_workload.h"

#include <utility>

#include "fmt/format.h"
#include "workloads/osu/benchmark.h"
#include "workloads/osu/report.h"

namespace fabrictwin::osu {

absl::StatusOr<std::unique_ptr<OneWayWorkload>> OneWayWorkload::create(const OsuSpec& spec,
                                                                       std::array<int32_t, 2> hosts) {
  if (absl::Status status = check_osu(spec, 2); !status.ok()) return status;
  if (hosts[0] == hosts[1]) {
    return absl::InvalidArgumentError(
        fmt::format("one_way_lat is between two hosts, and both ranks are on host {}; place them on two", hosts[0]));
  }
  auto state = std::make_shared<OneWayState>();
  state->spec = spec;
  state->sizes = osu_sizes(spec);
  state->hosts[0] = hosts[0];
  state->hosts[1] = hosts[1];
  return std::unique_ptr<OneWayWorkload>(new OneWayWorkload(std::move(state)));
}

bool OneWayWorkload::takes_part(int32_t node) const { return node == state_->hosts[0] || node == state_->hosts[1]; }

absl::StatusOr<std::unique_ptr<host::HostProcess>> OneWayWorkload::make_process(int32_t node,
                                                                                observe::EndpointDigest* digest) {
  if (!takes_part(node)) return std::unique_ptr<host::HostProcess>();
  auto process = std::make_unique<OneWayProcess>(node, state_, digest);
  processes_.push_back(process.get());
  return process;
}

void OneWayWorkload::report(v1::Report& report) const {
  for (const int32_t rank : {0, 1}) {
    for (const OneWayProcess* process : processes_) {
      if (process->node() != state_->hosts[rank]) continue;
      v1::Rank& entry = *report.add_ranks();
      entry.set_rank(rank);
      entry.set_host(process->node());
      entry.set_finish_seconds(process->finish_time().seconds());
      entry.set_communication_seconds(process->finish_time().seconds());
      entry.set_messages_sent(process->messages_sent());
      entry.set_bytes_sent(process->bytes_sent());
    }
  }
  // Only the receiver measures; the sender has no times.
  const std::vector<Time> nothing(state_->sizes.size());
  *report.mutable_osu() = osu_report(state_->spec, state_->sizes, {nothing, state_->elapsed});
}

double OneWayWorkload::done() const {
  return static_cast<double>(state_->messages.get()) / static_cast<double>(state_->total());
}

}  // namespace fabrictwin::osu
