// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace that a test holds in memory.
#pragma once

#include <memory>
#include <utility>

#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin {

/// The events of a program; one of them can be made an error.
class ProgramSource final : public trace::format::Source {
 public:
  explicit ProgramSource(Program program) : program_(std::make_shared<const Program>(std::move(program))) {
    info_.ranks = static_cast<uint32_t>(program_->size());
    info_.application = "test";
  }
  void fail_at(uint32_t rank, size_t event) { failure_ = {rank, event}; }

  const trace::format::Info& info() const override { return info_; }
  std::unique_ptr<trace::format::EventSource> rank(uint32_t rank) const override {
    const bool fails = failure_.first == rank;
    return std::make_unique<Events>(program_, rank, fails ? failure_.second : ~size_t{0});
  }

 private:
  class Events final : public trace::format::EventSource {
   public:
    Events(std::shared_ptr<const Program> program, uint32_t rank, size_t failure)
        : program_(std::move(program)), rank_(rank), failure_(failure) {}
    absl::StatusOr<bool> next(trace::format::Event& event) override {
      if (at_ == failure_) return absl::DataLossError("broken");
      if (at_ == (*program_)[rank_].size()) return false;
      event = (*program_)[rank_][at_++];
      return true;
    }

   private:
    std::shared_ptr<const Program> program_;
    uint32_t rank_;
    size_t failure_;
    size_t at_ = 0;
  };

  std::shared_ptr<const Program> program_;
  trace::format::Info info_;
  std::pair<uint32_t, size_t> failure_{~0u, 0};
};

/// All events of a trace.
inline Program program_of(const trace::format::Source& trace) {
  Program program(trace.ranks());
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const std::unique_ptr<trace::format::EventSource> events = trace.rank(rank);
    trace::format::Event event;
    while (true) {
      const absl::StatusOr<bool> more = events->next(event);
      EXPECT_TRUE(more.ok()) << more.status();
      if (!more.ok() || !*more) break;
      program[rank].push_back(event);
    }
  }
  return program;
}

}  // namespace fabrictwin
