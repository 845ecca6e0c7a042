// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "cosim/cli/support/console.h"

namespace fabrictwin::cli::support {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSampleStep{100};
/// The number of samples between two lines if the output is not a terminal.
constexpr int kPlainSamples = 20;

/// A time with four digits and a unit, at least one femtosecond.
std::string short_time(double seconds) {
  constexpr const char* kUnits[] = {"s", "ms", "us", "ns", "ps"};
  size_t unit = 0;
  while (seconds < 1 && unit + 1 < std::size(kUnits) && seconds > 0) {
    seconds *= 1000;
    ++unit;
  }
  return fmt::format("{:.4g} {}", seconds, kUnits[unit]);
}

/// A duration such as "0:07" or "1:02:03".
std::string clock_text(double seconds) {
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string format_progress(const run::RunProgress& progress, double wall_seconds) {
  const double simulated = progress.simulated.is_never() ? 0 : progress.simulated.seconds();
  std::string text = fmt::format("{} simulated", short_time(simulated));
  if (wall_seconds > 0 && simulated > 0) text += fmt::format(" | {}/s", short_time(simulated / wall_seconds));
  if (progress.done >= 0) {
    text += fmt::format(" | {:.0f} %", progress.done * 100);
    if (progress.done > 0 && progress.done < 1) {
      text += fmt::format(" | ETA {}", clock_text(wall_seconds * (1 - progress.done) / progress.done));
    }
  }
  if (!progress.waited_for.empty()) text += fmt::format(" | waits for {}", progress.waited_for);
  return text;
}

void WaitTally::add(std::string name) {
  names_.push_back(std::move(name));
  if (names_.size() > kSamples) names_.pop_front();
}

std::string WaitTally::most() const {
  std::string most;
  std::ptrdiff_t times = 0;
  for (auto name = names_.rbegin(); name != names_.rend(); ++name) {
    if (name->empty()) continue;
    const std::ptrdiff_t counted = std::count(names_.begin(), names_.end(), *name);
    if (counted <= times) continue;
    times = counted;
    most = *name;
  }
  return most;
}

ProgressLine::ProgressLine(std::function<run::RunProgress()> sample, std::FILE* stream, bool terminal)
    : sample_(std::move(sample)), stream_(stream), terminal_(terminal), thread_([this] { show(); }) {}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (terminal_) tell(stream_, "\r\033[K");
}

void ProgressLine::show() {
  const SteadyClock::time_point start = SteadyClock::now();
  std::unique_lock lock(mutex_);
  WaitTally waits;
  for (int sample = 1; !wake_.wait_for(lock, kSampleStep, [this] { return end_; }); ++sample) {
    run::RunProgress progress = sample_();
    waits.add(std::move(progress.waited_for));
    if (!terminal_ && sample % kPlainSamples != 0) continue;
    progress.waited_for = waits.most();
    const std::chrono::duration<double> wall = SteadyClock::now() - start;
    const std::string text = format_progress(progress, wall.count());
    tell(stream_, terminal_ ? fmt::format("\r{}\033[K", text) : text + "\n");
  }
}

}  // namespace fabrictwin::cli::support
