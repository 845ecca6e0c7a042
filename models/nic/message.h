// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between hosts, whatever carries them.
#pragma once

#include <cstdint>

#include "cosim/base/random.h"
#include "models/packet_nic.h"

namespace fabrictwin {

/// What the first packet of a message says about it, 32 bytes on the wire. `user` is the workload's own (tag, kind,
/// request).
struct Envelope {
  uint64_t payload_key = 0;  ///< See payload_key().
  uint64_t bytes = 0;        ///< Bytes of body that follow the envelope.
  uint64_t user[2] = {0, 0};
};

/// The key from which the body of a message is made. Bodies are real: 8-byte word i of a body is mix64(key + i),
/// little-endian, the last one cut to size; the receiver checks them.
constexpr uint64_t payload_key(uint64_t source, uint64_t destination, uint64_t sequence) {
  return mix64(mix64(mix64(source) ^ destination) ^ sequence);
}

/// A message that a host gives to its network interface.
struct OutgoingMessage {
  static constexpr uint8_t kAnyPort = 0xff;

  int32_t destination = 0;  ///< Node.
  Envelope envelope;
  uint64_t cookie = 0;  ///< Given back when the message has left; of a kGet, when all data has come. 0: not given back.
  /// kGet: the body is read from the destination, which sees nothing of it. Network interfaces that know only messages
  /// take kPut as kSend, and no kGet.
  NicOperation operation = NicOperation::kSend;
  uint8_t port = kAnyPort;  ///< Of a host with several, modulo their number; kAnyPort: any.
};

/// A message that has arrived whole.
struct IncomingMessage {
  int32_t source = 0;  ///< Node.
  Envelope envelope;
  uint64_t body_hash = 0;  ///< Of the body as received: hash_of_body() unless a byte is wrong.
  bool intact = true;      ///< False if a byte of the body is not what the key says.
};

}  // namespace fabrictwin
