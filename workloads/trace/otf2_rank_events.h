// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The records of one location of an OTF2 archive as calls of one rank.
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
#include "workloads/trace/otf2_collective.h"
#include "workloads/trace/otf2_definitions.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// What one record says.
struct Otf2Record {
  std::string_view name;      ///< "MpiIsend".
  uint64_t number = 0;        ///< In its location, from 0.
  uint64_t time = 0;          ///< In ticks.
  uint32_t region = 0;        ///< Of enter and leave.
  uint32_t peer = 0;          ///< Rank in the communicator.
  uint32_t communicator = 0;  ///< Reference.
  uint32_t tag = 0;
  uint64_t bytes = 0;
  uint64_t request = 0;  ///< Id.
  uint64_t stop = 0;     ///< End of a flush, in ticks.
  Otf2Collective collective;
};

/// A call in the order of the program. Communicators are references of the archive.
struct Otf2Call {
  TraceEvent event;           ///< Of a collective only the peer.
  bool communicates = false;  ///< Has a communicator.
  bool collective = false;    ///< `sizes` say what is missing.
  bool blocks = true;         ///< Of a collective.
  Otf2Collective sizes;
  uint64_t record = 0;  ///< Number of the record that says so.
};

/// Puts records in order of time into calls in order of the program: what a receive takes is known only when it
/// completes. Time outside of regions of MPI is computation. Errors are "rank R, record N (NAME): reason". Not
/// thread-safe.
class Otf2RankEvents {
 public:
  using Sink = std::function<absl::Status(Otf2Call&)>;

  /// `definitions` must outlive this.
  Otf2RankEvents(const Otf2Definitions& definitions, uint32_t rank, Sink sink);

  absl::Status enter(const Otf2Record& record);
  absl::Status leave(const Otf2Record& record);
  absl::Status send(const Otf2Record& record);
  absl::Status isend(const Otf2Record& record);
  absl::Status send_complete(const Otf2Record& record);
  absl::Status receive_request(const Otf2Record& record);
  absl::Status receive_complete(const Otf2Record& record);
  absl::Status receive(const Otf2Record& record);
  absl::Status cancelled(const Otf2Record& record);
  absl::Status collective(const Otf2Record& record);
  absl::Status collective_request(const Otf2Record& record);
  absl::Status collective_complete(const Otf2Record& record);
  absl::Status communicator_freed(const Otf2Record& record);
  absl::Status flushed(const Otf2Record& record);
  /// A record that changes nothing but the time.
  absl::Status other(const Otf2Record& record);
  /// After the last record.
  absl::Status end();

  uint32_t rank() const { return rank_; }
  /// "rank R, record N (NAME): text".
  std::string at(const Otf2Record& record, std::string_view text) const;

 private:
  enum class Kind : uint8_t { kSend, kReceive, kCollective };
  struct Request {
    Kind kind = Kind::kSend;
    uint64_t entry = 0;    // Number of its entry.
    uint64_t ordinal = 0;  // Of the requests that the rank starts, once it has left the queue.
    bool nothing = false;  // A send to MPI_PROC_NULL, which has no entry.
    Otf2Record record;
  };
  struct OpenCall {
    uint32_t region = 0;
    std::string_view name;        // Of definitions_.
    bool has_collective = false;  // A record of one has been seen.
  };
  struct Entry {
    Otf2Call call;
    bool ready = true;
    bool dropped = false;
    std::shared_ptr<Request> starts;
    std::shared_ptr<Request> waits_for;
  };

  // The archive contradicts itself.
  template <typename... Arguments>
  absl::Status error(const Otf2Record& record, fmt::format_string<Arguments...> text, Arguments&&... arguments) const;
  // What happened is not in the archive, or has no form in a trace.
  template <typename... Arguments>
  absl::Status refusal(const Otf2Record& record, fmt::format_string<Arguments...> text, Arguments&&... arguments) const;
  // Looks at the time: what has passed outside of MPI is computation.
  absl::Status advance(const Otf2Record& record);
  absl::Status peer_of(const Otf2Record& record, TraceEvent& event) const;
  absl::Status message(const Otf2Record& record, v1::TraceAction action, Otf2Call& call) const;
  absl::Status describe(const Otf2Record& record, Otf2Call& call) const;
  Entry& push(v1::TraceAction action, uint64_t record);
  absl::Status start(const Otf2Record& record, Kind kind, Entry& entry);
  absl::Status complete(const Otf2Record& record, Kind kind, std::shared_ptr<Request>& request);
  Entry& entry_of(const Request& request) { return entries_[request.entry - first_entry_]; }
  void wait(std::shared_ptr<Request> request, uint64_t record);
  // Hands over what is complete.
  absl::Status hand_over();
  // Of the innermost region of MPI.
  std::string_view call() const { return calls_.empty() ? std::string_view() : calls_.back().name; }
  // To MPI_PROC_NULL or, `received`, from there: EZTrace writes MPI's own number of it.
  absl::StatusOr<bool> is_nothing(const Otf2Record& record, bool received) const;

  const Otf2Definitions& definitions_;
  uint32_t rank_;
  Sink sink_;
  std::deque<Entry> entries_;
  uint64_t first_entry_ = 0;
  std::unordered_map<uint64_t, std::shared_ptr<Request>> requests_;
  uint64_t started_ = 0;
  std::vector<OpenCall> calls_;        // Regions of MPI that have been entered.
  std::shared_ptr<Request> exchange_;  // The send of a call that sends and receives.
  bool begun_ = false;
  bool finalized_ = false;
  uint64_t last_ = 0;
  uint64_t records_ = 0;
};

}  // namespace fabrictwin
