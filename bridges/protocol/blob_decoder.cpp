// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/blob_decoder.h"

#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::protocol {

BlobDecoder::BlobDecoder(std::string peer, std::vector<BlobChannel> channels) : peer_(std::move(peer)) {
  channels_.reserve(channels.size());
  for (BlobChannel& channel : channels) {
    if (channel.id >= index_.size()) index_.resize(channel.id + 1, -1);
    index_[channel.id] = static_cast<int32_t>(channels_.size());
    link::RingMemory* ring = channel.ring;
    channels_.push_back({std::move(channel), link::RingProducer(ring)});
  }
}

absl::Status BlobDecoder::start(std::string blob) {
  if (blob.size() % sizeof(link::Record) != 0) {
    return absl::DataLossError(fmt::format("{}: protocol error: {} bytes of records, which is no multiple of {}", peer_,
                                           blob.size(), sizeof(link::Record)));
  }
  blob_ = std::move(blob);
  position_ = 0;
  return absl::OkStatus();
}

absl::StatusOr<size_t> BlobDecoder::push() {
  size_t moved = 0;
  while (position_ < blob_.size()) {
    link::Record record;
    std::memcpy(&record, blob_.data() + position_, sizeof record);
    if (absl::Status status = check(record); !status.ok()) return status;
    Channel& channel = channels_[index_[record.channel]];
    if (!channel.ring.try_push(record)) break;
    if (record.time() > channel.promise) channel.promise = record.time();
    if (record.kind == link::RecordKind::kEnd) {
      channel.ended = true;
      channel.promise = Time::never();
    } else if (record.kind != link::RecordKind::kPromise) {
      ++channel.records;
    }
    position_ += sizeof record;
    ++moved;
  }
  return moved;
}

absl::Status BlobDecoder::check(const link::Record& record) const {
  if (record.channel >= index_.size() || index_[record.channel] < 0) {
    return broken(record, "which is none that it may send on");
  }
  if ((record.stamp & link::Record::kOwnershipBit) != 0)
    return broken(record, "with a time beyond all times (bit 63 is set)");
  const Channel& channel = channels_[index_[record.channel]];
  if (channel.ended) return broken(record, "after the end of the channel");
  switch (record.kind) {
    case link::RecordKind::kPromise:
    case link::RecordKind::kBurst:
    case link::RecordKind::kCredit:
    case link::RecordKind::kHost:
    case link::RecordKind::kEnd:
    case link::RecordKind::kPacket:
    case link::RecordKind::kMessage:
    case link::RecordKind::kReturned:
    case link::RecordKind::kFlits:
    case link::RecordKind::kPath:
    case link::RecordKind::kPause:
    case link::RecordKind::kSetAside:
    case link::RecordKind::kHot:
      break;
    default:
      return broken(record, fmt::format("of unknown kind {}", static_cast<int>(record.kind)));
  }
  if (record.time() < channel.promise) {
    return broken(record, fmt::format("at {}, which is before the {} that were promised", to_string(record.time()),
                                      to_string(channel.promise)));
  }
  return absl::OkStatus();
}

absl::Status BlobDecoder::broken(const link::Record& record, const std::string& what) const {
  const bool known = record.channel < index_.size() && index_[record.channel] >= 0;
  const std::string name =
      known ? fmt::format(" ({})", channels_[index_[record.channel]].description.name) : std::string();
  return absl::DataLossError(
      fmt::format("{}: protocol error: a record on channel {}{} {}", peer_, record.channel, name, what));
}

}  // namespace fabrictwin::bridges::protocol
