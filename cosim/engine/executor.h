// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the partitions of one process, conservatively and deterministically, on any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "cosim/engine/lookahead.h"
#include "cosim/engine/partition.h"
#include "cosim/engine/pump.h"
#include "cosim/engine/sync_table.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "cosim/link/doorbell.h"

namespace fabrictwin::engine {

/// A partition that this process simulates, with its channel ends. Everything pointed to must outlive the executor.
struct LocalPartition {
  int32_t id = 0;  ///< Row in the sync table.
  std::string name;
  Partition* partition = nullptr;
  bool first_thread_only = false;                 ///< For SystemC, whose kernel belongs to one thread.
  std::vector<link::ChannelReceiver*> receivers;  ///< In the order of table.inbound(id).
  std::vector<link::ChannelSender*> senders;      ///< In the order of table.outbound(id).
};

struct ExecutorOptions {
  int threads = 1;
  bool pin = false;            ///< Pin thread i to core i of the allowed set.
  bool idle_jump = true;       ///< Turned off only to measure what the jump saves.
  int busy_peers = 0;          ///< Threads of other processes of this run on this host; with them the machine may be
                               ///< oversubscribed, and spinning is cut short.
  Time limit = Time::never();  ///< No partition advances beyond this time.
  /// Ends the run if nothing moves for this long. Zero disables it (for workers, whose run ends with their stream).
  std::chrono::milliseconds watchdog{0};
  /// True in the process of the run, which ends when all partitions are done; a system that comes to rest before that
  /// is an error.
  bool owns_workload = true;
  /// Partitions of other processes have work of their own: with owns_workload, the run ends when those of this process
  /// are done and nothing can happen any more, or when all have reached the limit. Needs idle_jump.
  bool others_work = false;
  /// All partitions come to the end and no further: those whose foreground work is over go on as long as that of others
  /// does, and the run ends with it (see Foreground). Needs idle_jump.
  bool ends_together = false;
};

/// Wall-clock counters of one partition, readable from any thread.
struct PartitionCounters {
  link::Counter busy_ns;
  link::Counter rounds;  ///< How often it has been advanced.
  link::Counter records_in;
  link::Counter records_out;
};

/// The conservative simulation loop. Each thread claims partitions one at a time, advances them as far as their inbound
/// promises allow, and publishes their snapshots. When nothing but promises moved in a round, the bounds of Lookahead
/// jump over the idle period. Results depend neither on the number of threads nor on how they are scheduled.
class Executor {
 public:
  /// `table` and everything in `partitions` must outlive the executor. `self` wakes the threads of this process.
  /// `peers` belong to processes that share rings with this one and are rung after each step that sent something.
  /// `pump` may be nullptr.
  Executor(SyncTable& table, std::vector<LocalPartition> partitions, ExecutorOptions options, link::Doorbell& self,
           std::vector<link::Doorbell*> peers, Pump* pump);
  ~Executor();

  /// Runs until the workload has ended or the limit is reached (OK), `stop` is requested (Cancelled), or something
  /// fails: an error of a partition (Internal if it threw an exception), a channel or the pump, a system at rest
  /// (FailedPrecondition), nothing moved for the watchdog's time (DeadlineExceeded). Messages name the simulated time
  /// and which partition waits for which. May be called only once.
  absl::Status run(std::stop_token stop);

  /// Makes one pass over all partitions without waiting; true if more than promises moved. It is meant for processes
  /// with a loop of their own (workers behind gRPC) and must not be combined with run().
  absl::StatusOr<bool> run_once();

  /// Another process says that a run whose partitions end together does not end before `time`. Called between two calls
  /// of run_once().
  void raise_end(Time time) { told_end_ = std::max(told_end_, time); }

  /// The simulated time of partitions[local]. This and the next three are thread-safe, for progress lines and metrics.
  Time now(int32_t local) const;
  Time slowest_time() const;
  const PartitionCounters& counters(int32_t local) const;
  const std::vector<LocalPartition>& partitions() const { return partitions_; }

  /// Calls `viewer` with partitions[local] while no thread simulates it. Runs in the thread of the caller, which must
  /// not be one of the executor's. False, without a call of `viewer`, if the partition was busy for all of `patience`.
  bool look(int32_t local, std::chrono::milliseconds patience, absl::FunctionRef<void(const Partition&)> viewer);

 private:
  struct State;
  struct Worker;
  enum class Step : uint8_t { kNothing, kPromised, kActed };

  /// When a partition next acts, by itself or because of what has come.
  static Time next_action(const LocalPartition& local);
  static absl::Status advance(const State& state, Time until);
  absl::StatusOr<Step> step(State& state, const Lookahead& lookahead);
  absl::StatusOr<Step> round(Worker& worker);
  void find_sources(State& state) const;
  void publish(State& state);
  bool finished() const;
  /// Whether the foreground work of all partitions is over, and all that is before its end has happened.
  bool all_at_end() const;
  /// An error if all foreground work waits for ever.
  absl::Status look_for_deadlock(Worker& worker);
  /// Whether all partitions have reached the limit: those of this process, or of all if others_work.
  bool at_limit() const;
  /// Whether no partition of the system can act before the limit any more.
  bool all_act_later(const Lookahead& lookahead) const;
  /// A number that changes when the time of any partition of any process does.
  uint64_t times() const;
  /// True if this run has more threads on this host than there are cores.
  bool oversubscribed() const;
  void thread_main(int index, std::stop_token stop);
  bool wait(Worker& worker);
  void fail(absl::Status status);
  /// Which partition waits for which, one line each; without `channels`, only what the workload waits for.
  std::vector<std::string> describe_waits(bool channels);

  SyncTable& table_;
  std::vector<LocalPartition> partitions_;
  ExecutorOptions options_;
  link::Doorbell& self_;
  std::vector<link::Doorbell*> peers_;
  Pump* pump_;
  std::vector<std::unique_ptr<State>> states_;
  std::unique_ptr<Worker> single_;
  std::atomic<bool> ending_{false};
  Time told_end_;                             ///< See raise_end().
  std::atomic<bool> at_rest_{false};          ///< Nothing can happen any more.
  std::atomic<bool> others_at_limit_{false};  ///< No partition can act before the limit any more.
  std::atomic<uint64_t> activity_{0};         ///< Grows whenever anything moves, for the watchdog.
  std::mutex failure_mutex_;
  absl::Status failure_;
};

}  // namespace fabrictwin::engine
