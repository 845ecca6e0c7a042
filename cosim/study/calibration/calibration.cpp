// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/calibration.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "cosim/base/version.h"
#include "cosim/study/calibration/parameter_fit.h"
#include "cosim/study/calibration/validation.h"
#include "models/nic/exanet/node_timing.h"
#include "models/partition/model_partition.h"
#include "models/topology/exanest/exanest.h"
#include "workloads/probe/workload.h"

namespace fabrictwin::study::calibration {
namespace {

/// The time between probes, far more than one takes, so that each is alone in the network.
constexpr Time kSpacing = Time::from_us(100);
/// An additional shift of each probe, so that probes begin at different phases of the clocks.
constexpr int64_t kPhaseFs = 1'237'000;
/// The number of boards in a ring, enough for a path over two links.
constexpr int32_t kBoards = 4;

/// Messages over links of a board and between boards, one and two of them: each size alone, then two of it at once.
std::vector<probe::Probe> make_probes() {
  constexpr std::pair<int32_t, int32_t> kPaths[] = {{0, 1}, {1, 0}, {1, 2}, {0, 4}, {1, 5},
                                                    {1, 4}, {0, 5}, {0, 8}, {2, 11}};
  constexpr uint64_t kSizes[] = {0, 0, 8, 16, 24, 32, 33, 64, 100, 224, 512, 1000, 4096, 16384};
  constexpr uint64_t kPairs[] = {0, 32, 224};
  std::vector<probe::Probe> probes;
  int64_t number = 0;
  const auto next_start = [&] {
    ++number;
    return Time::from_fs((kSpacing.fs() + kPhaseFs) * number);
  };
  for (const auto& [source, destination] : kPaths) {
    for (const uint64_t bytes : kSizes) probes.push_back({source, destination, bytes, next_start()});
    for (const uint64_t bytes : kPairs) {
      const Time start = next_start();
      for (int i = 0; i < 2; ++i) probes.push_back({source, destination, bytes, start});
    }
  }
  return probes;
}

/// The registry of all parts, with the probes instead of the experiment's workload.
run::Registry probe_parts(run::Registry registry, const std::vector<probe::Probe>& probes) {
  registry.model = [probes](const run::PartitionContext& context) {
    return partition::ModelPartition::create(
        context,
        [&probes](const experiment::Experiment&, const system::SystemGraph&)
            -> absl::StatusOr<std::unique_ptr<host::Workload>> { return std::make_unique<probe::Workload>(probes); });
  };
  return registry;
}

/// The experiment reduced to one blade.
experiment::Experiment blade_of(const experiment::Experiment& experiment) {
  experiment::Experiment blade = with_models_only(experiment);
  auto spec = blade.topology_as<topology::exanest::ExanestSpec>();
  spec.blades = 1;
  spec.qfdbs = kBoards;
  blade.topology_spec = spec;
  v1::Exanest& message = *blade.message.mutable_topology()->mutable_exanest();
  message.set_blades(1);
  message.set_qfdbs(kBoards);
  blade.calibration.reset();
  blade.stop_after = Time::never();
  return blade;
}

experiment::Experiment in_rtl(experiment::Experiment experiment) {
  experiment::UseSpec use;
  use.select = "qfdb[*].*";
  use.implementation = v1::RTL;
  use.place = "inproc";
  experiment.uses.push_back(std::move(use));
  return experiment;
}

v1::ModelCalibration with_values(const std::vector<int32_t>& values) {
  v1::ModelCalibration calibration;
  const auto parameters = nic::exanet::node_timing_parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    v1::CalibratedParameter& parameter = *calibration.add_parameter();
    parameter.set_name(parameters[i].name);
    parameter.set_unit(parameters[i].unit);
    parameter.set_value(values[i]);
  }
  return calibration;
}

/// The latencies of all probes, in femtoseconds.
absl::StatusOr<std::vector<double>> measure(const Runner& runner, const experiment::Experiment& experiment,
                                            const run::Registry& registry, size_t probes,
                                            const RunToEndOptions& options) {
  observe::MessageLog log(probes);
  const absl::StatusOr<v1::Report> report = runner.run_to_end(experiment, registry, options, &log);
  if (!report.ok()) return report.status();
  std::vector<double> latencies;
  for (const observe::LoggedMessage& message : log.messages())
    latencies.push_back(static_cast<double>((message.arrived - message.sent).fs()));
  return latencies;
}

void set_error(const std::vector<double>& reference, const std::vector<double>& model, v1::CalibrationError& error) {
  double relative = 0;
  double worst = 0;
  double squares = 0;
  int32_t exact = 0;
  for (size_t i = 0; i < reference.size(); ++i) {
    const double difference = model[i] - reference[i];
    relative += std::abs(difference) / reference[i];
    worst = std::max(worst, std::abs(difference) / reference[i]);
    squares += difference * difference;
    if (difference == 0) ++exact;
  }
  const auto count = static_cast<double>(reference.size());
  error.set_probes(static_cast<int32_t>(reference.size()));
  error.set_exact(exact);
  error.set_mean_relative(relative / count);
  error.set_max_relative(worst);
  error.set_rms_seconds(std::sqrt(squares / count) * 1e-15);
}

}  // namespace

absl::StatusOr<v1::ModelCalibration> calibrate(const experiment::Experiment& experiment, const Runner& runner,
                                               const RunToEndOptions& options) {
  if (!experiment.topology_traits.nodes) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.topology_location,
        "--calibrate fits the models of ExaNeSt nodes; routers of a torus keep step with their RTL and have nothing to "
        "fit; write topology { exanest { } }"));
  }
  const std::vector<probe::Probe> probes = make_probes();
  const run::Registry registry = probe_parts(runner.parts, probes);
  const experiment::Experiment blade = blade_of(experiment);
  const auto reference = measure(runner, in_rtl(blade), registry, probes.size(), options);
  if (!reference.ok()) return reference.status();
  const auto before = measure(runner, blade, registry, probes.size(), options);
  if (!before.ok()) return before.status();

  // The runs are silent, because there are hundreds of short ones.
  RunToEndOptions silent = options;
  silent.quiet = true;
  const auto model = [&](const std::vector<int32_t>& values) {
    experiment::Experiment calibrated = blade;
    calibrated.calibration = with_values(values);
    return measure(runner, calibrated, registry, probes.size(), silent);
  };
  std::vector<FitParameter> parameters;
  nic::exanet::NodeTiming fallback;
  for (const nic::exanet::NodeTimingParameter& parameter : nic::exanet::node_timing_parameters()) {
    // Accesses either take time or not. In a calibration they do, so a fallback below the least value is raised.
    const int32_t value = std::max(parameter.field(fallback), parameter.least);
    parameters.push_back(
        {parameter.name, value, parameter.start, parameter.least, parameter.most, parameter.step, parameter.measured});
  }
  const auto fitted = ParameterFit(std::move(parameters), *reference, model).run();
  if (!fitted.ok()) return fitted.status();

  std::vector<int32_t> values;
  for (const FittedParameter& parameter : *fitted) values.push_back(parameter.value);
  const auto after = model(values);
  if (!after.ok()) return after.status();
  v1::ModelCalibration calibration = with_values(values);
  calibration.set_version(kVersion);
  calibration.set_topology(fmt::format("exanest 1x{}", kBoards));
  for (size_t i = 0; i < fitted->size(); ++i) {
    v1::CalibratedParameter& parameter = *calibration.mutable_parameter(static_cast<int>(i));
    parameter.set_identified((*fitted)[i].identified);
    parameter.set_standard_error((*fitted)[i].standard_error);
    parameter.set_note((*fitted)[i].note);
  }
  set_error(*reference, *before, *calibration.mutable_before());
  set_error(*reference, *after, *calibration.mutable_residual());
  for (size_t i = 0; i < probes.size(); ++i) {
    v1::CalibrationProbe& probe = *calibration.add_probe();
    probe.set_source(probes[i].source);
    probe.set_destination(probes[i].destination);
    probe.set_bytes(probes[i].bytes);
    probe.set_reference_fs(static_cast<int64_t>((*reference)[i]));
    probe.set_model_fs(static_cast<int64_t>((*after)[i]));
  }
  return calibration;
}

std::string calibration_file(const v1::ModelCalibration& calibration) {
  v1::ModelCalibration parameters = calibration;
  parameters.clear_probe();
  std::string text;
  google::protobuf::TextFormat::PrintToString(parameters, &text);
  return "# Written by `fabrictwin validate --calibrate`; used by the field `calibration` of an experiment.\n" + text;
}

}  // namespace fabrictwin::study::calibration
