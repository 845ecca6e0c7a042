// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of the network interface, written down a second time and independently of rtl/ni/ni_pkg.sv.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fabrictwin::test {

/// A link word: bits 63..0 and 127..64.
struct NiWord {
  uint64_t lo = 0;
  uint64_t hi = 0;
  bool operator==(const NiWord&) const = default;
};

/// A link word with its side signals.
struct NiLinkWord {
  NiWord word;
  int vc = 0;
  bool sop = false;
  bool eop = false;
};

enum NiKind : int {
  kKindMessage = 1,
  kKindAck = 2,
  kKindNack = 3,
};
enum NiVerdict : int { kVerdictNone, kVerdictAccepted, kVerdictPdid, kVerdictDisabled, kVerdictFull, kVerdictMemory };
enum NiState : int { kIdle, kOngoing, kAcked, kNacked, kTimedOut };

/// A packet of the network interface between nodes of a lattice with 2^x_bits columns and so on.
struct NiPacket {
  int packet_kind = 0;  ///< In the ExaNet header; not 0 for packets of the RDMA units, whose payload is not looked at.
  int kind = 0;
  int vc = 0;
  uint32_t source = 0;
  int source_rank = 0;
  uint32_t destination = 0;
  int rank = 0;
  uint32_t pdid = 0;
  uint64_t va = 0;
  uint32_t sequence = 0;
  int channel = 0;
  std::vector<uint8_t> data;

  uint32_t tag() const { return sequence << 8 | static_cast<uint32_t>(channel); }
  /// Header, own header, data, footer.
  std::vector<NiWord> words() const;
  /// The packet of these words, if they are exactly what words() makes of one.
  static std::optional<NiPacket> parse(const std::vector<NiWord>& words, int vc);
  bool operator==(const NiPacket&) const = default;
};

/// CRC-32 (IEEE 802.3), bit by bit, over the bytes of the words.
uint32_t ni_crc32(const std::vector<NiWord>& words);

/// Link words of a packet on a VC.
std::vector<NiLinkWord> ni_frame(const std::vector<NiWord>& words, int vc);

inline constexpr int kNiTileBits = 1;  ///< All tests number nodes with it: 2 tile ports of each of 2 x 2 positions.
inline constexpr int kNiXBits = 1;
inline constexpr int kNiYBits = 1;

}  // namespace fabrictwin::test
