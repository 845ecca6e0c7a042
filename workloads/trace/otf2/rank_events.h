// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the records of one location of an OTF2 archive into calls of one rank.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "workloads/trace/format/event.h"
#include "workloads/trace/otf2/collective.h"
#include "workloads/trace/otf2/definitions.h"

namespace fabrictwin::trace::otf2 {

/// The content of one record.
struct Record {
  std::string_view name;      ///< Name, such as "MpiIsend".
  uint64_t number = 0;        ///< Number in its location, from 0.
  uint64_t time = 0;          ///< Time in ticks.
  uint32_t region = 0;        ///< Region of enter and leave records.
  uint32_t peer = 0;          ///< Rank in the communicator.
  uint32_t communicator = 0;  ///< Reference of the communicator.
  uint32_t tag = 0;
  uint64_t bytes = 0;
  uint64_t request = 0;  ///< Id of the request.
  uint64_t stop = 0;     ///< End of a flush, in ticks.
  Collective collective;
};

/// A call in program order. Communicators are references of the archive.
struct Call {
  format::Event event;        ///< For a collective, only the peer is set.
  bool communicates = false;  ///< Has a communicator.
  bool collective = false;    ///< The sizes of the collective are in `sizes`.
  bool blocks = true;         ///< False for a nonblocking collective.
  Collective sizes;
  uint64_t record = 0;  ///< Number of the record of the call.
};

/// Reorders records from time order into calls in program order: what a receive takes is known only when it completes.
/// Time outside of MPI regions is computation. Errors are "rank R, record N (NAME): reason". Not thread-safe.
class RankEvents {
 public:
  using Sink = std::function<absl::Status(Call&)>;

  /// `definitions` must outlive this.
  RankEvents(const Definitions& definitions, uint32_t rank, Sink sink);

  absl::Status enter(const Record& record);
  absl::Status leave(const Record& record);
  absl::Status send(const Record& record);
  absl::Status isend(const Record& record);
  absl::Status send_complete(const Record& record);
  absl::Status receive_request(const Record& record);
  absl::Status receive_complete(const Record& record);
  absl::Status receive(const Record& record);
  absl::Status cancelled(const Record& record);
  absl::Status collective(const Record& record);
  absl::Status collective_request(const Record& record);
  absl::Status collective_complete(const Record& record);
  absl::Status communicator_freed(const Record& record);
  absl::Status flushed(const Record& record);
  /// A record that only advances the time.
  absl::Status other(const Record& record);
  /// Call it after the last record.
  absl::Status end();

  uint32_t rank() const { return rank_; }
  /// Formats "rank R, record N (NAME): text".
  std::string at(const Record& record, std::string_view text) const;

 private:
  enum class Kind : uint8_t { kSend, kReceive, kCollective };
  struct Request {
    Kind kind = Kind::kSend;
    uint64_t entry = 0;    // Number of its entry.
    uint64_t ordinal = 0;  // Number among the requests that the rank starts, once it has left the queue.
    bool nothing = false;  // A send to MPI_PROC_NULL, which has no entry.
    Record record;
  };
  struct OpenCall {
    uint32_t region = 0;
    std::string_view name;        // Refers to definitions_.
    bool has_collective = false;  // The record of a collective has been seen.
  };
  struct Entry {
    Call call;
    bool ready = true;
    bool dropped = false;
    std::shared_ptr<Request> starts;
    std::shared_ptr<Request> waits_for;
  };

  // Reports that the archive contradicts itself.
  template <typename... Arguments>
  absl::Status error(const Record& record, fmt::format_string<Arguments...> text, Arguments&&... arguments) const;
  // Reports that the archive does not say what happened, or that a trace cannot express it.
  template <typename... Arguments>
  absl::Status refusal(const Record& record, fmt::format_string<Arguments...> text, Arguments&&... arguments) const;
  // Advances the time: what has passed outside of MPI is computation.
  absl::Status advance(const Record& record);
  absl::Status peer_of(const Record& record, format::Event& event) const;
  absl::Status message(const Record& record, v1::TraceAction action, Call& call) const;
  absl::Status describe(const Record& record, Call& call) const;
  Entry& push(v1::TraceAction action, uint64_t record);
  absl::Status start(const Record& record, Kind kind, Entry& entry);
  absl::Status complete(const Record& record, Kind kind, std::shared_ptr<Request>& request);
  Entry& entry_of(const Request& request) { return entries_[request.entry - first_entry_]; }
  void wait(std::shared_ptr<Request> request, uint64_t record);
  // Passes completed calls on.
  absl::Status hand_over();
  // The innermost MPI region.
  std::string_view call() const { return calls_.empty() ? std::string_view() : calls_.back().name; }
  // Whether a send is to MPI_PROC_NULL or, if `received`, a receive from there: EZTrace writes MPI's own number for it.
  absl::StatusOr<bool> is_nothing(const Record& record, bool received) const;

  const Definitions& definitions_;
  uint32_t rank_;
  Sink sink_;
  std::deque<Entry> entries_;
  uint64_t first_entry_ = 0;
  std::unordered_map<uint64_t, std::shared_ptr<Request>> requests_;
  uint64_t started_ = 0;
  std::vector<OpenCall> calls_;        // MPI regions that have been entered.
  std::shared_ptr<Request> exchange_;  // The send of a call that both sends and receives.
  bool begun_ = false;
  bool finalized_ = false;
  uint64_t last_ = 0;
  uint64_t records_ = 0;
};

}  // namespace fabrictwin::trace::otf2
