// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/job_pool.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace fabrictwin::study {

void do_jobs(size_t count, int threads, const std::stop_token& stop, const std::function<void(size_t)>& work,
             const std::function<bool(size_t)>& here) {
  std::vector<size_t> mine;
  std::vector<size_t> anybodys;
  for (size_t job = 0; job < count; ++job) (threads > 1 && here && here(job) ? mine : anybodys).push_back(job);
  std::atomic<size_t> next{0};
  const auto serve = [&] {
    while (!stop.stop_requested()) {
      const size_t at = next.fetch_add(1);
      if (at >= anybodys.size()) return;
      work(anybodys[at]);
    }
  };
  if (threads <= 1) return serve();
  // The calling thread is one of them if it has something of its own to do.
  const size_t most = static_cast<size_t>(threads) - (mine.empty() ? 0 : 1);
  std::vector<std::jthread> pool;
  for (size_t i = 0; i < std::min(most, anybodys.size()); ++i) pool.emplace_back(serve);
  for (size_t i = 0; i < mine.size() && !stop.stop_requested(); ++i) work(mine[i]);
  if (!mine.empty()) serve();
}

}  // namespace fabrictwin::study
