// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/framer.h"

namespace fabrictwin::nic::exanet {

Framer::Result Framer::take(const link::Word& word, uint8_t flags) {
  Result result;
  const bool end = (flags & link::kEndOfPacket) != 0;
  if ((flags & link::kStartOfPacket) != 0) {
    if (active_) {
      result.fault = Fault::kFrame;
      result.freed = packet_.count;
    }
    active_ = false;
    skipping_ = !end;
    const link::PacketHeader header = link::PacketHeader::decode(word);
    if (end || header.payload_bytes > link::kMaxPayloadBytes) {
      result.fault = end ? Fault::kFrame : Fault::kLength;
      ++result.freed;
      return result;
    }
    active_ = true;
    skipping_ = false;
    expected_ = header.packet_words();
    packet_.words[0] = word;
    packet_.count = 1;
    return result;
  }
  if (!active_) {
    result.freed = 1;
    if (!skipping_) result.fault = Fault::kFrame;
    if (end) skipping_ = false;
    return result;
  }
  packet_.words[packet_.count++] = word;
  const bool last = packet_.count == expected_;
  if (end && last) {
    active_ = false;
    result.complete = true;
  } else if (end || last) {
    active_ = false;
    skipping_ = !end;
    result.fault = Fault::kFrame;
    result.freed = packet_.count;
  }
  return result;
}

}  // namespace fabrictwin::nic::exanet
