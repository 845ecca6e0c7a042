// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of collectives in OTF2 archives. A record gives the bytes that the rank sent and received in all, as if it sent
// to and received from each member, itself included, without MPI_IN_PLACE (Score-P user manual; the measurement system
// that writes these archives); the counts of the call follow from that.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::otf2 {

/// A collective as recorded.
struct Collective {
  uint8_t operation = 0;      ///< OTF2_CollectiveOp.
  uint32_t communicator = 0;  ///< Its reference in the archive.
  uint32_t root = 0;          ///< Rank in the communicator, or a constant such as OTF2_COLLECTIVE_ROOT_NONE.
  uint64_t sent = 0;          ///< Bytes sent.
  uint64_t received = 0;      ///< Bytes received.
  /// The bytes are those of the arguments of the call, for one member if the call has one count for all; otherwise
  /// (Score-P) they are what the rank sends and receives in all, as if it also sent to itself.
  bool of_arguments = false;
};

/// The name, such as "MPI_Allgatherv".
std::string_view otf2_collective_name(uint8_t operation);
/// The action of this operation; none if a trace cannot express it.
std::optional<v1::TraceAction> otf2_collective_action(uint8_t operation);
/// Whether the sizes of a call follow only from the records of all members together.
bool needs_all_members(uint8_t operation);
/// Whether a call of this name ("MPI_Allgatherv", "MPI_Iallgatherv") must leave a record of a collective.
bool is_collective_call(std::string_view call);

/// Bytes that this member contributes to (MPI_Scatterv: gets from) a call that needs_all_members(); `members` is their
/// number. InvalidArgument if the record is impossible.
absl::StatusOr<uint64_t> contribution(const Collective& collective, uint64_t members);

/// Sets action, counts (in bytes) and datatypes of a call by member `me` of `members`; `each` has the contributions of
/// all if the operation needs them. Leaves peer and communicator unchanged. InvalidArgument if the record is
/// impossible, Unimplemented if a trace cannot express it.
absl::Status fill_collective(const Collective& collective, uint64_t me, uint64_t members,
                             const std::vector<uint64_t>& each, format::Event& event);

}  // namespace fabrictwin::trace::otf2
