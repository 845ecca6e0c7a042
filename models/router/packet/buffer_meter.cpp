// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/buffer_meter.h"

#include <algorithm>

#include "cosim/link/record.h"

namespace fabrictwin::router::packet {

void BufferMeter::add(int32_t from, int32_t to, const LinkKind& link, int32_t bytes, int64_t begin) {
  if (from != kNoRouter) add({&link, begin, from, bytes, false});
  if (to != kNoRouter) add({&link, begin + link.latency, to, bytes, true});
}

void BufferMeter::add(const Transfer& transfer) {
  if (done_by(transfer, chosen_) < transfer.bytes) return transfers_.push_back(transfer);
  settled_[static_cast<size_t>(transfer.router)] += transfer.arrives ? transfer.bytes : -transfer.bytes;
}

// The bytes of the words that have arrived, or have begun to leave, before `time`.
int64_t BufferMeter::done_by(const Transfer& transfer, int64_t time) const {
  const auto before = [&](int32_t word) {
    const int32_t bytes = std::min(link::kWordBytes * (transfer.arrives ? word + 1 : word), transfer.bytes);
    return transfer.begin + transfer.link->duration[static_cast<size_t>(bytes)] < time;
  };
  int32_t words = 0;
  int32_t more = (transfer.bytes + link::kWordBytes - 1) / link::kWordBytes;
  if (before(more - 1)) return transfer.bytes;
  while (words < more) {
    const int32_t middle = (words + more) / 2;
    if (before(middle)) {
      words = middle + 1;
    } else {
      more = middle;
    }
  }
  return words * link::kWordBytes;
}

void BufferMeter::count(std::span<int64_t> bytes) {
  size_t kept = 0;
  for (const Transfer& transfer : transfers_) {
    const int64_t done = done_by(transfer, chosen_);
    const int64_t change = transfer.arrives ? done : -done;
    if (done == transfer.bytes) {
      settled_[static_cast<size_t>(transfer.router)] += change;
    } else {
      bytes[static_cast<size_t>(transfer.router)] += change;
      transfers_[kept++] = transfer;
    }
  }
  transfers_.resize(kept);
  for (size_t router = 0; router < settled_.size(); ++router) bytes[router] += settled_[router];
}

}  // namespace fabrictwin::router::packet
