// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A team of threads that executes a sequence of steps with a barrier after each.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cosim/engine/waiting.h"
#include "cosim/link/doorbell.h"

namespace fabrictwin::engine {

/// A team of threads that work in steps: all of them do a step, and the last one to finish decides whether there is
/// another. Waiters spin, then sleep; the more often spinning was fruitless, the sooner they sleep. So the team is fast
/// if each thread has a core, and yields the cores if others want them (docs/decisions/steps-without-yield.md). One
/// thread owns the team and calls run(), in which it takes part as thread 0; the others wait between its calls.
class LockStep {
 public:
  /// Does one step; all threads call it concurrently, each with its own number.
  using Work = std::function<void(int)>;
  /// Decides whether there is another step. Called by one thread while no other is in `Work`, after all their effects
  /// have become visible.
  using Decision = std::function<bool()>;
  /// An exception that escaped from the work or the decision.
  struct Failure {
    static constexpr int kDecision = -1;  ///< The value of `thread` if the decision threw.
    int thread = 0;                       ///< The number of the thread, the lowest if there are several, or kDecision.
    std::string what;                     ///< What the exception says.
  };

  /// `threads` is at least 1. The threads start at once, so they do not inherit a later pinning of the owner to a core.
  LockStep(int threads, Work work, Decision decision);
  ~LockStep();
  LockStep(const LockStep&) = delete;
  LockStep& operator=(const LockStep&) = delete;

  /// Asks for a decision, then does steps until the decision is that there are no more. If work or decision throws,
  /// that step is the last one; the failure is kept, and later calls return it without running anything.
  const std::optional<Failure>& run();

 private:
  void serve(int index);
  void step(int index);
  bool decide();
  /// Makes the call, and stores the exception if it throws one.
  template <typename Call>
  void guard(int index, Call call);
  /// Returns when step_ is no longer `seen` or, if `run` is set, when the run has ended. Polls `spins` times before it
  /// sleeps, and adapts `spins` for the next wait.
  void wait(uint32_t seen, bool run, int& spins);
  int most_spins() const { return Waiting::of(crowded_).spins; }
  bool over(uint32_t seen, bool run) const {
    return step_.load(std::memory_order_acquire) != seen || (run && ended_.load(std::memory_order_acquire));
  }

  int threads_;
  Work work_;
  Decision decision_;
  bool crowded_;  ///< True if there are more threads than cores.
  int spins_;     ///< The owner's spin budget.
  std::vector<std::jthread> others_;
  alignas(64) std::atomic<uint32_t> step_{0};  ///< The step that all are to do.
  std::atomic<bool> ended_{true};              ///< True when the run has ended and there is no step to do.
  std::atomic<bool> closing_{false};
  alignas(64) std::atomic<int> ready_{0};  ///< The number of threads that have done the step.
  link::Doorbell bell_;
  std::mutex failure_mutex_;
  std::optional<Failure> failure_;  ///< Read between two steps, hence without the mutex.
};

}  // namespace fabrictwin::engine
