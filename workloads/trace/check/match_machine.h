// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the ranks of a trace in turn without time: the implementation of check_matching().
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "workloads/trace/check/match_board.h"
#include "workloads/trace/check/match_group.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/communicator_table.h"

namespace fabrictwin::trace::check {

/// One run. Not thread-safe.
class MatchMachine {
 public:
  MatchMachine(const format::Source& trace, const MatchCheckOptions& options);

  /// Runs until no rank can proceed. Errors are those of the source.
  absl::Status run();
  /// Call it after run(): adds what never ended, and returns the report.
  MatchReport finish();

 private:
  enum class RequestKind : uint8_t { kSend, kReceive, kCollective };
  struct Request {
    uint32_t id = 0;
    uint64_t event = 0;
    int32_t peer = 0;
    int32_t tag = 0;
    uint32_t communicator = 0;
    RequestKind kind = RequestKind::kSend;
    bool done = false;
    bool awaited = false;
    bool own = false;     ///< A later event waits for it.
    uint64_t number = 0;  ///< Number among those that are `own`.
    uint64_t collective = 0;
    MatchGroup* group = nullptr;  ///< The group of a collective.
  };
  struct Rank {
    explicit Rank(uint32_t rank, uint32_t ranks)
        : communicators(static_cast<int32_t>(rank), static_cast<int32_t>(ranks)) {}
    std::unique_ptr<format::EventSource> events;
    format::CommunicatorTable communicators;
    std::map<uint32_t, MatchGroup*> groups;  ///< By number of the communicators that it has made.
    /// How many it has made from each list in groups_.
    std::map<const std::deque<MatchGroup>*, uint32_t> made;
    MatchBoard board;
    std::vector<Request> requests;  ///< Oldest first.
    uint64_t next_event = 0;
    uint32_t next_request = 0;
    uint64_t own_requests = 0;
    uint32_t pending = 0;             ///< Awaited requests that have not completed.
    std::optional<MessageEnd> probe;  ///< The message that a probe waits for.
    bool ready = true;                ///< It is in the queue.
    bool ended = false;
    std::string call;  ///< Name of the call that blocks.
  };

  absl::Status run_rank(uint32_t rank);
  void do_event(uint32_t rank, const format::Event& event);
  void do_message(uint32_t rank, const format::Event& event);
  bool follow_communicators(uint32_t rank, const format::Event& event);
  Request& new_request(uint32_t rank, const format::Event& event, RequestKind kind);
  uint32_t start_send(uint32_t rank, const format::Event& event);
  uint32_t start_receive(uint32_t rank, const format::Event& event);
  void matched(const MessageEnd& send, const MessageEnd& receive);
  void complete(uint32_t rank, uint32_t request);
  void await(Rank& rank, uint32_t request);
  void await_fitting(uint32_t rank, const format::Event& event);
  void await_all(Rank& rank);
  void probe(Rank& rank, const MessageEnd& receive);
  void block(Rank& rank, const format::Event& event);
  void wake(uint32_t rank);

  MatchGroup& group_of(uint32_t rank, const format::Event& event);
  void make_group(uint32_t rank, const format::Event& event);
  uint32_t enter_collective(uint32_t rank, const format::Event& event);
  void compare_collective(uint32_t rank, const format::Event& event, const MatchGroup& group, uint64_t number,
                          MatchGroup::Collective& collective);
  bool must_wait(uint32_t rank, const MatchGroup& group, const MatchGroup::Collective& collective) const;
  void release(const MatchGroup& group, MatchGroup::Collective& collective);

  bool blocked(const Rank& rank) const { return rank.pending > 0 || rank.probe.has_value(); }
  void report_deadlock();
  void report_collective(uint32_t rank);
  void report_board(const Rank& rank);
  void report_left(const MatchGroup& group);
  void report_other_members();
  /// A rank that `rank` waits for; `rank` itself if there is none that it could wait for.
  uint32_t waits_for(uint32_t rank) const;
  uint32_t waits_for_member(uint32_t rank, const Request& request) const;
  std::string blocked_text(uint32_t rank) const;
  const Request* first_pending(const Rank& rank) const;
  void fault(FaultKind kind, std::string text);

  const MatchCheckOptions options_;
  std::vector<Rank> ranks_;
  std::deque<uint32_t> ready_;
  MatchGroup world_;
  /// By number and members, in the order in which the members made them.
  std::map<std::pair<uint32_t, std::vector<uint64_t>>, std::deque<MatchGroup>> groups_;
  std::array<uint64_t, kFaultKinds> fault_counts_{};
  MatchReport report_;
};

}  // namespace fabrictwin::trace::check
