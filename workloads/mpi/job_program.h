// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of an MPI job do, whether it comes from a trace, a skeleton or a benchmark.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi {

/// The calls of one rank, one by one as time proceeds. Not thread-safe.
class RankProgram {
 public:
  virtual ~RankProgram() = default;
  /// The rank's next event; false at the end. `now` is the simulated time at which the previous event ended, as
  /// MPI_Wtime would return it. Errors name the program's origin, the rank and the event.
  virtual absl::StatusOr<bool> next(Time now, trace::format::Event& event) = 0;
};

/// The programs of all ranks of a job. Programs may use what their JobProgram owns, which outlives them.
class JobProgram {
 public:
  virtual ~JobProgram() = default;
  /// Name for users: "hpcg-8.fttrace", "osu latency".
  virtual std::string name() const = 0;
  virtual int32_t ranks() const = 0;
  /// Called once for each rank that runs in this process, and again each time a background job restarts.
  virtual absl::StatusOr<std::unique_ptr<RankProgram>> make_rank(int32_t rank) = 0;
  /// Number of events of the rank; 0 if that is not known before it has run.
  virtual uint64_t events(int32_t) const { return 0; }
  /// About the number of events of a rank where events() does not know it, found by making those of some; 0 if they
  /// depend on time, or are very many. Takes as long as that.
  virtual uint64_t usual_events() const { return 0; }
  /// Whether programs of several ranks share nothing but what they have measured, so that they may be in several
  /// processes.
  virtual bool independent_ranks() const { return false; }
  /// What the ranks of this process have measured; nothing if ranks measure nothing.
  virtual void report_part(v1::JobPart&) const {}
  /// Adds what the ranks of another process have measured. DataLoss if it cannot be of this job.
  virtual absl::Status add_part(const v1::JobPart&) {
    return absl::DataLossError(name() + ": a place tells of ranks that measure nothing");
  }
  /// Adds what the programs of this process measured. Valid at any time.
  virtual void report(v1::JobReport&) const {}
};

}  // namespace fabrictwin::mpi
