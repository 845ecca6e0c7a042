// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One MPI rank that replays its recorded events: the protocol and the order of things, without SystemC.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cosim/base/time.h"
#include "cosim/run/counters.h"
#include "cosim/run/digest.h"
#include "models/endpoint.h"
#include "workloads/mpi/job_program.h"
#include "workloads/mpi/match_queues.h"
#include "workloads/mpi/mpi_header.h"
#include "workloads/mpi/replay_step.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Replays one rank: eager messages up to a limit, rendezvous above, MPI matching, collectives as point-to-point steps.
/// What arrives is only queued; every decision is made in decide(), so that what shares a time cannot reorder it.
/// docs/models/mpi-replay.md has the equations. Not thread-safe.
class RankEngine {
 public:
  struct Options {
    ReplayCosts costs;
    Time receive_overhead;  ///< Busy time at the completion of each receive.
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
  /// Takes the messages that the rank sends.
  using Sender = std::function<void(const OutgoingMessage&)>;

  /// `digest`, which outlives the engine, takes the user messages that the rank receives.
  RankEngine(const Options& options, std::unique_ptr<RankProgram> program, EndpointDigest* digest);

  /// A message has arrived; the last word of the message with this cookie has left.
  void on_message(const IncomingMessage& message) { arrivals_.push_back(message); }
  void on_sent(uint64_t cookie) { sent_.push_back(cookie); }

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
  /// Empty unless something is wrong.
  const std::string& failure() const { return failure_; }

 private:
  enum class RequestState : uint8_t { kFree, kStarted, kMatched, kDone };
  struct Request {
    RequestState state = RequestState::kFree;
    bool receive = false;
    bool rendezvous = false;
    MatchKey key;         ///< `source` is the other end: the destination for a send.
    uint64_t bytes = 0;   ///< Of a receive: the most that it takes.
    uint64_t copied = 0;  ///< Of a receive: bytes that came eagerly.
    uint64_t event = 0;
    v1::TraceAction action = v1::INIT;
  };

  void take_sent();
  void take_arrivals();
  void take_arrival(const IncomingMessage& message);
  void take_body(const IncomingMessage& message, const MpiHeader& header);
  bool in_order(int32_t source, const MpiHeader& header);
  void arrive(const MatchQueues::Message& message);
  void match(uint32_t request, const MatchQueues::Message& message);

  void run();
  bool run_step(const ReplayStep& step);
  bool run_waits();
  bool next_event();
  void begin_event(TraceEvent event);
  void start_send(const ReplayStep& step);
  void start_receive(const ReplayStep& step);
  bool wait_for(const ReplayStep& step);
  void wait_all(bool sends_only);
  void transmit(int32_t destination, const MpiHeader& header, uint64_t body, uint64_t cookie);

  uint32_t new_request(const ReplayStep& step, bool receive);
  void keep(uint32_t request, const ReplayStep& step);
  void complete(uint32_t request) { requests_[request].state = RequestState::kDone; }
  void fail(const std::string& reason);

  static uint64_t flow_key(int32_t peer, uint32_t sequence) {
    return uint64_t{static_cast<uint32_t>(peer)} << 32 | sequence;
  }

  Options options_;
  std::unique_ptr<RankProgram> program_;
  EndpointDigest* digest_;
  const Sender* send_ = nullptr;  ///< During decide().
  Time now_;
  Time busy_until_;
  std::vector<IncomingMessage> arrivals_;
  std::vector<uint64_t> sent_;

  TraceEvent event_;
  uint32_t collectives_ = 0;  ///< Begun so far.
  std::vector<ReplayStep> steps_;
  size_t step_ = 0;
  std::vector<uint32_t> outstanding_;  ///< Requests of isend and irecv, oldest first.
  std::vector<uint32_t> started_;      ///< Requests of this event that kWaitStarted will wait for.
  std::vector<uint32_t> waiting_;      ///< Requests that are waited for, in this order from `waited_` on.
  size_t waited_ = 0;

  std::vector<Request> requests_;
  std::vector<uint32_t> free_requests_;
  MatchQueues queues_;
  absl::flat_hash_map<int32_t, uint32_t> sent_sequence_;
  absl::flat_hash_map<int32_t, uint32_t> received_sequence_;
  absl::flat_hash_map<uint64_t, uint32_t> announced_;  ///< Sends that wait for a CTS, by flow_key().
  absl::flat_hash_map<uint64_t, uint32_t> cleared_;    ///< Receives that wait for data, by flow_key().

  Totals totals_;
  bool finished_ = false;
  Time finish_time_;
  std::string failure_;
};

}  // namespace fabrictwin
