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

namespace fabrictwin::trace::format {

/// The source of a receive that takes a message from any rank.
inline constexpr int32_t kAnySource = -1;
/// The tag of a receive that takes a message with any tag.
inline constexpr int32_t kAnyTag = -1;
/// No message is larger than this (1 TiB); larger sizes in a trace are errors.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 40;
/// The largest number of a communicator: a message of the MPI layer has no more bits for it.
inline constexpr uint32_t kMaxCommunicator = 2047;
/// The most ranks of a trace: as many as a packet header can name.
inline constexpr uint32_t kMaxRanks = 1u << 24;

/// What a rank did. The action determines which fields are used; see ActionShape and TraceColumns in trace.proto.
struct Event {
  v1::TraceAction action = v1::INIT;
  int32_t peer =
      0;  ///< Destination of a send, source of a receive (or kAnySource), other end of a wait, root of a collective.
  int32_t receive_peer = 0;  ///< Source of the receive of a SENDRECV.
  int32_t tag = 0;           ///< Not negative; a receive or probe may have kAnyTag.
  v1::TraceDatatype datatype = v1::BYTE;
  v1::TraceDatatype receive_datatype = v1::BYTE;
  uint64_t count = 0;  ///< Elements of `datatype`; requests of a wait; communicator; bytes of a computation.
  uint64_t receive_count = 0;
  std::vector<uint64_t> send_counts;     ///< By rank of the communicator; for COMM_CREATE its members.
  std::vector<uint64_t> receive_counts;  ///< By rank of the communicator.
  Time duration;                         ///< Duration of a computation or of a reduction's arithmetic.
  uint32_t communicator = 0;             ///< 0: the world.

  bool operator==(const Event&) const = default;
};

/// How one side of an event gives its counts.
enum class CountForm : uint8_t {
  kNone,
  kOne,
  kEachRank,  ///< One count for each rank of the communicator.
  kListed,    ///< `count`, then any number of counts, at least one.
};

/// The fields that an action uses.
struct ActionShape {
  std::string_view name;  ///< Name, such as "irecv".
  int peers = 0;          ///< 0, 1 (`peer`) or 2 (`peer`, `receive_peer`).
  bool tag = false;
  CountForm sent = CountForm::kNone;      ///< `count` or `send_counts`.
  CountForm received = CountForm::kNone;  ///< `receive_count` or `receive_counts`.
  int datatypes = 0;                      ///< 0, 1 (`datatype`) or 2 (`datatype`, `receive_datatype`).
  bool duration = false;
  bool any_source = false;  ///< `peer` may be kAnySource, and a tag kAnyTag where there is a communicator.
  bool collective = false;
  bool communicator = false;  ///< Sends, receives, probes and collectives have a communicator.
  bool starts = false;        ///< Starts a request that must be waited for.
};

/// The number of actions, TRACE_ACTION_UNSPECIFIED included: valid actions are 1 to kActions - 1.
inline constexpr int kActions = v1::TraceAction_MAX + 1;

/// The shape of `action`, which must be valid.
const ActionShape& action_shape(v1::TraceAction action);
/// The name, such as "irecv"; "unspecified" for a number that is not an action.
std::string_view action_name(v1::TraceAction action);
/// The action with that name, in lower case; nothing if there is none.
std::optional<v1::TraceAction> action_of_name(std::string_view name);

/// Whether the action sends a message: a send of any mode, blocking or not, and SENDRECV.
bool is_send(v1::TraceAction action);
/// Whether the action receives a message: RECV, IRECV and SENDRECV.
bool is_receive(v1::TraceAction action);

/// The blocking collective of a nonblocking one; otherwise the action itself.
v1::TraceAction blocking_action(v1::TraceAction action);

/// Bytes of one element; 0 for a number that is not a datatype.
uint32_t datatype_bytes(v1::TraceDatatype datatype);

/// Bytes of `count` elements of `datatype`.
inline uint64_t event_bytes(const Event& event) { return event.count * datatype_bytes(event.datatype); }
/// Bytes of `receive_count` elements of `receive_datatype`.
inline uint64_t event_receive_bytes(const Event& event) {
  return event.receive_count * datatype_bytes(event.receive_datatype);
}

}  // namespace fabrictwin::trace::format
