// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
#include "tests/rtl/ape_router/ape_reference.h"

#include "cosim/base/random.h"

namespace fabrictwin::test {

ApeWord ApeHeader::encode(int vc) const {
  ApeWord word;
  word.vc = vc;
  word.sop = true;
  for (int d = 0; d < 3; ++d) word.data[0] |= static_cast<uint64_t>(to[d]) << (8 * d);
  word.data[0] |= static_cast<uint64_t>(payload_bytes) << 48 | static_cast<uint64_t>(tile_port) << 58;
  word.data[1] =
      static_cast<uint64_t>(source) | static_cast<uint64_t>(sequence) << 24 | static_cast<uint64_t>(ties) << 56;
  return word;
}

ApeHeader ApeHeader::decode(const ApeWord& word) {
  ApeHeader header;
  for (int d = 0; d < 3; ++d) header.to[d] = static_cast<int>(word.data[0] >> (8 * d) & 0xff);
  header.payload_bytes = static_cast<int>(word.data[0] >> 48 & 0x3ff);
  header.tile_port = static_cast<int>(word.data[0] >> 58 & 7);
  header.source = static_cast<int>(word.data[1] & 0xffffff);
  header.sequence = static_cast<uint32_t>(word.data[1] >> 24);
  header.ties = static_cast<int>(word.data[1] >> 56);
  return header;
}

std::optional<ApeHop> reference_route(const ApeShape& shape, const ApeConfig& config, const ApeHeader& header,
                                      int in_port, int in_vc) {
  for (int d = 0; d < 3; ++d) {
    if (header.to[d] >= config.dims[d]) return std::nullopt;
  }
  std::optional<ApeHop> hop;
  for (const int d : config.order) {
    if (d >= shape.dims() || header.to[d] == config.here[d]) continue;
    // Counts the steps both ways.
    int plus = 0;
    for (int at = config.here[d]; at != header.to[d]; at = (at + 1) % config.dims[d]) ++plus;
    const int minus = config.dims[d] - plus;
    const bool go_plus = plus < minus || (plus == minus && (header.ties >> d & 1) == 0);
    const bool upper = config.vc_by_direction ? go_plus : header.to[d] > config.here[d];
    hop = {shape.intra + 2 * d + (go_plus ? 0 : 1), upper ? 1 : 0};
    break;
  }
  // What no dimension of the order leads to is not reached.
  for (int d = 0; d < 3; ++d) {
    if (header.to[d] == config.here[d]) continue;
    bool covered = false;
    for (const int o : config.order) covered |= o == d && d < shape.dims();
    if (!covered) return std::nullopt;
  }
  if (!hop) {
    if (header.tile_port >= shape.intra) return std::nullopt;
    hop = {header.tile_port, in_vc};
  }
  if (hop->port == in_port && in_port >= shape.intra) return std::nullopt;
  if (!shape.tile_to_tile && in_port < shape.intra && hop->port < shape.intra) return std::nullopt;
  return hop;
}

std::vector<ApeWord> make_ape_packet(const ApeShape& shape, const ApeHeader& header, int vc, uint64_t fill) {
  std::vector<ApeWord> words{header.encode(vc)};
  const int payload = shape.payload_words(header.payload_bytes);
  for (int i = 0; i < payload; ++i) {
    ApeWord word;
    word.vc = vc;
    for (int k = 0; k < shape.word_bits / 64; ++k) word.data[k] = mix64(fill + static_cast<uint64_t>(8 * i + k)) | 1;
    words.push_back(word);
  }
  ApeWord footer;
  footer.vc = vc;
  footer.eop = true;
  footer.data[0] = ~fill | 1;
  footer.data[1] = fill;
  words.push_back(footer);
  return words;
}

}  // namespace fabrictwin::test
