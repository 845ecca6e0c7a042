// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between hosts, independent of the network.
#pragma once

#include <cstdint>

#include "cosim/base/random.h"
#include "cosim/base/time.h"
#include "models/nic/packet_nic.h"
#include "models/nic/reduction.h"

namespace fabrictwin::nic {

/// The header of a message in its first packet, 32 bytes on the wire. `user` belongs to the workload (tag, kind,
/// request).
struct Envelope {
  uint64_t payload_key = 0;  ///< See payload_key().
  uint64_t bytes = 0;        ///< Bytes of body that follow the envelope.
  uint64_t user[2] = {0, 0};
};

/// The key from which the body of a message is generated. Bodies are real: 8-byte word i of a body is mix64(key + i),
/// little-endian, the last one truncated; the receiver checks them.
constexpr uint64_t payload_key(uint64_t source, uint64_t destination, uint64_t sequence) {
  return mix64(mix64(mix64(source) ^ destination) ^ sequence);
}

/// A message that a host passes to its network interface.
struct OutgoingMessage {
  static constexpr uint8_t kAnyPort = 0xff;
  /// The body of a flow that only its stop ends.
  static constexpr uint64_t kEndless = uint64_t{1} << 50;

  int32_t destination = 0;  ///< Node.
  Envelope envelope;
  uint64_t cookie = 0;  ///< Returned when the message has left (kGet: when all data is here), unless 0.
  /// kGet: the body is read from the destination, which does not notice. Network interfaces that only know messages
  /// treat kPut as kSend and do not support kGet.
  NicOperation operation = NicOperation::kSend;
  uint8_t port = kAnyPort;  ///< Port of a host with several, modulo their number; kAnyPort: any.
  /// A flow of its own, with its own queue pair where hosts have a transport; no other message waits for it, and it is
  /// not delivered in order with others.
  bool flow = false;
  /// A flow that its source sends again after its end, by the same Envelope::user[1]: it keeps its queue pair.
  bool repeats = false;
  /// With a transport: a flow sends nothing from this time on, and ends when what it has sent is acknowledged.
  Time stop = Time::never();
  /// The body is the vector that the host contributes to a reduction by hardware (make_operand() of its key), and what
  /// comes back from the own node is its result. Only where hosts have an Allreduce accelerator.
  Reduction reduction;
};

/// A message that has arrived completely.
struct IncomingMessage {
  int32_t source = 0;  ///< Node.
  Envelope envelope;
  uint64_t body_hash = 0;  ///< Hash of the body as received: hash_of_body() unless a byte is wrong.
  bool intact = true;      ///< False if a byte of the body differs from what the key says.
};

}  // namespace fabrictwin::nic
