// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks at partitions from outside: viewers, and what partitions wait for.
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "cosim/engine/executor.h"
#include "cosim/engine/executor_state.h"
#include "fmt/format.h"

namespace fabrictwin::engine {
namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

// A thread that simulates one partition again and again hardly ever releases it, so it is asked to.
bool Executor::look(int32_t local, std::chrono::milliseconds patience,
                    absl::FunctionRef<void(const Partition&)> viewer) {
  constexpr auto kBetween = std::chrono::microseconds(20);
  State& state = *states_[local];
  const auto end = SteadyClock::now() + patience;
  state.wanted.store(true, std::memory_order_relaxed);
  bool claimed = !state.claimed.exchange(true, std::memory_order_acquire);
  while (!claimed && SteadyClock::now() < end) {
    std::this_thread::sleep_for(kBetween);
    claimed = !state.claimed.exchange(true, std::memory_order_acquire);
  }
  const absl::Cleanup leave = [&] {
    if (claimed) state.claimed.store(false, std::memory_order_release);
    state.wanted.store(false, std::memory_order_relaxed);
    self_.ring();
  };
  if (claimed) viewer(*state.local->partition);
  return claimed;
}

std::vector<std::string> Executor::describe_waits(bool channels) {
  std::vector<std::string> lines;
  for (const auto& state : states_) {
    const LocalPartition& local = *state->local;
    // A thread that has claimed the partition is simulating it and does not wait for others; a viewer releases it soon.
    bool claimed = !state->claimed.exchange(true, std::memory_order_acquire);
    while (!claimed && state->wanted.load(std::memory_order_relaxed)) {
      std::this_thread::yield();
      claimed = !state->claimed.exchange(true, std::memory_order_acquire);
    }
    if (!claimed) continue;
    const Time now = state->until;
    for (const link::ChannelSender* sender : local.senders) {
      if (channels && sender->blocked()) {
        lines.push_back(fmt::format("{} at {} waits for space in the full channel {}", local.name, to_string(now),
                                    sender->spec().name));
      }
    }
    for (const link::ChannelReceiver* receiver : local.receivers) {
      if (channels && receiver->horizon() <= now) {
        lines.push_back(fmt::format("{} at {} waits for {}, which promises nothing before {}", local.name,
                                    to_string(now), receiver->spec().name, to_string(receiver->horizon())));
      }
    }
    for (std::string& line : local.partition->waits()) lines.push_back(std::move(line));
    state->claimed.store(false, std::memory_order_release);
  }
  return lines;
}

}  // namespace fabrictwin::engine
