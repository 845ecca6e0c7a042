// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/job_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace fabrictwin {
namespace {

TEST(JobPool, DoesEachJobOnce) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> done(50);
    study::do_jobs(done.size(), threads, {}, [&](size_t job) { ++done[job]; });
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
  }
}

// What may not go on side by side is done by the calling thread, one after the other.
TEST(JobPool, DoesSomeJobsHere) {
  for (const int threads : {1, 2, 4}) {
    std::vector<std::atomic<int>> done(40);
    std::atomic<int> elsewhere{0};
    std::atomic<bool> others_work{threads == 1};
    std::vector<size_t> here;
    const std::thread::id caller = std::this_thread::get_id();
    study::do_jobs(
        done.size(), threads, {},
        [&](size_t job) {
          ++done[job];
          const bool is_caller = std::this_thread::get_id() == caller;
          if (!is_caller) {
            others_work = true;
            others_work.notify_all();
          }
          if (job % 3 == 0 && is_caller) here.push_back(job);
          if (job % 3 == 0 && !is_caller) ++elsewhere;
          // The caller leaves something to do for the others.
          if (is_caller) others_work.wait(false);
        },
        [](size_t job) { return job % 3 == 0; });
    EXPECT_EQ(elsewhere, 0) << threads;
    EXPECT_EQ(here.size(), 14u) << threads;
    EXPECT_TRUE(std::is_sorted(here.begin(), here.end()));
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(JobPool, StartsNothingAfterAStop) {
  for (const bool here : {false, true}) {
    std::stop_source stop;
    std::atomic<int> done{0};
    study::do_jobs(
        100, 2, stop.get_token(),
        [&](size_t) {
          ++done;
          stop.request_stop();
        },
        [here](size_t) { return here; });
    EXPECT_GE(done, 1);
    EXPECT_LE(done, 2);
  }
}

}  // namespace
}  // namespace fabrictwin
