// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One MPI rank that executes its program: protocol and order of events, independent of SystemC.
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
#include "cosim/link/counters.h"
#include "cosim/observe/digest.h"
#include "models/nic/message.h"
#include "workloads/mpi/job_program.h"
#include "workloads/mpi/protocol/rank_activity.h"
#include "workloads/mpi/protocol/rank_protocol.h"
#include "workloads/mpi/protocol/replay_step.h"
#include "workloads/mpi/rank_schedule.h"
#include "workloads/trace/format/communicator_table.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::mpi {

/// Runs one rank: eager messages up to a limit, rendezvous above, MPI matching, and collectives as point-to-point
/// steps; nonblocking ones run in the background. Arrivals are only queued; every decision is made in decide(), so that
/// the order of events at one time does not matter. docs/models/mpi-replay.md has the equations. Not thread-safe.
class RankEngine {
 public:
  struct Options {
    protocol::ReplayCosts costs;
    Time receive_overhead;       ///< Busy time at the completion of each receive.
    Time match_overhead;         ///< Busy time for each queue entry that is searched.
    Time limit = Time::never();  ///< The run ends then at the latest.
    uint64_t events = 0;         ///< Number of the program's events, 0 if unknown; for the report.
  };
  /// What the rank has done so far. Other threads may read the counters.
  struct Totals {
    Time compute;                ///< With the whole of a computation that goes on.
    Time software;               ///< Busy in calls of MPI, with the whole of what it is busy with now.
    uint64_t messages_sent = 0;  ///< User messages passed to the network, including steps of collectives.
    uint64_t bytes_sent = 0;     ///< Bytes of their bodies.
    link::Counter events;
    link::Counter ended;  ///< 1 once the rank has finished.
  };
  using Sender = protocol::RankProtocol::Sender;
  /// Runs computations that move `bytes` through the memory of the host and take `alone` without others.
  using Computer = std::function<void(Time alone, uint64_t bytes)>;

  /// `digest`, which outlives the engine, takes the user messages that the rank receives.
  RankEngine(const Options& options, std::unique_ptr<RankProgram> program, observe::EndpointDigest* digest);

  /// on_message(): a message has arrived. on_sent(): the last word of the message with this cookie has left.
  void on_message(const nic::IncomingMessage& message) { protocol_.on_message(message); }
  void on_sent(uint64_t cookie) { protocol_.on_sent(cookie); }

  /// From now on, computations that state the bytes that they move go to `computer`, which must live until the last
  /// decide(), and end with on_computed(). Without it they take the time that they take alone.
  void share_memory(Computer computer) { computer_ = std::move(computer); }
  /// The computation passed to the computer ends at `now`; decide() of that time comes after it.
  void on_computed(Time now);

  /// From now on, `activity` is told what the rank does; null if nobody is.
  void follow(std::unique_ptr<protocol::RankActivity> activity) {
    activity_ = std::move(activity);
    protocol_.tell(activity_.get());
  }
  const protocol::RankActivity* activity() const { return activity_.get(); }

  /// Does all that can be done at `now`, which never decreases. Returns the time at which decide() must be called again
  /// even if nothing arrives, or Time::never().
  Time decide(Time now, const Sender& send);

  bool finished() const { return finished_; }
  Time finish_time() const { return finish_time_; }
  /// The last time at which decide() was called.
  Time now() const { return now_; }
  /// Until when it has run: its end, the end of the computation that it is in, or the last time at which decide() was
  /// called; not beyond the limit.
  Time ran_until() const;
  /// How much of that it has computed.
  Time computed() const;
  /// How much of it was spent in calls of MPI with nothing to do until a message came or had left: what is neither
  /// computation nor software of MPI (overheads of calls and requests, copies, searches of queues). A rank that is
  /// blocked now has waited up to the last decide().
  Time waited() const;
  const Options& options() const { return options_; }
  const Totals& totals() const { return totals_; }
  /// What the rank waits for; empty if it computes, has finished or has failed.
  std::string waits_for() const;
  /// Whether it waits and only other ranks can make it proceed: neither time nor what has already arrived will.
  bool stuck() const;
  /// The rank that this one waits for; nothing if it does not wait, or any rank would do.
  std::optional<int32_t> waits_for_rank() const;
  /// The current event: "event 3 (recv)".
  std::string call() const;
  /// The first error; empty if there is none.
  const std::string& failure() const { return failure_; }

 private:
  void run();
  bool advance(RankSchedule& schedule);
  bool run_waits(RankSchedule& schedule);
  bool run_step(RankSchedule& schedule);
  void be_busy(RankSchedule& schedule, Time duration);
  void be_busy_in_call(RankSchedule& schedule, Time duration);
  void compute(RankSchedule& schedule, const protocol::ReplayStep& step);
  bool next_event();
  void begin_event();
  void begin_background(const trace::format::Communicator& communicator);

  void start_send(RankSchedule& schedule, const protocol::ReplayStep& step);
  void start_receive(RankSchedule& schedule, const protocol::ReplayStep& step);
  void start_reduction(RankSchedule& schedule, const protocol::ReplayStep& step);
  bool probe(RankSchedule& schedule, const protocol::ReplayStep& step);
  bool wait_for(const protocol::ReplayStep& step);
  bool wait_for_age(uint64_t age);
  void wait_all();
  void wait_last();
  void wait_for_outstanding(size_t index);

  uint32_t new_request(RankSchedule& schedule, const protocol::ReplayStep& step, protocol::MpiRequest::Kind kind);
  void stay_outstanding(uint32_t request);
  /// The request that is waited for or, for a collective, the one that the collective waits for; null if there is none.
  const protocol::MpiRequest* blocking_request() const;
  /// The end of the computation that it is in; the last time at which decide() was called if it is in none, or one
  /// whose end is not known.
  Time computes_until() const;
  /// What it does until the next decide(), as protocol::RankActivity has it.
  v1::TraceAction state() const;
  Time next_decision() const;
  bool idle() const { return finished_ || !failure_.empty() || main_.busy_until > now_; }
  void take_failure();
  void fail(const std::string& reason);

  Options options_;
  std::unique_ptr<RankProgram> program_;
  protocol::RankProtocol protocol_;
  std::unique_ptr<protocol::RankActivity> activity_;
  Computer computer_;
  Time now_;
  Time computes_since_;  ///< Start of the computation passed to `computer_`.

  trace::format::Event event_;
  trace::format::CommunicatorTable communicators_;
  RankSchedule main_;                   ///< Steps of the current event.
  std::list<RankSchedule> background_;  ///< Collectives in the background, oldest first.
  std::vector<uint32_t> outstanding_;   ///< Requests that a later event waits for, oldest first.
  uint64_t outstanding_started_ = 0;    ///< How many have been started.
  std::vector<uint32_t> buffered_;      ///< Requests of buffered sends, for which only the rank's end waits.

  Totals totals_;
  bool finished_ = false;
  Time finish_time_;
  std::string failure_;
};

}  // namespace fabrictwin::mpi
