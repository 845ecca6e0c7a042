// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/doorbell.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Longer than any wait for a core, and only waited for where nobody wakes a sleeper.
constexpr std::chrono::seconds kLong(30);

// The kernel's letter for what a thread of this process does; 'S' is sleep.
char state_of(pid_t thread) {
  std::ifstream file(fmt::format("/proc/self/task/{}/stat", thread));
  std::string text;
  std::getline(file, text);
  const size_t name_end = text.rfind(')');
  return name_end + 2 < text.size() ? text[name_end + 2] : '?';
}

/// A thread that has gone to sleep on the doorbell, and says how long that took.
class Sleeper {
 public:
  explicit Sleeper(link::Doorbell& bell) : thread_([this, &bell] { sleep(bell); }) {
    while (!over_.load() && (id_.load() == 0 || state_of(id_.load()) != 'S')) std::this_thread::yield();
  }
  SteadyClock::duration slept() {
    thread_.join();
    return slept_;
  }

 private:
  void sleep(link::Doorbell& bell) {
    const uint32_t ticket = bell.prepare();
    const auto begin = SteadyClock::now();
    id_.store(gettid());
    bell.sleep(ticket, kLong);
    slept_ = SteadyClock::now() - begin;
    bell.done();
    over_.store(true);
  }

  std::atomic<bool> over_{false};
  std::atomic<pid_t> id_{0};
  SteadyClock::duration slept_{};
  std::thread thread_;
};

TEST(Doorbell, WakesWhoSleeps) {
  link::Doorbell bell;
  Sleeper first(bell);
  Sleeper second(bell);
  bell.ring();
  EXPECT_LT(first.slept(), kLong);
  EXPECT_LT(second.slept(), kLong);
}

TEST(Doorbell, ARingBeforeTheSleepIsNotLost) {
  link::Doorbell bell;
  const uint32_t ticket = bell.prepare();
  bell.ring();
  const auto begin = SteadyClock::now();
  bell.sleep(ticket, kLong);
  EXPECT_LT(SteadyClock::now() - begin, kLong);
  bell.done();
}

TEST(Doorbell, NobodySleepsLongerThanIsAskedFor) {
  link::Doorbell bell;
  const uint32_t ticket = bell.prepare();
  const auto begin = SteadyClock::now();
  bell.sleep(ticket, std::chrono::milliseconds(1));
  EXPECT_LT(SteadyClock::now() - begin, kLong);
  bell.done();
}

}  // namespace
}  // namespace fabrictwin
