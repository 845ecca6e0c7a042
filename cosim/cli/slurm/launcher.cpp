// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/launcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cosim/base/text.h"

namespace fabrictwin::cli::slurm {
namespace {

std::string tasks_text(size_t count) { return fmt::format("{} task{}", count, count == 1 ? "" : "s"); }

/// A result may show a while after its task has ended, on a file system of another machine; so a task counts as lost
/// when there is none at this many looks in succession.
constexpr int kLooks = 2;

/// Why a task that Slurm has ended in this state is not run again; empty if it should be.
std::string_view final_reason(std::string_view state) {
  if (state == "CANCELLED") return "its task was cancelled";
  if (state == "TIMEOUT" || state == "DEADLINE")
    return "its task was ended by its limit of time; give it more (--slurm-option=--time=...)";
  if (state == "OUT_OF_MEMORY") return "its task ran out of memory; give it more (--slurm-option=--mem=...)";
  return {};
}

/// Whether a task that waits for this reason goes on by itself.
bool is_usual(std::string_view reason) {
  static constexpr std::array<std::string_view, 6> kUsual{"None",      "Resources",  "Priority",
                                                          "BeginTime", "Dependency", "JobArrayTaskLimit"};
  return reason.empty() || std::ranges::find(kUsual, reason) != kUsual.end();
}

}  // namespace

Launcher::Launcher(StudyFolder& folder, LauncherOptions options, Wait wait, Ended ended)
    : folder_(folder),
      options_(std::move(options)),
      wait_(std::move(wait)),
      ended_(std::move(ended)),
      queue_(folder.job_name(), folder.study().points.size()),
      points_(folder.study().points.size()) {}

absl::Status Launcher::run(const std::stop_token& stop) {
  std::map<size_t, study::point::Outcome> there = folder_.take_results();
  if (!there.empty()) spdlog::info("{} of {} results are in {} already", there.size(), points_.size(), folder_.path());
  take(std::move(there));
  absl::Status status = attach();
  while (status.ok() && count(State::kEnded) < points_.size() && !stop.stop_requested()) {
    status = submit_missing();
    if (!status.ok()) break;
    wait_(stop);
    if (!stop.stop_requested()) look();
  }
  if (status.ok() && stop.stop_requested()) tell_how_to_return();
  return status;
}

absl::Status Launcher::attach() {
  if (count(State::kEnded) == points_.size()) return absl::OkStatus();
  const absl::StatusOr<std::vector<QueuedTask>> tasks = queue_.tasks();
  if (!tasks.ok()) return tasks.status();
  for (const QueuedTask& task : *tasks) {
    Point& point = points_[task.point];
    // Tasks that have ended without a result are run again: whoever calls this anew wants that.
    if (task.ended() || point.state == State::kEnded) continue;
    point = {State::kSubmitted, std::max(point.job, task.job), 1, 0};
  }
  if (const size_t found = count(State::kSubmitted); found > 0) {
    accepted_ = true;
    spdlog::info("following {} in the queue of Slurm: job {}", tasks_text(found), fmt::join(jobs(), ", "));
  }
  return absl::OkStatus();
}

absl::Status Launcher::submit_missing() {
  if (count(State::kSubmitted) >= refused_at_) return absl::OkStatus();
  std::vector<size_t> block;
  for (size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].state == State::kMissing) block.push_back(i);
    const bool last = i + 1 == points_.size() || (i + 1) % kBlock == 0;
    if (!last || block.empty()) continue;
    if (absl::Status status = submit_block(std::move(block)); !status.ok()) return status;
    block.clear();
    // What was refused would be refused again.
    if (refused_at_ != SIZE_MAX) return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::Status Launcher::submit_block(std::vector<size_t> points) {
  Submission submission;
  submission.folder = folder_.path();
  submission.at_a_time = options_.at_a_time;
  submission.options = options_.sbatch;
  // The limit is one of each job, so that jobs have to follow each other.
  const std::set<int64_t> before = jobs();
  if (options_.at_a_time > 0) submission.after.assign(before.begin(), before.end());
  submission.points = std::move(points);
  const absl::StatusOr<int64_t> job = queue_.submit(submission);
  if (!job.ok()) return handle_refusal(submission.points, job.status());
  accepted_ = true;
  refused_at_ = SIZE_MAX;
  for (const size_t index : submission.points) {
    Point& point = points_[index];
    point = {State::kSubmitted, *job, point.submissions + 1, 0};
  }
  spdlog::info("job {} of Slurm has {}; results and logs are in {}", *job, tasks_text(submission.points.size()),
               folder_.path());
  return absl::OkStatus();
}

absl::Status Launcher::handle_refusal(const std::vector<size_t>& points, const absl::Status& refusal) {
  // Nothing was ever submitted: the user has to change something.
  if (!accepted_) return refusal;
  spdlog::warn("{}", message_of(refusal));
  refused_at_ = count(State::kSubmitted);
  if (refused_at_ > 0) {
    spdlog::warn("{} points wait until tasks have ended", points.size());
    return absl::OkStatus();
  }
  refused_at_ = SIZE_MAX;
  for (const size_t index : points) {
    if (points_[index].submissions++ >= options_.retries) fail(index, message_of(refusal));
  }
  return absl::OkStatus();
}

void Launcher::look() {
  // In this order: whatever the queue says has ended before the results are read has left its result.
  const absl::StatusOr<std::vector<QueuedTask>> tasks = queue_.tasks();
  take(folder_.take_results());
  if (!tasks.ok()) {
    if (told_.emplace(message_of(tasks.status())).second)
      spdlog::warn("{}; asking again until it does", message_of(tasks.status()));
    return;
  }
  std::map<std::pair<int64_t, size_t>, const QueuedTask*> known;
  for (const QueuedTask& task : *tasks) known[{task.job, task.point}] = &task;
  for (size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].state != State::kSubmitted) continue;
    const auto found = known.find({points_[i].job, i});
    judge(i, found == known.end() ? nullptr : found->second);
  }
}

void Launcher::judge(size_t index, const QueuedTask* task) {
  Point& point = points_[index];
  if (task != nullptr && !task->ended()) {
    point.looks_without_result = 0;
    tell_reason(*task);
    return;
  }
  if (++point.looks_without_result < kLooks) return;
  const std::string state = task == nullptr ? "not in the queue any more" : task->state;
  if (const std::string_view reason = final_reason(state); !reason.empty()) return fail(index, reason);
  if (point.submissions > options_.retries) {
    return fail(index, fmt::format("its task has ended without a result {} time{}, the last one as {} ({})",
                                   point.submissions, point.submissions == 1 ? "" : "s", task_name(index), state));
  }
  spdlog::warn("{}: its task {} has ended without a result ({}) and is submitted again, {} of {} times",
               folder_.study().points[index].name, task_name(index), state, point.submissions, options_.retries);
  point.state = State::kMissing;
}

void Launcher::take(std::map<size_t, study::point::Outcome> outcomes) {
  for (auto& [index, outcome] : outcomes) {
    // A task that was given up may have been slow only.
    if (points_[index].state != State::kEnded) end(index, std::move(outcome));
  }
}

void Launcher::end(size_t index, study::point::Outcome outcome) {
  points_[index].state = State::kEnded;
  ended_(index, std::move(outcome));
}

void Launcher::fail(size_t index, std::string_view why) {
  study::point::Outcome outcome;
  const int64_t job = points_[index].job;
  outcome.status = absl::UnavailableError(
      job == 0 ? std::string(why) : fmt::format("{}; its log is {}", why, folder_.log_file(job, index)));
  end(index, std::move(outcome));
}

void Launcher::tell_reason(const QueuedTask& task) {
  if (task.state != "PENDING" || is_usual(task.reason) || !told_.insert(task.reason).second) return;
  spdlog::warn("tasks wait in the queue of Slurm: {}", task.reason);
}

void Launcher::tell_how_to_return() const {
  const std::set<int64_t> left = jobs();
  if (left.empty()) return;
  spdlog::warn(
      "the tasks go on in Slurm; the same command with --slurm-dir {} follows them again, and this ends them: scancel "
      "{}",
      folder_.path(), fmt::join(left, " "));
}

std::string Launcher::task_name(size_t index) const { return fmt::format("{}_{}", points_[index].job, index % kBlock); }

std::set<int64_t> Launcher::jobs() const {
  std::set<int64_t> jobs;
  for (const Point& point : points_) {
    if (point.state == State::kSubmitted) jobs.insert(point.job);
  }
  return jobs;
}

size_t Launcher::count(State state) const {
  return static_cast<size_t>(std::ranges::count(points_, state, &Point::state));
}

}  // namespace fabrictwin::cli::slurm
