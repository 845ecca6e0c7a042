// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What makes a list of flows, for a workload of their own or for one of several jobs.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <any>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/source_location.h"
#include "fabrictwin/v1/job.pb.h"
#include "models/host/workload_kind.h"
#include "workloads/flows/flow.h"

namespace fabrictwin::flows {

/// The hosts between which flows are made.
struct FlowSite {
  int32_t hosts = 0;  ///< Flows number them from 0.
  int64_t rate = 0;   ///< Of the link of a host, in bits per second.
  uint64_t seed = 0;
  bool transport = false;                 ///< Hosts have a transport.
  bool endless = false;                   ///< A flow may have neither bytes nor a stop: the run does not wait for it.
  experiment::SourceLocation location{};  ///< Of what the flows are part of, for mistakes.
};

/// One kind of flows. Its message is a field of v1::Workload, for flows on all hosts, and of v1::Job, for flows on
/// some. Implementations derive from FlowKindOf, are immutable and thread-safe.
class FlowKind : public host::WorkloadKind {
 public:
  virtual v1::Job::KindCase job() const = 0;
  /// The name of its fields: "incast".
  std::string name() const { return v1::Job::descriptor()->FindFieldByNumber(job())->name(); }

  /// Makes checked values of its message. Paths in it are replaced by paths that can be opened. Mistakes become
  /// diagnostics, and the result can be used nevertheless.
  virtual std::any check_flows(google::protobuf::Message& message, const experiment::FileChecker& files,
                               const experiment::MessageReader& reader) const = 0;
  /// The checked values in words.
  virtual std::string flows_text(const std::any& spec) const = 0;
  /// The flows. Errors (InvalidArgument, NotFound) are diagnostics at the field that is wrong, at `site.location` or in
  /// a file.
  virtual absl::StatusOr<FlowList> list(const std::any& spec, const FlowSite& site) const = 0;

  void check(experiment::Experiment& experiment, const experiment::FileChecker& files,
             experiment::FieldChecker& fields) const final;
  std::string text(const experiment::Experiment& experiment) const final;
  absl::StatusOr<std::unique_ptr<host::Workload>> make(const experiment::Experiment& experiment,
                                                       const system::SystemGraph& graph) const final;
};

/// The kind whose message, of type Message, is field kWorkload of v1::Workload and field kJob of v1::Job. Spec has its
/// checked values.
template <v1::Workload::KindCase kWorkload, v1::Job::KindCase kJob, typename Message, typename Spec>
class FlowKindOf : public FlowKind {
 public:
  v1::Workload::KindCase kind() const final { return kWorkload; }
  v1::Job::KindCase job() const final { return kJob; }

  std::any check_flows(google::protobuf::Message& message, const experiment::FileChecker& files,
                       const experiment::MessageReader& reader) const final {
    return check(static_cast<Message&>(message), files, reader);
  }
  std::string flows_text(const std::any& spec) const final { return text(std::any_cast<const Spec&>(spec)); }
  absl::StatusOr<FlowList> list(const std::any& spec, const FlowSite& site) const final {
    return list(std::any_cast<const Spec&>(spec), site);
  }

 private:
  using FlowKind::check;
  using FlowKind::text;
  /// These are as those of FlowKind.
  virtual Spec check(Message& message, const experiment::FileChecker& files,
                     const experiment::MessageReader& reader) const = 0;
  virtual std::string text(const Spec& spec) const = 0;
  virtual absl::StatusOr<FlowList> list(const Spec& spec, const FlowSite& site) const = 0;
};

/// An error at a source location.
absl::Status wrong_flows(const experiment::SourceLocation& location, const std::string& message);

}  // namespace fabrictwin::flows
