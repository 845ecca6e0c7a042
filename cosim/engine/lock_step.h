// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that do the same steps together.
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

namespace fabrictwin {

/// A team of threads that work in steps: all of them do a step, and when the last one is ready, that one decides
/// whether there is another. Who waits spins, then sleeps, the sooner the more often spinning was for nothing: so they
/// are fast where each has a core, and leave the cores to others where those want them
/// (docs/decisions/steps-without-yield.md). One thread owns it and calls run(), in which it takes part as number 0; the
/// others wait between its calls.
class LockStep {
 public:
  /// Called with the number of the thread, by all of them at the same time.
  using Work = std::function<void(int)>;
  /// Called by one thread while no other is in `Work`, and sees all that they have done; true if there is another step.
  using Decision = std::function<bool()>;
  /// An exception that got out of work or decision.
  struct Failure {
    static constexpr int kDecision = -1;  ///< In place of a thread.
    int thread = 0;                       ///< The number of the thread, the lowest if there are several, or kDecision.
    std::string what;                     ///< What the exception says.
  };

  /// At least one thread. They start at once, so not on the core to which the owner may be pinned later.
  LockStep(int threads, Work work, Decision decision);
  ~LockStep();
  LockStep(const LockStep&) = delete;
  LockStep& operator=(const LockStep&) = delete;

  /// Asks for a decision, then does steps until there is none any more. If work or decision throws, the step is the
  /// last one, and the failure stays: nothing runs again.
  const std::optional<Failure>& run();

 private:
  void serve(int index);
  void step(int index);
  bool decide();
  /// Calls, and keeps the exception if there is one.
  template <typename Call>
  void guard(int index, Call call);
  /// Returns when step_ is no longer `seen`, or a run has ended if `run` is set. Looks so often before it sleeps, and
  /// changes that for the next time.
  void wait(uint32_t seen, bool run, int& spins);
  int most_spins() const { return Waiting::of(crowded_).spins; }
  bool over(uint32_t seen, bool run) const {
    return step_.load(std::memory_order_acquire) != seen || (run && ended_.load(std::memory_order_acquire));
  }

  int threads_;
  Work work_;
  Decision decision_;
  bool crowded_;  ///< There are more threads than cores.
  int spins_;     ///< Of the owner.
  std::vector<std::jthread> others_;
  alignas(64) std::atomic<uint32_t> step_{0};  ///< The step that all are to do.
  std::atomic<bool> ended_{true};              ///< There is no step to do: the run has ended.
  std::atomic<bool> closing_{false};
  alignas(64) std::atomic<int> ready_{0};  ///< Threads that have done the step.
  Doorbell bell_;
  std::mutex failure_mutex_;
  std::optional<Failure> failure_;  ///< Read between two steps, so without the mutex.
};

}  // namespace fabrictwin
