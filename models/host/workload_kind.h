// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a workload is to an experiment: its message, what it says there, and what makes it.
#pragma once

#include <google/protobuf/descriptor.h>

#include <any>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/workload.h"

namespace fabrictwin::host {

/// One kind of workload. Implementations are immutable and thread-safe; most derive from WorkloadKindOf.
class WorkloadKind : public experiment::WorkloadCheck {
 public:
  /// The workload in words, for `fabrictwin describe`.
  virtual std::string text(const experiment::Experiment& experiment) const = 0;
  /// Makes the workload on the hosts of `graph`; it keeps what it needs of both arguments. Errors (InvalidArgument,
  /// NotFound, Unimplemented, DataLoss) are diagnostics with their location.
  virtual absl::StatusOr<std::unique_ptr<Workload>> make(const experiment::Experiment& experiment,
                                                         const system::SystemGraph& graph) const = 0;
  /// Adds to the text of a report what it has of such workloads, whatever kind that of the report is. A kind of several
  /// that measure the same tells of it.
  virtual void add_results(const v1::Report& /*report*/, std::string& /*text*/) const {}
  /// What runs before it, each on its own: mostly nothing.
  virtual std::vector<experiment::Experiment> baselines(const experiment::Experiment& /*experiment*/) const {
    return {};
  }
  /// Adds to the report of the run what those of its baselines, in their order, tell of it.
  virtual void add_baselines(const experiment::Experiment& /*experiment*/, std::span<const v1::Report> /*baselines*/,
                             v1::Report& /*report*/) const {}
};

/// The kind whose message is field kKind of v1::Workload, of type Message. Spec has its checked values.
template <v1::Workload::KindCase kKind, typename Message, typename Spec>
class WorkloadKindOf : public WorkloadKind {
 public:
  v1::Workload::KindCase kind() const final { return kKind; }

  void check(experiment::Experiment& experiment, const experiment::FileChecker& files,
             experiment::FieldChecker& fields) const final {
    v1::Workload& workload = *experiment.message.mutable_workload();
    const auto* field = workload.GetDescriptor()->FindFieldByNumber(kKind);
    auto& message = static_cast<Message&>(*workload.GetReflection()->MutableMessage(&workload, field));
    const experiment::MessageReader reader(message, "workload." + field->name(), fields);
    Spec spec = check(message, experiment, files, reader);
    experiment.workload_traits = traits(spec);
    experiment.workload_spec = std::move(spec);
  }
  std::string text(const experiment::Experiment& experiment) const final {
    return text(*experiment.workload_as<Spec>(), experiment);
  }
  absl::StatusOr<std::unique_ptr<Workload>> make(const experiment::Experiment& experiment,
                                                 const system::SystemGraph& graph) const final {
    return make(*experiment.workload_as<Spec>(), experiment, graph);
  }

 protected:
  /// An error of the same kind as `error`, at the workload of the experiment.
  static absl::Status at_workload(const experiment::Experiment& experiment, const absl::Status& error) {
    return absl::Status(error.code(), experiment::format_diagnostic(experiment.workload_location, message_of(error)));
  }

 private:
  /// Makes checked values of the message; see WorkloadCheck::check().
  virtual Spec check(Message& message, experiment::Experiment& experiment, const experiment::FileChecker& files,
                     const experiment::MessageReader& reader) const = 0;
  virtual experiment::WorkloadTraits traits(const Spec& /*spec*/) const { return {}; }
  virtual std::string text(const Spec& spec, const experiment::Experiment& experiment) const = 0;
  virtual absl::StatusOr<std::unique_ptr<Workload>> make(const Spec& spec, const experiment::Experiment& experiment,
                                                         const system::SystemGraph& graph) const = 0;
};

}  // namespace fabrictwin::host
