// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The progress line: how far a run is, how fast it goes and when it will end.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "cosim/run/run.h"

namespace fabrictwin::cli::support {

/// The progress as text: "1.234 ms simulated | 12.3 us/s | 45 % | ETA 1:05 | waits for router[1]". Rate and ETA are
/// left out until they are known.
std::string format_progress(const run::RunProgress& progress, double wall_seconds);

/// Finds the partition for which a run waited most during its last samples; a single sample says little, as partitions
/// take turns.
class WaitTally {
 public:
  /// The number of samples that are kept.
  static constexpr size_t kSamples = 20;

  /// Adds a sample; `name` is empty if the run waited for no partition.
  void add(std::string name);
  /// The most frequent name, the latest of several; empty if there is none.
  std::string most() const;

 private:
  std::deque<std::string> names_;  ///< The samples, the oldest first.
};

/// Shows progress from its own thread until it is destroyed: one line that is rewritten on a terminal, or else a line
/// at most every 2 s.
class ProgressLine {
 public:
  /// `sample` is called from the thread of the progress line.
  ProgressLine(std::function<run::RunProgress()> sample, std::FILE* stream, bool terminal);
  /// Erases the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show();

  std::function<run::RunProgress()> sample_;
  std::FILE* stream_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace fabrictwin::cli::support
