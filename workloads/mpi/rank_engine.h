// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One MPI rank that does what its program says: the protocol and the order of things, without SystemC.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/run/counters.h"
#include "cosim/run/digest.h"
#include "models/message.h"
#include "workloads/mpi/job_program.h"
#include "workloads/mpi/rank_protocol.h"
#include "workloads/mpi/rank_schedule.h"
#include "workloads/mpi/replay_step.h"
#include "workloads/trace/communicator_table.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Runs one rank: eager messages up to a limit, rendezvous above, MPI matching, collectives as point-to-point steps;
/// those that do not block go on beside the rank's events. What arrives is only queued; every decision is made in
/// decide(), so that what shares a time cannot reorder it. docs/models/mpi-replay.md has the equations. Not
/// thread-safe.
class RankEngine {
 public:
  struct Options {
    ReplayCosts costs;
    Time receive_overhead;  ///< Busy time at the completion of each receive.
    Time match_overhead;    ///< Busy time for each queue entry that is looked at.
    uint64_t events = 0;    ///< Events that the program will give, 0 if that is not known; for the report.
  };
  /// What the rank has done so far. Other threads may read the counters.
  struct Totals {
    Time compute;
    uint64_t messages_sent = 0;  ///< User messages given to the network, steps of collectives included.
    uint64_t bytes_sent = 0;     ///< Their bodies.
    Counter events;
    Counter ended;  ///< 1 once the rank has finished.
  };
  using Sender = RankProtocol::Sender;
  /// Takes computations that move `bytes` through the memory of the host and take `alone` without others.
  using Computer = std::function<void(Time alone, uint64_t bytes)>;

  /// `digest`, which outlives the engine, takes the user messages that the rank receives.
  RankEngine(const Options& options, std::unique_ptr<RankProgram> program, EndpointDigest* digest);

  /// A message has arrived; the last word of the message with this cookie has left.
  void on_message(const IncomingMessage& message) { protocol_.on_message(message); }
  void on_sent(uint64_t cookie) { protocol_.on_sent(cookie); }

  /// From now on computations that say what they move go to `computer`, which lasts until the last decide(), and end
  /// with on_computed(); without it they take their time alone.
  void share_memory(Computer computer) { computer_ = std::move(computer); }
  /// The computation that was given away ends at `now`; decide() of that time comes after it.
  void on_computed(Time now);

  /// Does all that can be done at `now`, which never decreases. Gives the time at which decide() must be called again
  /// even if nothing arrives, or Time::never().
  Time decide(Time now, const Sender& send);

  bool finished() const { return finished_; }
  Time finish_time() const { return finish_time_; }
  /// The last time at which something was decided.
  Time now() const { return now_; }
  const Options& options() const { return options_; }
  const Totals& totals() const { return totals_; }
  /// What the rank waits for; empty if it computes, is done or has failed.
  std::string waits_for() const;
  /// Whether it waits, and neither time nor what has come to it already makes it go on: only other ranks can.
  bool stuck() const;
  /// The rank without which this one cannot go on; nothing if it does not wait, or any rank would do.
  std::optional<int32_t> waits_for_rank() const;
  /// The event that it is in: "event 3 (recv)".
  std::string call() const;
  /// Empty unless something is wrong.
  const std::string& failure() const { return failure_; }

 private:
  void run();
  bool advance(RankSchedule& schedule);
  bool run_waits(RankSchedule& schedule);
  bool run_step(RankSchedule& schedule);
  void be_busy(RankSchedule& schedule, Time duration);
  void compute(RankSchedule& schedule, const ReplayStep& step);
  bool next_event();
  void begin_event();
  void begin_background(const Communicator& communicator);

  void start_send(RankSchedule& schedule, const ReplayStep& step);
  void start_receive(RankSchedule& schedule, const ReplayStep& step);
  bool probe(RankSchedule& schedule, const ReplayStep& step);
  bool wait_for(const ReplayStep& step);
  bool wait_for_age(uint64_t age);
  void wait_all();
  void wait_last();
  void wait_for_outstanding(size_t index);

  uint32_t new_request(RankSchedule& schedule, const ReplayStep& step, MpiRequest::Kind kind);
  void stay_outstanding(uint32_t request);
  /// The request that is waited for, of a collective the one that it waits for; null if there is none.
  const MpiRequest* blocking_request() const;
  Time next_decision() const;
  bool idle() const { return finished_ || !failure_.empty() || main_.busy_until > now_; }
  void take_failure();
  void fail(const std::string& reason);

  Options options_;
  std::unique_ptr<RankProgram> program_;
  RankProtocol protocol_;
  Computer computer_;
  Time now_;
  Time computes_since_;  ///< What was given to `computer_`.

  TraceEvent event_;
  CommunicatorTable communicators_;
  RankSchedule main_;                   ///< Of the event.
  std::list<RankSchedule> background_;  ///< Of collectives that go on beside it, oldest first.
  std::vector<uint32_t> outstanding_;   ///< Requests that an event of their own waits for, oldest first.
  uint64_t outstanding_started_ = 0;    ///< As many have been.
  std::vector<uint32_t> buffered_;      ///< Requests of buffered sends, which nobody but the rank's end waits for.

  Totals totals_;
  bool finished_ = false;
  Time finish_time_;
  std::string failure_;
};

}  // namespace fabrictwin
