// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/job_pool.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace fabrictwin::study {

void do_jobs(size_t count, int threads, const std::stop_token& stop, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  const auto serve = [&] {
    while (!stop.stop_requested()) {
      const size_t job = next.fetch_add(1);
      if (job >= count) return;
      work(job);
    }
  };
  if (threads <= 1) return serve();
  std::vector<std::jthread> pool;
  for (size_t i = 0; i < std::min(static_cast<size_t>(threads), count); ++i) pool.emplace_back(serve);
}

}  // namespace fabrictwin::study
