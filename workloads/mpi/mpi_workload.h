// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Replay of a recorded MPI run as a workload.
#pragma once

#include <memory>
#include <vector>

#include "cosim/run/experiment.h"
#include "models/workload.h"
#include "workloads/mpi/rank_engine.h"
#include "workloads/trace/trace_reader.h"

namespace fabrictwin {

/// Puts rank i of a trace on host i.
class MpiWorkload final : public Workload {
 public:
  /// `reader` must be check_replayable() and have no more ranks than the system has hosts.
  MpiWorkload(std::shared_ptr<const TraceReader> reader, const MpiTraceSpec& spec, const HostSpec& host);

  absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;
  std::vector<std::string> waits() const override;

 private:
  std::shared_ptr<const TraceReader> reader_;
  MpiTraceSpec spec_;
  HostSpec host_;
  std::vector<std::shared_ptr<const RankEngine>> engines_;
};

}  // namespace fabrictwin
