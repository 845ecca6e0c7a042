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
#include "workloads/trace/format/reader.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::mpi {

/// A program whose events do not depend on time. Events are read as ranks need them.
class SourceProgram final : public JobProgram {
 public:
  explicit SourceProgram(std::shared_ptr<const trace::format::Source> source) : source_(std::move(source)) {}
  /// For a trace file, which states the number of its events.
  explicit SourceProgram(const std::shared_ptr<const trace::format::Reader>& reader);

  std::string name() const override { return source_->name(); }
  int32_t ranks() const override { return static_cast<int32_t>(source_->ranks()); }
  absl::StatusOr<std::unique_ptr<RankProgram>> make_rank(int32_t rank) override;
  uint64_t events(int32_t rank) const override;
  uint64_t usual_events() const override;
  bool independent_ranks() const override { return true; }

 private:
  std::shared_ptr<const trace::format::Source> source_;
  std::shared_ptr<const trace::format::Reader> reader_;  ///< May be null.
};

}  // namespace fabrictwin::mpi
