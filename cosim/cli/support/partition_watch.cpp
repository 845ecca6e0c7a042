// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/partition_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fabrictwin::cli::support {
namespace {

constexpr std::chrono::steady_clock::duration kLookStep = std::chrono::milliseconds(10);
/// A message to each process, of which some hundreds of bytes travel; intervals of a page are seldom shorter.
constexpr std::chrono::steady_clock::duration kAskStep = std::chrono::milliseconds(100);
/// Pauses are at least so many times as long as a look at many partitions takes, or an answer of all processes.
constexpr int kLeastPause = 50;

}  // namespace

PartitionWatch::PartitionWatch(std::function<run::RunLook()> look, std::function<run::RunLook()> ask)
    : look_(std::move(look)), ask_(std::move(ask)), thread_([this] { watch(); }) {}

PartitionWatch::~PartitionWatch() { end(); }

void PartitionWatch::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void PartitionWatch::watch() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  auto pause = kLookStep;
  Clock::time_point next_ask = Clock::now();
  while (!wake_.wait_for(lock, pause, [this] { return end_; })) {
    const Clock::time_point before = Clock::now();
    const bool asks = before >= next_ask;
    const run::RunLook look = asks ? ask_() : look_();
    timeline_.add(look);
    // The metrics of a run may be served for long after its end.
    if (look.ended) return;
    const Clock::time_point now = Clock::now();
    if (!asks) pause = std::max(kLookStep, kLeastPause * (now - before));
    // Before the simulation begins nobody is asked.
    if (asks && !look.partitions.empty()) next_ask = now + std::max(kAskStep, kLeastPause * (now - before));
  }
}

v1::PartitionTimeline PartitionWatch::finish(const system::Plan& plan) {
  end();
  timeline_.add(ask_());
  return timeline_.timeline(plan);
}

}  // namespace fabrictwin::cli::support
