// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/estimate.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::run {
namespace {

/// The most memory that a process has had in its own pages, in bytes; 0 if it is gone.
double peak_memory(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

/// That of this process and its children.
double peak_memory() {
  double bytes = peak_memory("self");
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    std::ifstream children(task.path() / "children");
    for (std::string pid; children >> pid;) bytes += peak_memory(pid);
  }
  return bytes;
}

/// How far a run is at some time.
struct Sample {
  double seconds = 0;
  double done = -1;
};

/// Looks at a run while it executes and stops it when the time is over.
class Timer {
 public:
  Timer(Run& run, double budget, std::stop_source stop) : run_(run), budget_(budget), stop_(std::move(stop)) {}

  void watch(std::stop_token over) {
    constexpr auto kBetween = std::chrono::milliseconds(20);
    constexpr double kPatience = 10;
    std::mutex mutex;
    std::condition_variable_any wake;
    while (!over.stop_requested()) {
      std::unique_lock lock(mutex);
      wake.wait_for(lock, over, kBetween, [] { return false; });
      const Sample sample{run_.look().wall_seconds, run_.progress().done};
      memory = std::max(memory, peak_memory());
      if (sample.seconds < budget_ / 2) continue;
      if (half.done < 0) half = sample;
      if (sample.seconds < budget_) continue;
      // Where hosts finish together, it takes long until the first one has.
      if (sample.done == 0 && sample.seconds < kPatience * budget_) continue;
      last = sample;
      stop_.request_stop();
      return;
    }
  }

  Sample half;
  Sample last;
  double memory = 0;

 private:
  Run& run_;
  double budget_;
  std::stop_source stop_;
};

}  // namespace

double extrapolate(double half_seconds, double half_done, double seconds, double done) {
  const double rate = done > half_done && seconds > half_seconds && half_done >= 0
                          ? (done - half_done) / (seconds - half_seconds)
                          : done / seconds;
  return seconds + (1 - done) / rate;
}

absl::StatusOr<Estimate> estimate(Run& run, std::chrono::milliseconds budget) {
  const auto start = std::chrono::steady_clock::now();
  std::stop_source stop;
  Timer timer(run, std::chrono::duration<double>(budget).count(), stop);
  absl::Status status;
  {
    const std::jthread thread([&timer](std::stop_token over) { timer.watch(std::move(over)); });
    status = run.execute(stop.get_token());
  }
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double memory = std::max(timer.memory, peak_memory());
  if (status.ok()) return Estimate{elapsed, memory, run.report().wall_seconds(), 1};
  if (!absl::IsCancelled(status) || !stop.stop_requested()) return status;
  if (timer.last.done <= 0) {
    return absl::FailedPreconditionError(
        timer.last.done < 0
            ? "the workload does not say how far it is; write stop { after_simulated: } to bound the run"
            : fmt::format("nothing of the workload was done in {:.1f} s of wall-clock time", timer.last.seconds));
  }
  const double setup = std::max(0.0, elapsed - timer.last.seconds);
  const double wall = extrapolate(timer.half.seconds, timer.half.done, timer.last.seconds, timer.last.done);
  return Estimate{setup + wall, memory, timer.last.seconds, timer.last.done};
}

}  // namespace fabrictwin::run
