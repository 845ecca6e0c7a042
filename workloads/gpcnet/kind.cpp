// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// GPCNeT in an experiment: docs/models/gpcnet.md.
#include <fmt/format.h>

#include <any>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/host/workload_kind.h"
#include "workloads/gpcnet/results_text.h"
#include "workloads/gpcnet/samples.h"
#include "workloads/gpcnet/spec.h"
#include "workloads/gpcnet/workload.h"
#include "workloads/mpi/job_layout.h"

namespace fabrictwin::gpcnet {
namespace {

using experiment::MessageReader;

constexpr int32_t kMostIterations = 1'000'000;
constexpr int32_t kMostOrders = 10'000;
constexpr int32_t kMostOutstanding = 1024;

Bytes check_size(const MessageReader& reader, std::string_view name) {
  const auto bytes = reader.quantity<Bytes>(name, parse_bytes);
  if (bytes.count > 0) return experiment::check_message_size(reader.path_of(name), bytes, reader.fields());
  reader.complain(name, fmt::format("{} 0: nothing would be sent; write a size such as \"4KiB\"", name));
  return Bytes{1};
}

class GpcnetKind final : public host::WorkloadKindOf<v1::Workload::kGpcnet, v1::Gpcnet, GpcnetSpec> {
 public:
  std::vector<experiment::Experiment> baselines(const experiment::Experiment& experiment) const override {
    GpcnetSpec spec = *experiment.workload_as<GpcnetSpec>();
    if (spec.isolated) return {};
    spec.isolated = true;
    experiment::Experiment isolated = experiment;
    // Other places read the message.
    isolated.message.mutable_workload()->mutable_gpcnet()->set_isolated(true);
    isolated.workload_traits = traits(spec);
    isolated.workload_spec = spec;
    return {std::move(isolated)};
  }
  void add_baselines(const experiment::Experiment& /*experiment*/, std::span<const v1::Report> baselines,
                     v1::Report& report) const override {
    const auto rows_in = [](const v1::Report& from) {
      return std::vector<v1::GpcnetRow>(from.gpcnet().rows().begin(), from.gpcnet().rows().end());
    };
    std::vector<v1::GpcnetRow> rows = rows_in(report);
    compare_rows(rows_in(baselines.front()), rows);
    report.mutable_gpcnet()->mutable_rows()->Assign(rows.begin(), rows.end());
  }

 private:
  GpcnetSpec check(v1::Gpcnet& message, experiment::Experiment& /*experiment*/,
                   const experiment::FileChecker& /*files*/, const MessageReader& reader) const override {
    GpcnetSpec spec;
    spec.ranks_per_host = reader.number("ranks_per_host", 1, mpi::JobLayout::kMaxSlots);
    spec.congestors = message.has_congestors() ? message.congestors() : reader.default_real("congestors");
    if (!(spec.congestors > 0 && spec.congestors < 1)) {
      reader.complain("congestors",
                      fmt::format("congestors {}: write the share of the hosts that are congestors, above 0 and below "
                                  "1; the tool has 0.8",
                                  spec.congestors));
      spec.congestors = reader.default_real("congestors");
    }
    spec.orders = reader.number("orders", 1, kMostOrders);
    spec.iterations = reader.number("iterations", 1, kMostIterations);
    spec.warmup = message.has_warmup() ? message.warmup() : reader.default_number("warmup");
    if (spec.warmup < 0 || spec.warmup > kMostIterations)
      reader.complain("warmup", fmt::format("warmup {}: write 0 to {}", spec.warmup, kMostIterations));
    spec.latency_bytes = check_size(reader, "latency_bytes");
    spec.bandwidth_bytes = check_size(reader, "bandwidth_bytes");
    spec.congestor_bytes = check_size(reader, "congestor_bytes");
    spec.outstanding = reader.number("outstanding", 1, kMostOutstanding);
    spec.isolated = message.isolated();
    return spec;
  }
  experiment::WorkloadTraits traits(const GpcnetSpec& spec) const override {
    return {.ranks = true, .flows = true, .background = !spec.isolated};
  }
  void add_results(const v1::Report& report, std::string& text) const override { gpcnet::add_results(report, text); }
  std::string text(const GpcnetSpec& spec, const experiment::Experiment& /*experiment*/) const override {
    return fmt::format("GPCNeT, {} ranks on a host, {} % of the hosts congestors, {} orders of {} iterations",
                       spec.ranks_per_host, 100 * spec.congestors, spec.orders, spec.iterations);
  }
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const GpcnetSpec& spec, const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const override {
    return Workload::create(spec, experiment, graph);
  }
};

}  // namespace

const host::WorkloadKind& gpcnet() {
  static const GpcnetKind kind;
  return kind;
}

}  // namespace fabrictwin::gpcnet
