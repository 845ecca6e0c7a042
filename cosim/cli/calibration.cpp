// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/calibration.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cosim/cli/parts.h"
#include "cosim/run/version.h"
#include "models/model_partition.h"

namespace fabrictwin {
namespace {

constexpr Time kSpacing = Time::from_us(100);
/// Probes start at different phases of the clocks.
constexpr int64_t kPhaseFs = 1'237'000;

std::vector<Probe> make_probes() {
  constexpr std::pair<int32_t, int32_t> kWays[] = {{0, 1}, {1, 0}, {1, 2}, {0, 4}, {1, 5}, {1, 4}, {0, 5}, {0, 8}, {2, 11}};
  constexpr uint64_t kSizes[] = {0, 0, 8, 16, 24, 32, 33, 64, 100, 256, 512, 1000, 4096, 16384};
  std::vector<Probe> probes;
  int64_t number = 1;
  for (const auto& [source, destination] : kWays) {
    for (const uint64_t bytes : kSizes) {
      const Time start = Time::from_fs(kSpacing.fs() * number + kPhaseFs * number);
      ++number;
      probes.push_back({source, destination, bytes, start});
    }
  }
  return probes;
}

Registry probe_parts(const std::vector<Probe>& probes) {
  Registry registry = all_parts();
  registry.model = [probes](const PartitionContext& context) {
    return ModelPartition::create(
        context, [&probes](const Experiment&, const SystemGraph&) -> absl::StatusOr<std::unique_ptr<Workload>> {
          return std::make_unique<ProbeWorkload>(probes);
        });
  };
  return registry;
}

}  // namespace

absl::StatusOr<v1::ModelCalibration> calibrate(const Experiment& experiment, const ValidationRunOptions& options) {
  if (experiment.topology != v1::Topology::kExanest) {
    return absl::InvalidArgumentError(format_diagnostic(
        experiment.topology_place,
        "--calibrate fits the models of ExaNeSt nodes; those of a torus are in step with their RTL and have nothing to fit"));
  }
  Experiment machine = experiment;
  machine.uses.clear();
  machine.message.clear_use();
  machine.exanest.blades = 1;
  machine.exanest.qfdbs = 4;
  machine.message.mutable_topology()->mutable_exanest()->set_blades(1);
  machine.message.mutable_topology()->mutable_exanest()->set_qfdbs(4);
  machine.stop_after = Time::never();
  Experiment rtl = machine;
  UseSpec all;
  all.select = "qfdb[*].*";
  all.implementation = v1::RTL;
  all.place = "inproc";
  rtl.uses.push_back(all);
  const std::vector<Probe> probes = make_probes();
  const Registry registry = probe_parts(probes);
  MessageLog reference(probes.size());
  MessageLog model(probes.size());
  const auto a = run_recorded(rtl, registry, options, reference);
  if (!a.ok()) return a.status();
  const auto b = run_recorded(machine, registry, options, model);
  if (!b.ok()) return b.status();
  for (size_t i = 0; i < probes.size(); ++i) {
    const auto& m = model.messages()[i];
    const auto& r = reference.messages()[i];
    fmt::print(stderr, "{}->{} {:6}  rtl {:10.1f} model {:10.1f} diff {:8.1f}\n", m.source, m.destination, m.bytes,
               (r.arrived - r.sent).seconds() * 1e9, (m.arrived - m.sent).seconds() * 1e9,
               ((m.arrived - m.sent).seconds() - (r.arrived - r.sent).seconds()) * 1e9);
  }
  return v1::ModelCalibration();
}

}  // namespace fabrictwin
