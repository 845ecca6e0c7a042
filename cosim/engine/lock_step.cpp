// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/lock_step.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "cosim/base/relax.h"

namespace fabrictwin::engine {

LockStep::LockStep(int threads, Work work, Decision decision)
    : threads_(threads),
      work_(std::move(work)),
      decision_(std::move(decision)),
      crowded_(static_cast<unsigned>(threads) > std::max(1u, std::thread::hardware_concurrency())),
      spins_(most_spins()) {
  for (int index = 1; index < threads; ++index) others_.emplace_back([this, index] { serve(index); });
}

LockStep::~LockStep() {
  closing_.store(true, std::memory_order_relaxed);
  step_.fetch_add(1, std::memory_order_release);
  bell_.ring();
  others_.clear();
}

const std::optional<LockStep::Failure>& LockStep::run() {
  if (!decide()) return failure_;
  ended_.store(false, std::memory_order_relaxed);
  uint32_t seen = step_.fetch_add(1, std::memory_order_release) + 1;
  bell_.ring();
  while (true) {
    step(0);
    wait(seen, true, spins_);
    if (ended_.load(std::memory_order_acquire)) return failure_;
    ++seen;
  }
}

void LockStep::serve(int index) {
  uint32_t seen = 0;
  int spins = most_spins();
  while (true) {
    wait(seen, false, spins);
    if (closing_.load(std::memory_order_relaxed)) return;
    ++seen;
    step(index);
  }
}

template <typename Call>
void LockStep::guard(int index, Call call) {
  const auto keep = [&](std::string what) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_.has_value() || index < failure_->thread) failure_ = {index, std::move(what)};
  };
  try {
    call();
  } catch (const std::exception& error) {
    keep(error.what());
  } catch (...) {
    keep("an exception that is no std::exception");
  }
}

// Called by one thread while no other works, before the first step or between two steps.
bool LockStep::decide() {
  bool more = false;
  if (!failure_.has_value()) guard(Failure::kDecision, [&] { more = decision_(); });
  return more;
}

void LockStep::step(int index) {
  guard(index, [&] { work_(index); });
  if (ready_.fetch_add(1, std::memory_order_acq_rel) + 1 < threads_) return;
  ready_.store(0, std::memory_order_relaxed);
  if (decide()) {
    step_.fetch_add(1, std::memory_order_release);
  } else {
    ended_.store(true, std::memory_order_release);
  }
  bell_.ring();
}

// A thread that is late for long has lost its core to another one. Spinning on would keep a core from that thread, and
// yielding would give this core away for a whole time slice, while a sleeper gets it back when it is woken.
void LockStep::wait(uint32_t seen, bool run, int& spins) {
  constexpr int kLeastSpins = 32;
  for (int round = 0; round < spins; ++round) {
    if (over(seen, run)) {
      spins = std::min(2 * spins, most_spins());
      return;
    }
    relax();
  }
  spins = std::max(spins / 2, std::min(kLeastSpins, most_spins()));
  while (!over(seen, run)) {
    const uint32_t ticket = bell_.prepare();
    if (!over(seen, run)) bell_.sleep(ticket, Waiting::kSleep);
    bell_.done();
  }
}

}  // namespace fabrictwin::engine
