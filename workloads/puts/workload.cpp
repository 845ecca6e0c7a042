// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/puts/workload.h"

#include <algorithm>

#include "fmt/format.h"
#include "workloads/puts/source.h"
#include "workloads/puts/target.h"

namespace fabrictwin::puts {

Workload::Workload(const PutsSpec& spec) : state_(std::make_shared<State>(spec)) {}

absl::StatusOr<std::unique_ptr<host::Workload>> Workload::create(const PutsSpec& spec, int32_t hosts) {
  const auto check = [&](const char* what, int32_t host) {
    if (host < hosts) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("{} {}: the system has {} hosts; write 0 to {}", what, host, hosts, hosts - 1));
  };
  if (absl::Status status = check("source", spec.source); !status.ok()) return status;
  for (const int32_t destination : spec.destinations) {
    if (absl::Status status = check("destination", destination); !status.ok()) return status;
  }
  return std::unique_ptr<host::Workload>(new Workload(spec));
}

bool Workload::takes_part(int32_t node) const {
  const PutsSpec& spec = state_->spec;
  return node == spec.source ||
         std::find(spec.destinations.begin(), spec.destinations.end(), node) != spec.destinations.end();
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  if (node == state_->spec.source) return std::make_unique<Source>(node, state_, digest);
  if (!takes_part(node)) return nullptr;
  return std::make_unique<Target>(node, state_, digest);
}

void Workload::report(v1::Report& report) const {
  v1::PutsReport& puts = *report.mutable_puts();
  puts.set_operation(state_->spec.operation == v1::Puts::GET ? "get" : "put");
  puts.set_source(state_->spec.source);
  puts.set_streams(static_cast<int32_t>(state_->streams()));
  for (size_t i = 0; i < state_->sizes.size(); ++i) {
    const State::Size& size = state_->sizes[i];
    if (size.count == 0) continue;
    v1::PutsResult& result = *puts.add_results();
    result.set_bytes(static_cast<uint64_t>(state_->spec.sizes[i].count));
    result.set_count(size.count);
    result.set_mean_latency_seconds(size.sum.seconds() / static_cast<double>(size.count));
    result.set_min_latency_seconds(size.least.seconds());
    result.set_max_latency_seconds(size.most.seconds());
    const double bytes = static_cast<double>(state_->spec.sizes[i].count) * static_cast<double>(size.count);
    result.set_bytes_per_second(bytes / (size.last_arrival - size.first_start).seconds());
  }
}

double Workload::done() const {
  const double all = static_cast<double>(state_->sizes.size()) * static_cast<double>(state_->streams()) *
                     static_cast<double>(state_->spec.count);
  return static_cast<double>(state_->arrived.get()) / all;
}

}  // namespace fabrictwin::puts
