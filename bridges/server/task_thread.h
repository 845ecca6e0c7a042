// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread that runs tasks of other threads one after another.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace fabrictwin::bridges::server {

/// A thread that runs tasks. A worker accesses its partitions only on one such thread, because the SystemC kernel is
/// bound to one thread. Thread-safe.
class TaskThread {
 public:
  TaskThread();
  /// Waits for the running task to end.
  ~TaskThread();

  /// Runs `task` on the thread and returns when it is done. Concurrent callers wait for each other.
  void call(const std::function<void()>& task);

 private:
  void main();

  std::mutex turn_;  ///< Held by the caller whose task is running.
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace fabrictwin::bridges::server
