// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One event of a recorded MPI run, and what each kind of event carries.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cosim/base/time.h"
#include "fabrictwin/v1/trace.pb.h"

namespace fabrictwin {

/// The source of a receive that takes a message from any rank.
inline constexpr int32_t kAnySource = -1;
/// The tag of a receive that takes a message with any tag.
inline constexpr int32_t kAnyTag = -1;
/// No message is larger than this (1 TiB); larger sizes in a trace are mistakes.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 40;
/// Numbers of communicators of a rank go up to this: what is left for them in a message of the MPI layer.
inline constexpr uint32_t kMaxCommunicator = 2047;
/// Ranks of a trace: as many as a packet header can name.
inline constexpr uint32_t kMaxRanks = 1u << 24;

/// What a rank did. Which fields mean something depends on the action; see ActionShape and TraceColumns in trace.proto.
struct TraceEvent {
  v1::TraceAction action = v1::INIT;
  int32_t peer =
      0;  ///< Destination of a send, source of a receive (or kAnySource), other end of a wait, root of a collective.
  int32_t receive_peer = 0;  ///< Source of the receive of a SENDRECV.
  int32_t tag = 0;           ///< Not negative; of a receive or probe: may be kAnyTag.
  v1::TraceDatatype datatype = v1::BYTE;
  v1::TraceDatatype receive_datatype = v1::BYTE;
  uint64_t count = 0;  ///< Elements of `datatype`; requests of a wait; a communicator's number; bytes of a computation.
  uint64_t receive_count = 0;
  std::vector<uint64_t> send_counts;     ///< By rank of the communicator; of COMM_CREATE its members.
  std::vector<uint64_t> receive_counts;  ///< By rank of the communicator.
  Time duration;                         ///< Of a computation or of a reduction's arithmetic.
  uint32_t communicator = 0;             ///< 0: the world.

  bool operator==(const TraceEvent&) const = default;
};

/// How a side of an event says how much it moves.
enum class CountForm : uint8_t {
  kNone,
  kOne,
  kEachRank,  ///< One for each rank of the communicator.
  kListed,    ///< `count`, then any number of them, at least one.
};

/// What an action carries.
struct ActionShape {
  std::string_view name;  ///< "irecv".
  int peers = 0;          ///< 0, 1 (`peer`) or 2 (`peer`, `receive_peer`).
  bool tag = false;
  CountForm sent = CountForm::kNone;      ///< `count` or `send_counts`.
  CountForm received = CountForm::kNone;  ///< `receive_count` or `receive_counts`.
  int datatypes = 0;                      ///< 0, 1 (`datatype`) or 2 (`datatype`, `receive_datatype`).
  bool duration = false;
  bool any_source = false;  ///< `peer` may be kAnySource, and a tag kAnyTag where there is a communicator.
  bool collective = false;
  bool communicator = false;  ///< Has one: sends, receives, probes and collectives.
  bool starts = false;        ///< Leaves a request that must be waited for.
};

/// The number of actions, TRACE_ACTION_UNSPECIFIED included: valid actions are 1 to kActions - 1.
inline constexpr int kActions = v1::TraceAction_MAX + 1;

/// `action` must be valid.
const ActionShape& action_shape(v1::TraceAction action);
/// "irecv"; "unspecified" for a number that is not an action.
std::string_view action_name(v1::TraceAction action);
/// The action of that name, in lower case.
std::optional<v1::TraceAction> action_of_name(std::string_view name);

/// Sends a message: a send of any mode, blocking or not, and SENDRECV.
bool is_send(v1::TraceAction action);
/// Receives a message: RECV, IRECV and SENDRECV.
bool is_receive(v1::TraceAction action);

/// The collective that blocks where this one does not; the action itself if there is none.
v1::TraceAction blocking_action(v1::TraceAction action);

/// Bytes of one element; 0 for a number that is not a datatype.
uint32_t datatype_bytes(v1::TraceDatatype datatype);

/// Bytes of `count` elements of `datatype`.
inline uint64_t event_bytes(const TraceEvent& event) { return event.count * datatype_bytes(event.datatype); }
/// Bytes of `receive_count` elements of `receive_datatype`.
inline uint64_t event_receive_bytes(const TraceEvent& event) {
  return event.receive_count * datatype_bytes(event.receive_datatype);
}

}  // namespace fabrictwin
