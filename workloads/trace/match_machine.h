// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a trace, run in turn without time. The inside of check_matching().
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "workloads/trace/match_board.h"
#include "workloads/trace/trace_match_check.h"

namespace fabrictwin {

/// One run. Not thread-safe.
class MatchMachine {
 public:
  MatchMachine(const TraceSource& trace, const MatchCheckOptions& options);

  /// Runs until no rank can go on. Errors are those of the source.
  absl::Status run();
  /// After run(): adds what never ended, and gives out the report.
  MatchReport finish();

 private:
  struct Request {
    uint32_t id = 0;
    uint64_t event = 0;
    int32_t peer = 0;
    int32_t tag = 0;
    bool send = false;
    bool done = false;
    bool awaited = false;
  };
  struct Rank {
    std::unique_ptr<EventSource> events;
    MatchBoard board;
    std::vector<Request> requests;  ///< Oldest first.
    uint64_t next_event = 0;
    uint64_t collectives = 0;  ///< Called so far.
    uint32_t next_request = 0;
    uint32_t pending = 0;  ///< Awaited requests that are not done.
    bool in_collective = false;
    bool ready = true;  ///< In the queue.
    bool ended = false;
    std::string call;  ///< Name of the call that blocks.
  };
  struct Collective {
    TraceEvent event;  ///< As the first rank calls it.
    uint32_t first_rank = 0;
    uint64_t first_event = 0;
    uint32_t arrived = 0;
    bool root_arrived = false;
    bool differs = false;
    uint64_t sent = 0;  ///< Hashes over what each pair exchanges.
    uint64_t received = 0;
    std::vector<uint32_t> waiting;
  };

  absl::Status run_rank(uint32_t rank);
  void do_event(uint32_t rank, const TraceEvent& event);
  uint32_t start_send(uint32_t rank, int32_t peer, int32_t tag, uint64_t bytes);
  uint32_t start_receive(uint32_t rank, int32_t peer, int32_t tag, uint64_t bytes);
  void matched(const MessageEnd& send, const MessageEnd& receive);
  void complete(uint32_t rank, uint32_t request);
  void await(Rank& rank, uint32_t request);
  void await_fitting(uint32_t rank, const TraceEvent& event);
  void block(Rank& rank, const TraceEvent& event);
  void wake(uint32_t rank);
  void enter_collective(uint32_t rank, const TraceEvent& event);
  void compare_collective(uint32_t rank, const TraceEvent& event, Collective& collective);
  bool must_wait(uint32_t rank, const Collective& collective) const;
  void release(Collective& collective);

  bool blocked(const Rank& rank) const { return rank.pending > 0 || rank.in_collective; }
  void report_deadlock();
  /// A rank that `rank` waits for; its own number if there is none that it could wait for.
  uint32_t waits_for(uint32_t rank) const;
  std::string blocked_text(uint32_t rank) const;
  const Request* first_pending(const Rank& rank) const;
  void fault(FaultKind kind, std::string text);

  const MatchCheckOptions options_;
  std::vector<Rank> ranks_;
  std::deque<uint32_t> ready_;
  std::deque<Collective> collectives_;  ///< Those that not all ranks have called.
  uint64_t first_collective_ = 0;       ///< The number of collectives_[0].
  std::array<uint64_t, kFaultKinds> fault_counts_{};
  MatchReport report_;
};

}  // namespace fabrictwin
