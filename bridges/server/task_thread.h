// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that does one thing after another for others.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace fabrictwin {

/// Everything of a worker that touches partitions happens on one such thread, because the SystemC kernel belongs to one
/// thread. Thread-safe.
class TaskThread {
 public:
  TaskThread();
  /// Waits for the task that runs.
  ~TaskThread();

  /// Runs `task` on the thread and returns when it is done. One caller after another.
  void call(const std::function<void()>& task);

 private:
  void main();

  std::mutex turn_;  ///< Held by the caller whose task runs.
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace fabrictwin
