// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/repeating_program.h"

#include <utility>

#include "fmt/format.h"

namespace fabrictwin::mpi {

absl::StatusOr<bool> RepeatingProgram::next(Time now, trace::format::Event& event) {
  if (!program_) {
    absl::StatusOr<std::unique_ptr<RankProgram>> program = job_.program->make_rank(rank_);
    if (!program.ok()) return program.status();
    program_ = *std::move(program);
    begun_ = now;
  }
  const absl::StatusOr<bool> more = next_of_program(now, event);
  if (!more.ok() || *more) return more;
  event = trace::format::Event();
  if (!communicators_.empty()) {
    event.action = v1::COMM_FREE;
    event.count = *communicators_.begin();
    communicators_.erase(communicators_.begin());
    return true;
  }
  if (absl::Status status = end_round(now); !status.ok()) return status;
  event.action = v1::BARRIER;
  return true;
}

absl::StatusOr<bool> RepeatingProgram::next_of_program(Time now, trace::format::Event& event) {
  const absl::StatusOr<bool> more = program_->next(now, event);
  if (!more.ok() || !*more) return more;
  if (event.action == v1::COMM_CREATE) communicators_.insert(event.count);
  if (event.action == v1::COMM_FREE) communicators_.erase(event.count);
  return true;
}

absl::Status RepeatingProgram::end_round(Time now) {
  if (now == begun_) {
    return absl::InvalidArgumentError(
        fmt::format("rank {} of the background job {} ended at {}, when it began: it would do so for ever; leave "
                    "background out, or give it something to do",
                    rank_, job_.name, to_string(now)));
  }
  program_.reset();
  if (++job_.ended < job_.here) return absl::OkStatus();
  job_.ended = 0;
  ++job_.completions;
  job_.finish_before = job_.finish;
  job_.finish = now;
  return on_round_(now);
}

}  // namespace fabrictwin::mpi
