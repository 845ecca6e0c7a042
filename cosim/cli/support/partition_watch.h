// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks at the partitions of a run while it goes on, for its page and its trace.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "cosim/run/partition_timeline.h"
#include "cosim/run/run_look.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::cli::support {

/// Looks every 10 ms from its own thread, and asks other processes with the first look and then every 100 ms; both less
/// often if they take so long that they would take a core much time, or hold up other looks. The run is not changed by
/// it.
class PartitionWatch {
 public:
  /// `look` is Run::look() and `ask` is Run::ask(), or stand for them. They are called from the thread of the watch,
  /// and `ask` at the end from that of finish().
  PartitionWatch(std::function<run::RunLook()> look, std::function<run::RunLook()> ask);
  ~PartitionWatch();
  PartitionWatch(const PartitionWatch&) = delete;
  PartitionWatch& operator=(const PartitionWatch&) = delete;

  /// Asks once more and ends; to be called when the run has ended, once. As PartitionTimeline::timeline().
  v1::PartitionTimeline finish(const system::Plan& plan);

 private:
  void watch();
  void end();

  std::function<run::RunLook()> look_;
  std::function<run::RunLook()> ask_;
  run::PartitionTimeline timeline_;  ///< Only the thread uses it until that has ended.
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace fabrictwin::cli::support
