// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/word_packet.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "cosim/base/random.h"
#include "cosim/observe/digest.h"
#include "models/nic/message_body.h"
#include "models/routing/table/builder.h"

namespace fabrictwin::nic {

static_assert(sizeof(Envelope) == 2 * link::kWordBytes);

uint8_t flow_ties(uint64_t seed, int32_t source, int32_t destination) {
  const uint64_t flow = uint64_t{static_cast<uint32_t>(source)} << 32 | static_cast<uint32_t>(destination);
  return static_cast<uint8_t>(RandomStream(seed, flow, RandomPurpose::kTieBreak).at(0));
}

link::PacketHeader make_header(const system::SystemGraph& graph, int32_t hosts, int32_t source, int32_t destination,
                               int32_t port) {
  link::PacketHeader header;
  const system::Element& host = graph.elements[static_cast<size_t>(destination)];
  for (size_t d = 0; d < std::min(header.coordinates.size(), host.coordinates.size()); ++d)
    header.coordinates[d] = static_cast<uint8_t>(host.coordinates[d]);
  const int32_t there = port % static_cast<int32_t>(host.ports.size());
  header.destination = static_cast<uint32_t>(routing::table::route_destination(destination, there, hosts));
  header.source = static_cast<uint32_t>(source);
  return header;
}

link::Word make_footer(std::span<const link::Word> payload) { return {observe::hash_bytes(std::as_bytes(payload)), 0}; }

namespace {

/// Makes the part of a packet that is the message's.
void make_payload(const Envelope& envelope, uint64_t sent, std::span<std::byte> bytes) {
  if (sent > 0) return make_body(envelope, sent - sizeof(Envelope), bytes);
  std::memcpy(bytes.data(), &envelope, sizeof(Envelope));
  make_body(envelope, 0, bytes.subspan(sizeof(Envelope)));
}

}  // namespace

PacketWords make_plain_words(const link::PacketHeader& header, const Envelope& envelope, uint64_t sent) {
  PacketWords words{};
  words[0] = header.encode();
  make_payload(envelope, sent, {reinterpret_cast<std::byte*>(&words[1]), header.payload_bytes});
  return words;
}

void make_plain_words(const link::PacketFormat& format, const link::PacketHeader& header, const Envelope& envelope,
                      uint64_t sent, std::span<link::Word> words) {
  std::ranges::fill(words, link::Word{});
  format.encode(header, words.data());
  link::Word* const payload = &words[static_cast<size_t>(format.header_words())];
  if (format.word_bits() == link::kWordBits) {
    return make_payload(envelope, sent, {reinterpret_cast<std::byte*>(payload), header.payload_bytes});
  }
  std::vector<std::byte> bytes(header.payload_bytes);
  make_payload(envelope, sent, bytes);
  format.pack(bytes, payload);
}

}  // namespace fabrictwin::nic
