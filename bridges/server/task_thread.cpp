// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/server/task_thread.h"

namespace fabrictwin::bridges::server {

TaskThread::TaskThread() : thread_([this] { main(); }) {}

TaskThread::~TaskThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TaskThread::call(const std::function<void()>& task) {
  const std::lock_guard turn(turn_);
  std::unique_lock lock(mutex_);
  task_ = &task;
  changed_.notify_all();
  changed_.wait(lock, [this] { return task_ == nullptr; });
}

void TaskThread::main() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return task_ != nullptr || ending_; });
    if (task_ == nullptr) return;
    lock.unlock();
    (*task_)();
    lock.lock();
    task_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace fabrictwin::bridges::server
