// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The exchange in an experiment: docs/experiment-file.md.
#include <cstdint>
#include <memory>
#include <string>

#include "fmt/format.h"
#include "models/host/workload_kind.h"
#include "workloads/exchange/spec.h"
#include "workloads/exchange/workload.h"

namespace fabrictwin::exchange {
namespace {

constexpr int32_t kMaxIterations = 1'000'000;

class Exchange final : public host::WorkloadKindOf<v1::Workload::kExchange, v1::Exchange, ExchangeSpec> {
  ExchangeSpec check(v1::Exchange& /*message*/, experiment::Experiment& /*experiment*/,
                     const experiment::FileChecker& /*files*/, const experiment::MessageReader& reader) const override {
    return {reader.message_size("bytes"), reader.message_size("allreduce"),
            reader.number("iterations", 1, kMaxIterations)};
  }
  std::string text(const ExchangeSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    return fmt::format("exchange of {} with all neighbours, allreduce of {}, {} times", to_string(spec.bytes),
                       to_string(spec.allreduce), spec.iterations);
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const ExchangeSpec& spec,
                                                       const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const override {
    const int32_t hosts = graph.host_count();
    int64_t points = 1;
    for (const int32_t size : graph.dims) points *= size;
    if (hosts < 2 || graph.dims.empty() || points != hosts) {
      return at_workload(experiment,
                         absl::InvalidArgumentError(fmt::format(
                             "an exchange needs at least two hosts, one at each point of a lattice, and {} is no such "
                             "system; write topology {{ torus {{ ... }} }}, or another workload",
                             graph.topology)));
    }
    return std::make_unique<Workload>(spec, graph.dims, hosts);
  }
};

}  // namespace

const host::WorkloadKind& exchange() {
  static const Exchange kind;
  return kind;
}

}  // namespace fabrictwin::exchange
