// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a trace, a file or a skeleton, as an MPI job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "workloads/mpi/job_program.h"
#include "workloads/trace/trace_reader.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// What a source of events says, whatever the time. Events are read while ranks need them.
class SourceProgram final : public JobProgram {
 public:
  explicit SourceProgram(std::shared_ptr<const TraceSource> source) : source_(std::move(source)) {}
  /// Of a trace file, which says how many events there are.
  explicit SourceProgram(const std::shared_ptr<const TraceReader>& reader);

  std::string name() const override { return source_->name(); }
  int32_t ranks() const override { return static_cast<int32_t>(source_->ranks()); }
  absl::StatusOr<std::unique_ptr<RankProgram>> make_rank(int32_t rank) override;
  uint64_t events(int32_t rank) const override;

 private:
  std::shared_ptr<const TraceSource> source_;
  std::shared_ptr<const TraceReader> reader_;  ///< May be null.
};

}  // namespace fabrictwin
