// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/queue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/slurm/program.h"

namespace fabrictwin::cli::slurm {
namespace {

/// What a command said when it failed, on one line.
std::string words_of(const ProgramResult& result) {
  std::vector<std::string_view> words;
  for (std::string_view line : split(result.err, "\n")) {
    static constexpr std::string_view kError = ": error: ";
    // "sbatch: error: " is said by whoever prints this.
    if (const size_t error = line.find(kError); error != std::string_view::npos)
      line.remove_prefix(error + kError.size());
    if (line = strip(line); !line.empty()) words.push_back(line);
  }
  if (words.empty()) return fmt::format("it ended with exit code {}", result.exit_code);
  return fmt::format("{}", fmt::join(words, "; "));
}

/// Whether sbatch failed for a reason that passes by itself, as it words it; the job may have been submitted.
bool is_trouble(std::string_view words) {
  static constexpr std::array<std::string_view, 7> kTrouble{
      "timed out",          "unable to contact",           "connect failure", "connection failure",
      "connection refused", "zero bytes were transmitted", "temporarily un"};
  const std::string lower = to_lower(words);
  return std::ranges::any_of(kTrouble, [&lower](std::string_view each) { return lower.find(each) != lower.npos; });
}

/// Reads "NAME JOB NUMBER STATE REASON" of a task whose job has a name that begins with `name`.
bool parse_task(std::string_view line, std::string_view name, size_t points, QueuedTask& task) {
  std::array<std::string_view, 4> words;
  for (std::string_view& word : words) {
    const size_t end = std::min(line.find(' '), line.size());
    word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  size_t block = 0;
  size_t number = 0;
  if (!words[0].starts_with(name) || !parse_number(words[0].substr(name.size()), block)) return false;
  if (!parse_number(words[1], task.job) || !parse_number(words[2], number)) return false;
  task.point = block * kBlock + number;
  task.state = words[3];
  task.reason = strip(line);
  return task.point < points;
}

}  // namespace

bool QueuedTask::ended() const {
  // Whatever else there is, as COMPLETING, SUSPENDED or REQUEUED, may still end otherwise.
  static constexpr std::array<std::string_view, 10> kEnded{"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                                           "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                                           "REVOKED",   "TIMEOUT"};
  return std::ranges::find(kEnded, state) != kEnded.end();
}

Queue::Queue(std::string name, size_t points, std::chrono::milliseconds patience)
    : name_(std::move(name)), points_(points), patience_(patience) {}

std::string Queue::name_of_block(size_t block) const { return fmt::format("{}-{}", name_, block); }

std::string Queue::names() const {
  std::vector<std::string> names;
  for (size_t block = 0; block * kBlock < points_; ++block) names.push_back(name_of_block(block));
  return fmt::format("{}", fmt::join(names, ","));
}

absl::Status Queue::check_commands() {
  for (const char* command : {"sbatch", "squeue"}) {
    const absl::Status found = run_program({command, "--version"}).status();
    if (absl::IsNotFound(found)) {
      return absl::FailedPreconditionError(
          fmt::format("--launcher slurm: there is no {} in PATH, and tasks are submitted and followed by the commands "
                      "of Slurm; run this where they are installed, or leave --launcher out",
                      command));
    }
    if (!found.ok()) return found;
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Queue::submit(const Submission& submission, const std::stop_token& stop) const {
  const size_t block = submission.points.front() / kBlock;
  std::vector<size_t> numbers;
  for (const size_t point : submission.points) numbers.push_back(point - block * kBlock);
  std::vector<std::string> words = {"sbatch"};
  words.insert(words.end(), submission.options.begin(), submission.options.end());
  const std::string limit = submission.at_a_time > 0 ? fmt::format("%{}", submission.at_a_time) : "";
  // The last one counts of options that are there twice.
  words.insert(words.end(), {"--parsable", "--job-name=" + name_of_block(block),
                             fmt::format("--array={}{}", array_ranges(numbers), limit), "--chdir=" + submission.folder,
                             "--output=logs/%A_%a.log", "--error=logs/%A_%a.log"});
  if (!submission.after.empty())
    words.push_back(fmt::format("--dependency=afterany:{}", fmt::join(submission.after, ":")));
  words.push_back(submission.folder + "/task.sh");
  words.push_back(std::to_string(block * kBlock));
  // What the user sets for all jobs may change where they are, but neither when sbatch ends nor where logs are.
  const absl::StatusOr<ProgramResult> result =
      run_program(std::move(words), {{"SBATCH_WAIT=", "SBATCH_OUTPUT=", "SBATCH_ERROR="}, patience_}, stop);
  if (!result.ok()) return result.status();
  int64_t job = 0;
  // The number of the job; behind it may be ";" and the name of the cluster.
  const std::string_view printed = strip(result->out);
  if (result->exit_code == 0 && parse_number(printed.substr(0, printed.find(';')), job)) return job;
  const std::string said = result->exit_code == 0 ? std::string(printed) : words_of(*result);
  if (is_trouble(said)) return absl::UnavailableError(fmt::format("sbatch does not reach Slurm: {}", said));
  return absl::FailedPreconditionError(
      fmt::format("--launcher slurm: sbatch refuses the job: {}; --slurm-option changes what is asked of it", said));
}

absl::StatusOr<std::vector<QueuedTask>> Queue::tasks(const std::stop_token& stop) const {
  // A task that is not shown is taken as lost: those of hidden partitions are asked for, too, and what the user wants
  // squeue to show otherwise does not count.
  const absl::StatusOr<ProgramResult> result = run_program(
      {"squeue", "--noheader", "--all", "--states=all", "--array", "--name=" + names(), "--format=%j %F %K %T %r"},
      {{"SQUEUE_"}, patience_}, stop);
  if (!result.ok()) return result.status();
  if (result->exit_code != 0)
    return absl::UnavailableError(fmt::format("squeue does not tell of the queue: {}", words_of(*result)));
  std::vector<QueuedTask> tasks;
  for (const std::string_view line : split(result->out, "\n")) {
    QueuedTask task;
    if (parse_task(line, name_ + "-", points_, task)) tasks.push_back(std::move(task));
  }
  return tasks;
}

std::string array_ranges(const std::vector<size_t>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    text += text.empty() ? "" : ",";
    text += end == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace fabrictwin::cli::slurm
