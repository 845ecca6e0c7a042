// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the points of a study as tasks of Slurm: submits them, follows them, and submits those again that were lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cosim/cli/slurm/queue.h"
#include "cosim/cli/slurm/study_folder.h"
#include "cosim/study/point/outcome.h"

namespace fabrictwin::cli::slurm {

struct LauncherOptions {
  std::vector<std::string> sbatch;  ///< More options of sbatch.
  int at_a_time = 0;                ///< Tasks at the same time; 0: as Slurm likes.
  int retries = 2;                  ///< How often a task that was lost is submitted again.
};

/// The tasks of one study. What it knows of them is in Slurm and in the folder, so that it can be ended at any time and
/// another one goes on. Used by one thread.
class Launcher {
 public:
  /// Waits until it is time to look again.
  using Wait = std::function<void(const std::stop_token&)>;
  /// Takes the outcome of a point, each point once.
  using Ended = std::function<void(size_t point, study::point::Outcome outcome)>;

  /// The folder must outlive this.
  Launcher(StudyFolder& folder, LauncherOptions options, Wait wait, Ended ended);

  /// Takes results that are there, follows tasks that another launcher has submitted, submits all others, and returns
  /// when each point has its outcome or a stop is requested; tasks then go on, and the log says how to find them
  /// again. Points whose runs have failed before are run again. A point whose task was lost for good, or was ended by
  /// somebody, has the outcome Unavailable. FailedPrecondition with the words of sbatch if it refuses the first job,
  /// Unavailable if Slurm does not answer at first.
  absl::Status run(const std::stop_token& stop);

  /// Whether Slurm has had tasks of this study, or may have them, so that the folder has to stay.
  bool may_have_tasks() const { return may_have_tasks_; }

 private:
  enum class State : uint8_t { kMissing, kSubmitted, kEnded };
  struct Point {
    State state = State::kMissing;
    int64_t job = 0;
    int submissions = 0;
    int looks_without_result = 0;  ///< Since Slurm has said that its task has ended.
    std::string ended_as;          ///< How Slurm has said that its task has ended; it forgets that.
  };

  void take_first();
  absl::Status attach();
  absl::Status submit_missing();
  absl::Status submit_block(std::vector<size_t> points);
  absl::Status handle_failure(std::vector<size_t> points, const absl::Status& failure);
  absl::Status handle_refusal(const std::vector<size_t>& points, const absl::Status& refusal);
  absl::StatusOr<std::vector<QueuedTask>> ask();
  size_t adopt(const std::vector<QueuedTask>& tasks);
  void look();
  void judge(size_t index, const QueuedTask* task);
  void take(std::map<size_t, study::point::Outcome> outcomes);
  void end(size_t index, study::point::Outcome outcome);
  void give_up(size_t index, const std::string& state);
  void fail(size_t index, std::string_view why);
  void tell_reason(const QueuedTask& task);
  void tell_trouble(const absl::Status& trouble);
  void tell_how_to_return() const;
  std::string task_name(size_t index) const;
  std::set<int64_t> jobs() const;
  size_t count(State state) const;

  StudyFolder& folder_;
  const LauncherOptions options_;
  const Wait wait_;
  const Ended ended_;
  const Queue queue_;
  std::vector<Point> points_;
  std::stop_token stop_;
  bool accepted_ = false;  ///< Whether tasks were found or submitted.
  bool may_have_tasks_;
  bool answers_ = true;  ///< Whether Slurm has answered the last time.
  /// Whether there may be tasks that are not known here: nothing is submitted until the queue has told.
  bool unsure_;
  size_t most_ = kBlock;  ///< The most points of a job, as far as sbatch has refused more.
  /// The tasks that there were when sbatch last refused one; it is asked again when there are fewer.
  size_t refused_at_ = SIZE_MAX;
  std::set<std::string> told_;  ///< What tasks wait for, as far as it was told.
};

}  // namespace fabrictwin::cli::slurm
