// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the packets of a PacketNic travel on links of words: docs/models/network-interface.md.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/link/packet.h"
#include "models/nic/packet_nic.h"

namespace fabrictwin::nic::words {

/// Words of a packet on the link that carry none of its bytes: header, description and footer.
inline constexpr int32_t kFrameWords = 3;
/// The most words with bytes.
inline constexpr int32_t kMostBodyWords = link::kMaxPacketWords - kFrameWords;
/// Words of the Envelope.
inline constexpr int32_t kEnvelopeWords = 2;

/// A piece of a NicPacket that is a packet on the link, and a NicPacket with a part of the bytes for its receiver.
struct Part {
  uint32_t offset = 0;  ///< In the message.
  uint32_t payload = 0;
  int32_t words = 0;  ///< Padded: all parts together take the time of the packet's wire_bytes, or more.
};

/// The most words that the first part of a packet with these bytes on the wire can have.
int32_t most_words(int32_t wire_bytes);

/// Cuts a packet into the fewest parts that hold it, after `before` more words in the first one (at most
/// kEnvelopeWords). Parts of one packet have at least kEnvelopeWords of its bytes each, so a packet whose wire_bytes
/// are nearly all frame may take less time than they say.
std::vector<Part> cut(const NicPacket& packet, int32_t before);

/// The header and the description of a part. `header` has the route already. `user` of the packet has 32 bits.
///   header: sequence = user, in responses (kReadData, kAck) inverted, so that they are not taken for a message of the
///   other direction; kind = kind; tile port = flags.
///   description: lo: [31:0] message, [63:32] offset; hi: [31:0] bytes of the message, [39:32] payload bytes of this
///   part, [47:40] source port.
void encode(const NicPacket& packet, const Part& part, link::PacketHeader header, link::Word* words);

/// The NicPacket in a packet that has arrived through `port` at its destination. Its wire_bytes are those of its words.
NicPacket decode(const link::PacketHeader& header, const link::Word& description, int32_t destination, int32_t port);

}  // namespace fabrictwin::nic::words
