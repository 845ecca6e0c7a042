// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/partition_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fabrictwin::cli::support {
namespace {

constexpr std::chrono::steady_clock::duration kLookStep = std::chrono::milliseconds(10);
/// Pauses are at least so many times as long as a look at many partitions takes.
constexpr int kLeastPause = 50;

}  // namespace

PartitionWatch::PartitionWatch(std::function<run::RunLook()> look)
    : look_(std::move(look)), thread_([this] { watch(); }) {}

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
  std::unique_lock lock(mutex_);
  auto pause = kLookStep;
  while (!wake_.wait_for(lock, pause, [this] { return end_; })) {
    const auto before = std::chrono::steady_clock::now();
    const run::RunLook look = look_();
    timeline_.add(look);
    // The metrics of a run may be served for long after its end.
    if (look.ended) return;
    pause = std::max(kLookStep, kLeastPause * (std::chrono::steady_clock::now() - before));
  }
}

v1::PartitionTimeline PartitionWatch::finish(const system::Plan& plan, const v1::Report& report) {
  end();
  timeline_.add(look_());
  return timeline_.timeline(plan, report);
}

}  // namespace fabrictwin::cli::support
