// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of numbers in the calls of one rank of a DUMPI trace: communicators, ranks in them, datatypes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/dumpi/call.h"
#include "workloads/trace/dumpi/communicators.h"
#include "workloads/trace/dumpi/types.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::dumpi {

/// Takes the next event of a rank.
using Sink = std::function<absl::Status(const format::Event& event)>;

/// Follows what a rank creates and frees. Errors name the location in the text. Not thread-safe.
class Scope {
 public:
  /// `communicators` must outlive this; `sink` gets the events that create and free them.
  Scope(uint32_t rank, Communicators& communicators, Sink sink);

  /// First pass: considers only calls that make communicators, and the communicator that each rank has of its own.
  absl::Status note(const Call& call);

  /// Handles a call that makes or frees a communicator or makes a datatype; false if it is none of these. Communicators
  /// must have been noted.
  absl::StatusOr<bool> make_communicator(const Call& call, bool emit_event = true);
  absl::StatusOr<bool> free_communicator(const Call& call);
  absl::StatusOr<bool> make_type(const Call& call) { return types_.define(call); }

  /// The communicator of the call; sets its number in `event`.
  absl::StatusOr<const Communicators::Communicator*> communicator(const Call& call, format::Event& event);
  /// Sets peer, tag and communicator from the arguments of these names. False if the other end is no process.
  absl::StatusOr<bool> peer(const Call& call, std::string_view argument, std::string_view tag, bool receive,
                            format::Event& event);
  /// Sets the amount given by the arguments `argument` (a count) and `type`.
  absl::Status read_count(const Call& call, std::string_view argument, std::string_view type,
                          v1::TraceDatatype& datatype, uint64_t& count) const;
  /// Sets the amounts given by a list with a count for each member.
  absl::Status read_counts(const Call& call, std::string_view argument, std::string_view type, size_t members,
                           v1::TraceDatatype& datatype, std::vector<uint64_t>& counts) const;

 private:
  uint32_t rank_;
  Communicators& communicators_;
  Sink sink_;
  Types types_;
  std::map<int64_t, std::string> names_;  // Names of communicators by their number in the rank.
  std::map<std::string, uint64_t> made_;  // By name: how many communicators were made of each.
  bool self_made_ = false;
  Communicators::Communicator self_;
};

}  // namespace fabrictwin::trace::dumpi
