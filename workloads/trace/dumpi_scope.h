// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What numbers in the calls of a DUMPI trace mean to one rank: communicators, ranks in them, datatypes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/dumpi_call.h"
#include "workloads/trace/dumpi_communicators.h"
#include "workloads/trace/dumpi_types.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Takes the next event of a rank.
using DumpiSink = std::function<absl::Status(const TraceEvent& event)>;

/// Follows what a rank makes and frees. Errors name the place in the text. Not thread-safe.
class DumpiScope {
 public:
  /// `communicators` must outlive this; `sink` gets the events that make and free them.
  DumpiScope(uint32_t rank, DumpiCommunicators& communicators, DumpiSink sink);

  /// First time: only calls that make communicators matter, and the communicator that each rank has of its own.
  absl::Status note(const DumpiCall& call);

  /// A call that makes a communicator, frees one or makes a datatype; false if it is none. Communicators exist only if
  /// they were noted.
  absl::StatusOr<bool> make_communicator(const DumpiCall& call, bool emit_event = true);
  absl::StatusOr<bool> free_communicator(const DumpiCall& call);
  absl::StatusOr<bool> make_type(const DumpiCall& call) { return types_.define(call); }

  /// The communicator of the call; `event` gets its number.
  absl::StatusOr<const DumpiCommunicators::Communicator*> communicator(const DumpiCall& call, TraceEvent& event);
  /// Peer, tag and communicator, from the arguments of these names. False if the other end is no process.
  absl::StatusOr<bool> peer(const DumpiCall& call, std::string_view argument, std::string_view tag, bool receive,
                            TraceEvent& event);
  /// What the arguments `argument` (a count) and `type` mean.
  absl::Status read_count(const DumpiCall& call, std::string_view argument, std::string_view type,
                          v1::TraceDatatype& datatype, uint64_t& count) const;
  /// The same for a list with a count for each member.
  absl::Status read_counts(const DumpiCall& call, std::string_view argument, std::string_view type, size_t members,
                           v1::TraceDatatype& datatype, std::vector<uint64_t>& counts) const;

 private:
  uint32_t rank_;
  DumpiCommunicators& communicators_;
  DumpiSink sink_;
  DumpiTypes types_;
  std::map<int64_t, std::string> names_;  // Of communicators, by their number in the rank.
  std::map<std::string, uint64_t> made_;  // Communicators made of each, by its name.
  bool self_made_ = false;
  DumpiCommunicators::Communicator self_;
};

}  // namespace fabrictwin
