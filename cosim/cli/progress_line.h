// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The progress line: how far a run is, how fast it goes and when it will end.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "cosim/run/run.h"

namespace fabrictwin {

/// "1.234 ms simulated | 12.3 us/s | 45 % | ETA 1:05 | slowest router[1]". Rate and ETA are left out as long as they
/// are not known.
std::string format_progress(const RunProgress& progress, double wall_seconds);

/// Shows progress on stderr from a thread of its own until it is destroyed: one line that is rewritten on a terminal,
/// whole lines at most every 2 s elsewhere.
class ProgressLine {
 public:
  /// `sample` is called from the thread.
  ProgressLine(std::function<RunProgress()> sample, std::FILE* stream, bool terminal);
  /// Wipes the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show();

  std::function<RunProgress()> sample_;
  std::FILE* stream_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace fabrictwin
