// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue of Slurm, by its commands sbatch and squeue.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::cli::slurm {

/// The most points that are tasks of one job: Slurm by default allows numbers of tasks up to 1000 (MaxArraySize).
inline constexpr size_t kBlock = 1000;

/// A task that Slurm knows.
struct QueuedTask {
  int64_t job = 0;
  size_t point = 0;
  std::string state;   ///< As Slurm calls it: "RUNNING".
  std::string reason;  ///< Why it waits: "Resources".

  /// True if Slurm will not run it any more.
  bool ended() const;
};

/// Points that become the tasks of one job.
struct Submission {
  std::vector<size_t> points;        ///< In rising order, all of one block.
  std::string folder;                ///< Where the script task.sh is, and logs/.
  int at_a_time = 0;                 ///< Tasks at the same time; 0: as Slurm likes.
  std::vector<int64_t> after;        ///< Jobs that have to end before.
  std::vector<std::string> options;  ///< More options of sbatch.
};

/// How long a command of Slurm may take; it waits for the controller itself, some minutes in the worst case.
inline constexpr std::chrono::milliseconds kPatience{300'000};

/// The jobs of one study. They are known by their names, so that a launcher finds those that another one has submitted.
class Queue {
 public:
  /// `name` tells the study from all others; it begins the names of its jobs. The study has `points` points.
  Queue(std::string name, size_t points, std::chrono::milliseconds patience = kPatience);

  /// FailedPrecondition, with what to do, if this machine does not have the commands of Slurm.
  static absl::Status check_commands();

  /// Submits a job and returns its number. FailedPrecondition with the words of sbatch if it refuses, Unavailable if it
  /// does not reach Slurm, or does not know, Cancelled if a stop is requested. Slurm may have the job in spite of each
  /// of these errors: tasks() tells.
  absl::StatusOr<int64_t> submit(const Submission& submission, const std::stop_token& stop = {}) const;

  /// All tasks of the study that Slurm knows; it forgets those that have ended after some minutes. Unavailable if Slurm
  /// does not answer, Cancelled if a stop is requested.
  absl::StatusOr<std::vector<QueuedTask>> tasks(const std::stop_token& stop = {}) const;

  /// The names of all its jobs, with commas between them.
  std::string names() const;

 private:
  std::string name_of_block(size_t block) const;

  std::string name_;
  size_t points_;
  std::chrono::milliseconds patience_;
};

/// The value of --array for these numbers, in rising order: "0-5,7".
std::string array_ranges(const std::vector<size_t>& numbers);

}  // namespace fabrictwin::cli::slurm
