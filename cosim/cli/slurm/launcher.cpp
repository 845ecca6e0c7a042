// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/launcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

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

/// Whether a task that has ended so has run at all, as far as one knows, and should have left a log.
bool leaves_log(std::string_view state) {
  static constexpr std::array<std::string_view, 4> kNotRun{"BOOT_FAIL", "NODE_FAIL", "PREEMPTED", "REVOKED"};
  return std::ranges::find(kNotRun, state) == kNotRun.end();
}

/// Whether a task in this state goes on only when somebody lets it.
bool is_held(std::string_view state) {
  static constexpr std::array<std::string_view, 4> kHeld{"REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT", "STOPPED"};
  return std::ranges::find(kHeld, state) != kHeld.end();
}

/// Whether sbatch may accept a smaller job than the one that it has refused with these words: there are limits of the
/// numbers of tasks and of what one user may have in the queue.
bool is_about_size(std::string_view words) {
  static constexpr std::array<std::string_view, 3> kSize{"array", "limit", "policy"};
  const std::string lower = to_lower(words);
  return std::ranges::any_of(kSize, [&lower](std::string_view each) { return lower.find(each) != lower.npos; });
}

/// The end of a line that is too long for an error.
std::string shortened(const std::string& line) {
  static constexpr size_t kMost = 200;
  return line.size() <= kMost ? line : "..." + line.substr(line.size() - kMost);
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
      points_(folder.study().points.size()),
      may_have_tasks_(!folder.fresh()),
      unsure_(!folder.fresh()) {}

absl::Status Launcher::run(const std::stop_token& stop) {
  stop_ = stop;
  take_first();
  absl::Status status = attach();
  while (status.ok() && count(State::kEnded) < points_.size() && !stop.stop_requested()) {
    status = submit_missing();
    if (!status.ok() || stop.stop_requested()) break;
    wait_(stop);
    if (!stop.stop_requested()) look();
  }
  if (!stop.stop_requested()) return status;
  tell_how_to_return();
  return absl::OkStatus();
}

/// Takes what is in the folder already. A local run would try again what has failed, as the reason may be gone.
void Launcher::take_first() {
  std::map<size_t, study::point::Outcome> there = folder_.take_results();
  const size_t failed = std::erase_if(there, [this](const auto& each) {
    if (each.second.status.ok()) return false;
    folder_.forget(each.first);
    return true;
  });
  if (!there.empty()) spdlog::info("{} of {} results are in {} already", there.size(), points_.size(), folder_.path());
  if (failed > 0) spdlog::info("{} of {} runs have failed before and are run again", failed, points_.size());
  take(std::move(there));
}

absl::Status Launcher::attach() {
  if (count(State::kEnded) == points_.size()) return absl::OkStatus();
  const absl::StatusOr<std::vector<QueuedTask>> tasks = ask();
  if (!tasks.ok()) return tasks.status();
  adopt(*tasks);
  return absl::OkStatus();
}

/// Asks Slurm for all tasks. Whatever there is, it tells.
absl::StatusOr<std::vector<QueuedTask>> Launcher::ask() {
  absl::StatusOr<std::vector<QueuedTask>> tasks = queue_.tasks(stop_);
  if (tasks.ok()) unsure_ = false;
  return tasks;
}

/// Follows tasks of points that are missing, which another launcher has submitted, or an sbatch that has failed in
/// spite of that; the number of them.
size_t Launcher::adopt(const std::vector<QueuedTask>& tasks) {
  std::set<size_t> found;
  for (const QueuedTask& task : tasks) {
    Point& point = points_[task.point];
    const bool again = found.contains(task.point) && task.job > point.job;
    // Tasks that have ended without a result are run again: whoever calls this anew wants that.
    if (task.ended() || (point.state != State::kMissing && !again)) continue;
    point = {State::kSubmitted, task.job, again ? point.submissions : point.submissions + 1, 0, {}};
    found.insert(task.point);
  }
  if (found.empty()) return 0;
  accepted_ = true;
  may_have_tasks_ = true;
  spdlog::info("following {} in the queue of Slurm: job {}", tasks_text(found.size()), fmt::join(jobs(), ", "));
  return found.size();
}

absl::Status Launcher::submit_missing() {
  const size_t submitted = count(State::kSubmitted);
  if (unsure_ || submitted >= refused_at_) return absl::OkStatus();
  // After a refusal, as many may follow as have ended since.
  const size_t most = refused_at_ == SIZE_MAX ? most_ : std::min(most_, refused_at_ - submitted);
  std::vector<size_t> block;
  for (size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].state == State::kMissing) block.push_back(i);
    const bool last = i + 1 == points_.size() || (i + 1) % kBlock == 0;
    if (block.empty() || (!last && block.size() < most)) continue;
    if (absl::Status status = submit_block(std::move(block)); !status.ok()) return status;
    block.clear();
    // What was refused would be refused again.
    if (unsure_ || stop_.stop_requested() || refused_at_ != SIZE_MAX) return absl::OkStatus();
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
  const absl::StatusOr<int64_t> job = queue_.submit(submission, stop_);
  if (!job.ok()) return handle_failure(std::move(submission.points), job.status());
  accepted_ = true;
  may_have_tasks_ = true;
  refused_at_ = SIZE_MAX;
  for (const size_t index : submission.points) {
    Point& point = points_[index];
    point = {State::kSubmitted, *job, point.submissions + 1, 0, {}};
  }
  spdlog::info("job {} of Slurm has {}; results and logs are in {}", *job, tasks_text(submission.points.size()),
               folder_.path());
  return absl::OkStatus();
}

/// An sbatch that fails may have submitted its job, as when the answer of Slurm came too late.
absl::Status Launcher::handle_failure(std::vector<size_t> points, const absl::Status& failure) {
  const bool refused = absl::IsFailedPrecondition(failure);
  if (!refused) may_have_tasks_ = true;
  unsure_ = true;
  const absl::StatusOr<std::vector<QueuedTask>> tasks = ask();
  if (tasks.ok() && adopt(*tasks) > 0) return absl::OkStatus();
  if (!tasks.ok() || !refused) {
    // The job may still come: nothing is submitted before the next look.
    unsure_ = true;
    may_have_tasks_ = true;
    tell_trouble(failure);
    return absl::OkStatus();
  }
  // Where there are tasks already, it is their number that is too large: they have to end.
  if (points.size() == 1 || count(State::kSubmitted) > 0 || !is_about_size(message_of(failure)))
    return handle_refusal(points, failure);
  most_ = points.size() / 2;
  spdlog::warn("{}; trying it with {} at a time", message_of(failure), tasks_text(most_));
  points.resize(most_);
  return submit_block(std::move(points));
}

absl::Status Launcher::handle_refusal(const std::vector<size_t>& points, const absl::Status& refusal) {
  // Nothing was ever submitted: the user has to change something.
  if (!accepted_) return refusal;
  spdlog::warn("{}", message_of(refusal));
  refused_at_ = count(State::kSubmitted);
  if (refused_at_ > 0) {
    spdlog::warn("{} points wait until tasks have ended", count(State::kMissing));
    return absl::OkStatus();
  }
  refused_at_ = SIZE_MAX;
  most_ = kBlock;
  for (const size_t index : points) {
    if (points_[index].submissions++ >= options_.retries) fail(index, message_of(refusal));
  }
  return absl::OkStatus();
}

void Launcher::look() {
  // In this order: whatever the queue says has ended before the results are read has left its result.
  const absl::StatusOr<std::vector<QueuedTask>> tasks = ask();
  take(folder_.take_results());
  if (!tasks.ok()) return tell_trouble(tasks.status());
  if (!std::exchange(answers_, true)) spdlog::info("Slurm answers again");
  adopt(*tasks);
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
    point.ended_as.clear();
    tell_reason(*task);
    return;
  }
  if (task != nullptr) point.ended_as = task->state;
  if (++point.looks_without_result < kLooks) return;
  give_up(index, point.ended_as.empty() ? "not in the queue any more" : point.ended_as);
}

/// Submits a task again that has ended without a result, or says why not.
void Launcher::give_up(size_t index, const std::string& state) {
  Point& point = points_[index];
  if (const std::string_view reason = final_reason(state); !reason.empty()) return fail(index, reason);
  if (leaves_log(state) && absl::IsNotFound(folder_.last_words(point.job, index).status())) {
    return fail(index, fmt::format("its task {} has ended ({}) and left neither a result nor a log in {}; probably its "
                                   "node does not have this folder: name one that all nodes share (--slurm-dir)",
                                   task_name(index), state, folder_.path()));
  }
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
  std::string text(why);
  const int64_t job = points_[index].job;
  if (const auto last = folder_.last_words(job, index); last.ok()) {
    text += fmt::format("; its log is {}", folder_.log_file(job, index));
    if (!last->empty()) text += fmt::format(", which ends with \"{}\"", shortened(*last));
  }
  outcome.status = absl::UnavailableError(text);
  end(index, std::move(outcome));
}

void Launcher::tell_reason(const QueuedTask& task) {
  if (is_held(task.state)) {
    if (!told_.insert(task.state).second) return;
    spdlog::warn(
        "tasks are held in the queue of Slurm, as {}_{} ({}); scontrol release lets them go on, scancel ends "
        "them",
        task.job, task.point % kBlock, task.state);
    return;
  }
  if (task.state != "PENDING" || is_usual(task.reason) || !told_.insert(task.reason).second) return;
  spdlog::warn("tasks wait in the queue of Slurm: {}", task.reason);
}

/// Says once for each outage that Slurm does not answer.
void Launcher::tell_trouble(const absl::Status& trouble) {
  if (absl::IsCancelled(trouble) || !std::exchange(answers_, false)) return;
  spdlog::warn("{}; asking again until Slurm answers", message_of(trouble));
}

void Launcher::tell_how_to_return() const {
  const std::string again = fmt::format("the same command with --slurm-dir {}", shell_word(folder_.path()));
  if (unsure_ && may_have_tasks_) {
    spdlog::warn("tasks that there may be go on in Slurm; {} follows them, and this lists them: squeue --name={}",
                 again, queue_.names());
    return;
  }
  if (const std::set<int64_t> left = jobs(); !left.empty()) {
    spdlog::warn("the tasks go on in Slurm; {} follows them again, and this ends them: scancel {}", again,
                 fmt::join(left, " "));
  }
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
