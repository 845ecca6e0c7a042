// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/blob_encoder.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fabrictwin::bridges::protocol {

BlobEncoder::BlobEncoder(std::vector<BlobChannel> channels) {
  channels_.reserve(channels.size());
  for (BlobChannel& channel : channels) {
    link::RingMemory* ring = channel.ring;
    channels_.push_back({std::move(channel), link::RingConsumer(ring)});
  }
}

size_t BlobEncoder::collect(size_t max_bytes) {
  size_t taken = 0;
  found_full_ = false;
  for (Channel& channel : channels_) {
    const size_t before = taken;
    while (const link::Record* slot = channel.ring.front()) {
      const Time time = slot->time();
      if (slot->kind != link::RecordKind::kPromise) {
        if (blob_.size() >= max_bytes && !channel.description.passing) break;
        append(*slot);
        ++taken;
        if (slot->kind != link::RecordKind::kEnd) ++channel.records;
        if (channel.first_unsent.is_never()) channel.first_unsent = time;
        channel.last_stamp = slot->kind == link::RecordKind::kEnd ? Time::never() : time;
      }
      if (time > channel.promise) channel.promise = time;
      channel.ring.pop();
    }
    if (taken - before >= channel.description.ring->slots) found_full_ = true;
  }
  return taken;
}

void BlobEncoder::append(const link::Record& record) {
  const size_t at = blob_.size();
  blob_.append(reinterpret_cast<const char*>(&record), sizeof record);
  const uint64_t stamp = record.stamp & ~link::Record::kOwnershipBit;
  std::memcpy(blob_.data() + at + offsetof(link::Record, stamp), &stamp, sizeof stamp);
}

void BlobEncoder::finish(std::string& blob) {
  for (Channel& channel : channels_) {
    channel.first_unsent = Time::never();
    // A record is also a promise of its stamp, and an end is a promise that nothing follows.
    channel.told = std::max(channel.told, channel.last_stamp);
    if (channel.promise <= channel.told) continue;
    channel.told = channel.promise;
    link::Record record;
    record.channel = channel.description.id;
    record.kind = link::RecordKind::kPromise;
    record.set_time(channel.promise);
    append(record);
  }
  blob.swap(blob_);
  blob_.clear();
}

}  // namespace fabrictwin::bridges::protocol
