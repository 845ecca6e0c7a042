// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What can run on the ranks of a job: its message, what it says in an experiment, and the programs of its ranks.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/experiment.h"
#include "models/host/workload.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::mpi {

/// How the events of a job are replayed.
struct JobCosts {
  double compute_scale = 1.0;  ///< The factor of computation.
  Bytes eager_limit;           ///< The longest message that is sent eagerly.
};

/// One kind of job. Its message is a field of v1::Workload, for a job on its own, and of v1::Job. Implementations
/// derive from JobKindOf, are immutable and thread-safe.
class JobKind {
 public:
  /// The hosts of `ranks` ranks of a job, called `name` in messages.
  using HostsOf = std::function<absl::StatusOr<std::vector<int32_t>>(int32_t ranks, const std::string& name)>;

  virtual ~JobKind() = default;

  virtual v1::Workload::KindCase workload() const = 0;
  virtual v1::Job::KindCase job() const = 0;
  /// The name of its fields there: "mpi_trace".
  std::string name() const { return v1::Job::descriptor()->FindFieldByNumber(job())->name(); }
  /// The field of its message that decides how many ranks there are.
  virtual std::string_view ranks_field() const { return "ranks"; }
  /// The field of its message at which later mistakes are located if an argument gave it. Empty if there is none.
  virtual std::string_view main_field() const { return {}; }
  /// Whether it says itself what its ranks move through memory while they compute, also if they share that of a host.
  virtual bool shares_memory() const { return false; }

  /// Makes checked values of its message. Paths in it are replaced by paths that can be opened. Mistakes become
  /// diagnostics, and the result can be used nevertheless.
  virtual std::any check(google::protobuf::Message& message, const experiment::FileChecker& files,
                         const experiment::MessageReader& reader) const = 0;
  /// The checked values in words, for `fabrictwin describe`.
  virtual std::string text(const std::any& spec, const experiment::HostSpec& host) const = 0;
  /// Adds to the text of a report what it has of such a job.
  virtual void add_results(const v1::JobReport& /*job*/, std::string& /*text*/) const {}
  /// The programs of its ranks, of which at most `space` fit. Errors (InvalidArgument, NotFound, Unimplemented,
  /// DataLoss): a trace with calls that cannot be replayed (each by name, rank and event) or with receives without a
  /// send; a problem that the application cannot divide in this way.
  virtual absl::StatusOr<std::unique_ptr<JobProgram>> make(const std::any& spec, const experiment::HostSpec& host,
                                                           int64_t space) const = 0;
  virtual JobCosts costs(const std::any& /*spec*/, const experiment::HostSpec& host) const {
    return {1.0, host.eager_limit};
  }

  /// Whether it uses network interfaces itself instead of MPI, as only a job on its own may.
  virtual bool bare(const std::any& /*spec*/) const { return false; }
  /// The workload of such a job. Errors of hosts_of() are returned as they are; others are located by `at_job`.
  virtual absl::StatusOr<std::unique_ptr<host::Workload>> make_bare(
      const std::any& /*spec*/, const HostsOf& /*hosts_of*/,
      const std::function<absl::Status(const absl::Status&)>& at_job) const {
    return at_job(absl::UnimplementedError("this job runs on ranks of MPI"));
  }
};

/// The kind whose message, of type Message, is field kWorkload of v1::Workload and field kJob of v1::Job. Spec has its
/// checked values.
template <v1::Workload::KindCase kWorkload, v1::Job::KindCase kJob, typename Message, typename Spec>
class JobKindOf : public JobKind {
 public:
  v1::Workload::KindCase workload() const final { return kWorkload; }
  v1::Job::KindCase job() const final { return kJob; }

  std::any check(google::protobuf::Message& message, const experiment::FileChecker& files,
                 const experiment::MessageReader& reader) const final {
    return check(static_cast<Message&>(message), files, reader);
  }
  std::string text(const std::any& spec, const experiment::HostSpec& host) const final { return text(of(spec), host); }
  absl::StatusOr<std::unique_ptr<JobProgram>> make(const std::any& spec, const experiment::HostSpec& host,
                                                   int64_t space) const final {
    return make(of(spec), host, space);
  }

 protected:
  static const Spec& of(const std::any& spec) { return std::any_cast<const Spec&>(spec); }

 private:
  /// These are as those of JobKind.
  virtual Spec check(Message& message, const experiment::FileChecker& files,
                     const experiment::MessageReader& reader) const = 0;
  virtual std::string text(const Spec& spec, const experiment::HostSpec& host) const = 0;
  virtual absl::StatusOr<std::unique_ptr<JobProgram>> make(const Spec& spec, const experiment::HostSpec& host,
                                                           int64_t space) const = 0;
};

}  // namespace fabrictwin::mpi
