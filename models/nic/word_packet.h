// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of messages as words of a link, which network interfaces and edges of packet-level networks send alike:
// docs/models/network-interface.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cosim/link/packet.h"
#include "cosim/link/packet_format.h"
#include "cosim/system/system_graph.h"
#include "models/nic/message.h"
#include "models/nic/plain_packet.h"

namespace fabrictwin::nic {

/// The tie bits of all packets of a flow: each flow has its own at random, so that its packets stay in order.
uint8_t flow_ties(uint64_t seed, int32_t source, int32_t destination);

/// A header without payload, sequence and ties, from a host to port `port` (modulo those that it has) of another.
/// `hosts` are all hosts of the graph.
link::PacketHeader make_header(const system::SystemGraph& graph, int32_t hosts, int32_t source, int32_t destination,
                               int32_t port);

/// The footer of a packet (docs/models/network-interface.md): `payload` are the words between header and footer.
link::Word make_footer(std::span<const link::Word> payload);

/// The words of a packet: the first header.packet_words() of them.
using PacketWords = std::array<link::Word, link::kMaxPacketWords>;

/// Makes the words of a PlainPacket of a message of which `sent` bytes have left before, without a footer. `header`
/// says how many bytes it has.
PacketWords make_plain_words(const link::PacketHeader& header, const Envelope& envelope, uint64_t sent);
/// Makes them of another format. `words` are as many as the packet has.
void make_plain_words(const link::PacketFormat& format, const link::PacketHeader& header, const Envelope& envelope,
                      uint64_t sent, std::span<link::Word> words);

}  // namespace fabrictwin::nic
