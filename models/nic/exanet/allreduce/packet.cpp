// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/allreduce/packet.h"

#include <bit>
#include <cstring>

#include "cosim/link/packet_mark.h"

namespace fabrictwin::nic::exanet::allreduce {
namespace {

constexpr uint64_t kCrcMask = 0xffffffff;
constexpr int kCulpritLow = 32;
constexpr uint64_t kRankMask = 0x3ff;
constexpr uint8_t kOperations = 3;
constexpr uint8_t kTypes = 3;

}  // namespace

const char* code_text(Code code) {
  constexpr const char* kTexts[] = {"it is done", "its vector did not come in time",
                                    "its vector has another operation, type or size",
                                    "its vector came from another node, or its address is not known"};
  return kTexts[static_cast<size_t>(code) % kCodes];
}

int32_t levels_of(size_t ranks) { return static_cast<int32_t>(std::bit_width(ranks / kReduceGroup)) - 1; }

bool shape_fits(uint8_t operation, uint8_t type, uint32_t bytes) {
  return operation < kOperations && type < kTypes && bytes > 0 && bytes <= kMaxReduceBytes &&
         bytes % element_bytes(static_cast<ReduceType>(type)) == 0;
}

Words Packet::encode(const Numbering& numbering) const {
  const uint32_t message = uint32_t{sequence} << 24 | uint32_t{level} << 20 | uint32_t{operation} << 18 |
                           uint32_t{type} << 16 | uint32_t{rank} << 6 | uint32_t{code} << 2;
  Words packet;
  packet.vc = kNiRequestVc;
  link::PacketHeader header = numbering.header(source, destination, Kind::kOwn, message, bytes);
  header.kind = kPacketKind;
  packet.words[0] = header.encode();
  std::memcpy(&packet.words[1], vector.data(), bytes);
  const size_t footer = 1 + (bytes + size_t{15}) / 16;
  packet.words[footer] = {uint64_t{culprit} << kCulpritLow, 0};
  packet.count = static_cast<uint8_t>(footer + 1);
  packet.words[footer].lo |= ni_crc(packet.all());
  return packet;
}

std::optional<Packet> parse(const Words& words) {
  const link::PacketHeader header = words.header();
  const size_t last = words.count - size_t{1};
  Words blank = words;
  blank.words[last].hi &= ~link::kMarkBit;
  blank.words[last].lo &= ~kCrcMask;
  if (ni_crc(blank.all()) != static_cast<uint32_t>(words.words[last].lo) || header.source >> 22 != 0)
    return std::nullopt;
  Packet packet;
  packet.source = header.source;
  packet.destination = header.destination;
  packet.sequence = static_cast<uint8_t>(header.sequence >> 24);
  packet.level = static_cast<uint8_t>(header.sequence >> 20 & 15);
  packet.operation = static_cast<uint8_t>(header.sequence >> 18 & 3);
  packet.type = static_cast<uint8_t>(header.sequence >> 16 & 3);
  packet.rank = static_cast<uint16_t>(header.sequence >> 6 & kRankMask);
  packet.code = static_cast<uint8_t>(header.sequence >> 2 & 15);
  packet.culprit = static_cast<uint16_t>(words.words[last].lo >> kCulpritLow & kRankMask);
  packet.bytes = header.payload_bytes;
  if (packet.code >= kCodes) return std::nullopt;
  if (packet.code == 0 ? !shape_fits(packet.operation, packet.type, packet.bytes) : packet.bytes != 0)
    return std::nullopt;
  std::memcpy(packet.vector.data(), &words.words[1], packet.bytes);
  return packet;
}

}  // namespace fabrictwin::nic::exanet::allreduce
