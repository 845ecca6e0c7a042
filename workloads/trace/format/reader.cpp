// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/reader.h"

#include <algorithm>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "workloads/trace/format/frame.h"

namespace fabrictwin::trace::format {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr int kMaxLengthBytes = 5;

// Reads the length of a message at the start of `bytes`. Returns 0 if there is none.
size_t read_length(std::string_view bytes, uint32_t& length) {
  CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                          static_cast<int>(std::min<size_t>(bytes.size(), kMaxLengthBytes)));
  return stream.ReadVarint32(&length) ? static_cast<size_t>(stream.CurrentPosition()) : 0;
}

absl::Status check_actions(const v1::RankIndex& index) {
  uint64_t total = 0;
  int last = 0;
  for (const v1::ActionSummary& action : index.actions()) {
    if (!v1::TraceAction_IsValid(action.action()) || action.action() <= last)
      return absl::DataLossError("lists actions that do not exist or out of order");
    if (action.count() > index.events() || action.first_event() >= index.events())
      return absl::DataLossError("counts more actions than events");
    last = action.action();
    total += action.count();
  }
  return total == index.events() ? absl::OkStatus()
                                 : absl::DataLossError("counts of actions do not add up to the events");
}

absl::Status check_peers(const v1::RankIndex& index, uint32_t ranks) {
  int64_t last = -1;
  for (const v1::PeerSummary& peer : index.peers()) {
    if (peer.rank() >= ranks || int64_t{peer.rank()} <= last)
      return absl::DataLossError("lists peers that do not exist or out of order");
    if (peer.sends() > index.events() || peer.receives() > index.events())
      return absl::DataLossError("counts more messages than events");
    last = peer.rank();
  }
  return absl::OkStatus();
}

absl::Status check_blocks(const v1::RankIndex& index, uint64_t from, uint64_t to) {
  uint64_t events = 0;
  for (const v1::BlockPosition& block : index.blocks()) {
    if (block.offset() < from || block.offset() > to || block.bytes() > to - block.offset())
      return absl::DataLossError("has a block outside the file");
    if (block.events() == 0 || block.events() > kMaxBlockEvents) {
      return absl::DataLossError(
          fmt::format("has a block of {} events; 1 to {} are possible", block.events(), kMaxBlockEvents));
    }
    if (block.bytes() > kMaxBlockBytes)
      return absl::DataLossError(
          fmt::format("has a block of {} bytes; at most {} are possible", block.bytes(), kMaxBlockBytes));
    events += block.events();
  }
  if (events != index.events())
    return absl::DataLossError(
        fmt::format("has blocks of {} events in all where {} are announced", events, index.events()));
  return absl::OkStatus();
}

// Without an index, blocks are counted one by one to tell the user how far the file goes.
std::string cut_off(const ByteSource& source, uint64_t header_end) {
  uint64_t offset = header_end;
  v1::TraceBlock last;
  while (true) {
    const uint64_t left = source.size() - offset;
    const absl::StatusOr<std::string> start = source.read(offset, std::min<uint64_t>(left, kMaxLengthBytes));
    uint32_t length = 0;
    const size_t prefix = start.ok() ? read_length(*start, length) : 0;
    if (prefix == 0 || length > kMaxBlockBytes || length > left - prefix) break;
    const absl::StatusOr<std::string> bytes = source.read(offset + prefix, length);
    v1::TraceBlock block;
    if (!bytes.ok() || !block.ParseFromString(*bytes) || block.events() == 0) break;
    last = std::move(block);
    offset += prefix + length;
  }
  const std::string where =
      last.events() == 0 ? "before the first event"
                         : fmt::format("after rank {}, event {}", last.rank(), last.first_event() + last.events() - 1);
  return fmt::format("is cut off {}: it does not end with an index; copy it again, or make it anew", where);
}

}  // namespace

uint64_t RankFacts::count(v1::TraceAction action) const {
  for (const v1::ActionSummary& summary : actions) {
    if (summary.action() == action) return summary.count();
  }
  return 0;
}

absl::StatusOr<std::shared_ptr<const Reader>> Reader::open(const std::string& path) {
  absl::StatusOr<std::unique_ptr<ByteSource>> source = open_file_source(path);
  if (!source.ok()) return source.status();
  return open(*std::move(source));
}

absl::StatusOr<std::shared_ptr<const Reader>> Reader::open(std::unique_ptr<ByteSource> source) {
  std::shared_ptr<Reader> reader(new Reader(std::move(source)));
  if (absl::Status status = reader->load(); !status.ok()) return status;
  return reader;
}

uint64_t Reader::events() const {
  uint64_t events = 0;
  for (const RankFacts& facts : facts_) events += facts.events;
  return events;
}

absl::Status Reader::error(std::string_view reason) const {
  return absl::DataLossError(fmt::format("{}: {}", name(), reason));
}

absl::Status Reader::load() {
  uint64_t header_end = 0;
  if (absl::Status status = load_header(header_end); !status.ok()) return status;
  return load_index(header_end);
}

absl::Status Reader::load_header(uint64_t& end) {
  const uint64_t size = source_->size();
  absl::StatusOr<std::string> start = source_->read(0, std::min<uint64_t>(size, kTraceMagic.size() + kMaxLengthBytes));
  if (!start.ok()) return start.status();
  if (!std::string_view(*start).starts_with(kTraceMagic)) return error("is not a trace file (.fttrace)");
  uint32_t length = 0;
  const size_t prefix = read_length(std::string_view(*start).substr(kTraceMagic.size()), length);
  if (prefix == 0) return error("is cut off in its header");
  if (length > kMaxHeaderBytes)
    return error(fmt::format("claims a header of {} bytes; at most {} are possible", length, kMaxHeaderBytes));
  absl::StatusOr<std::string> bytes = source_->read(kTraceMagic.size() + prefix, length);
  if (!bytes.ok()) return error("is cut off in its header");
  if (!header_.ParseFromString(*bytes)) return error("has a damaged header");
  if (header_.version() != kTraceVersion) {
    return error(fmt::format("has version {} of the trace format; this program reads version {}", header_.version(),
                             kTraceVersion));
  }
  if (header_.ranks() == 0 || header_.ranks() > kMaxRanks)
    return error(fmt::format("claims {} ranks; 1 to {} are possible", header_.ranks(), kMaxRanks));
  end = kTraceMagic.size() + prefix + length;
  return absl::OkStatus();
}

absl::Status Reader::load_index(uint64_t header_end) {
  const uint64_t size = source_->size();
  if (size < header_end + kTraceTrailerBytes) return error(cut_off(*source_, header_end));
  absl::StatusOr<std::string> trailer = source_->read(size - kTraceTrailerBytes, kTraceTrailerBytes);
  if (!trailer.ok()) return trailer.status();
  if (!std::string_view(*trailer).ends_with(kTraceEndMagic)) return error(cut_off(*source_, header_end));
  uint64_t offset = 0;
  CodedInputStream::ReadLittleEndian64FromArray(reinterpret_cast<const uint8_t*>(trailer->data()), &offset);
  const uint64_t limit = size - kTraceTrailerBytes;
  if (offset < header_end || offset > limit) return error("has an index outside the file");
  absl::StatusOr<std::string> start = source_->read(offset, std::min<uint64_t>(limit - offset, kMaxLengthBytes));
  if (!start.ok()) return start.status();
  uint32_t length = 0;
  const size_t prefix = read_length(*start, length);
  if (prefix == 0 || length != limit - offset - prefix) return error("has a damaged index");
  if (length > kMaxIndexChunkBytes)
    return error(fmt::format("claims an index of {} bytes; at most {} are possible", length, kMaxIndexChunkBytes));
  absl::StatusOr<std::string> bytes = source_->read(offset + prefix, length);
  if (!bytes.ok()) return bytes.status();
  v1::TraceIndexChunk chunk;
  if (!chunk.ParseFromString(*bytes)) return error("has a damaged index");
  absl::StatusOr<std::string> index = decompress_frame(chunk.index(), chunk.index_bytes(), kMaxIndexBytes);
  if (!index.ok()) return error(fmt::format("has an index that {}", message_of(index.status())));
  return parse_index(*index, header_end, offset);
}

// Parses one rank at a time, so that an index that claims millions of small entries cannot fill the memory before it is
// found to be invalid.
absl::Status Reader::parse_index(const std::string& index, uint64_t header_end, uint64_t index_offset) {
  CodedInputStream stream(reinterpret_cast<const uint8_t*>(index.data()), static_cast<int>(index.size()));
  const uint32_t ranks_tag = WireFormatLite::MakeTag(1, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  uint64_t block_bytes = 0;
  while (uint32_t tag = stream.ReadTag()) {
    uint32_t length = 0;
    std::string bytes;
    if (tag != ranks_tag || !stream.ReadVarint32(&length) || length > kMaxRankIndexBytes ||
        !stream.ReadString(&bytes, static_cast<int>(length))) {
      return error("has a damaged index");
    }
    if (facts_.size() == ranks()) return error(fmt::format("has an index of more than its {} ranks", ranks()));
    v1::RankIndex entry;
    if (!entry.ParseFromString(bytes)) return error("has a damaged index");
    absl::Status status = check_blocks(entry, header_end, index_offset);
    status.Update(check_actions(entry));
    status.Update(check_peers(entry, ranks()));
    if (!status.ok()) return error(fmt::format("rank {} {}", facts_.size(), message_of(status)));
    RankFacts& facts = facts_.emplace_back();
    facts.events = entry.events();
    facts.wildcard_receives = entry.wildcard_receives();
    facts.collectives_hash = entry.collectives_hash();
    facts.actions.assign(entry.actions().begin(), entry.actions().end());
    facts.peers.assign(entry.peers().begin(), entry.peers().end());
    for (const v1::BlockPosition& block : entry.blocks()) {
      facts.blocks.push_back({block.offset(), block.bytes(), block.events()});
      block_bytes += block.bytes();
    }
    if (block_bytes > index_offset - header_end) return error("has an index of more blocks than the file holds");
  }
  if (!stream.ConsumedEntireMessage()) return error("has a damaged index");
  if (facts_.size() != ranks())
    return error(fmt::format("has an index of {} ranks where {} are announced", facts_.size(), ranks()));
  return absl::OkStatus();
}

absl::StatusOr<ColumnDecoder> Reader::read_block(uint32_t rank, size_t block, uint64_t first_event) const {
  const BlockRef& ref = facts_[rank].blocks[block];
  absl::StatusOr<std::string> bytes = source_->read(ref.offset, ref.bytes);
  if (!bytes.ok()) return bytes.status();
  uint32_t length = 0;
  const size_t prefix = read_length(*bytes, length);
  v1::TraceBlock message;
  if (prefix == 0 || length != bytes->size() - prefix ||
      !message.ParseFromArray(bytes->data() + prefix, static_cast<int>(length))) {
    return absl::DataLossError("the block is damaged");
  }
  if (message.rank() != rank || message.first_event() != first_event || message.events() != ref.events) {
    return absl::DataLossError(fmt::format("the block holds rank {}, events {} to {}, not what the index says",
                                           message.rank(), message.first_event(),
                                           message.first_event() + message.events()));
  }
  absl::StatusOr<std::string> plain = decompress_frame(message.columns(), message.columns_bytes(), kMaxColumnsBytes);
  if (!plain.ok()) return absl::DataLossError(fmt::format("the block {}", message_of(plain.status())));
  v1::TraceColumns columns;
  if (!columns.ParseFromString(*plain)) return absl::DataLossError("the block is damaged");
  return ColumnDecoder(std::move(columns), message.events(), ranks());
}

RankCursor::RankCursor(std::shared_ptr<const Reader> reader, uint32_t rank) : reader_(std::move(reader)), rank_(rank) {}

absl::StatusOr<std::optional<Event>> RankCursor::next() {
  std::optional<Event> event;
  absl::StatusOr<bool> read = next(event.emplace());
  if (!read.ok()) return read.status();
  if (!*read) event.reset();
  return event;
}

absl::Status RankCursor::fail(const absl::Status& status) {
  failure_ =
      absl::DataLossError(fmt::format("{}: rank {}, event {}: {}", reader_->name(), rank_, event_, message_of(status)));
  return failure_;
}

absl::Status RankCursor::load() {
  if (!failure_.ok()) return failure_;
  if (decoder_.remaining() > 0 || block_ == reader_->rank(rank_).blocks.size()) return absl::OkStatus();
  absl::StatusOr<ColumnDecoder> decoder = reader_->read_block(rank_, block_, event_);
  if (!decoder.ok()) return fail(decoder.status());
  decoder_ = *std::move(decoder);
  ++block_;
  return absl::OkStatus();
}

absl::StatusOr<bool> RankCursor::next(Event& event) {
  if (!failure_.ok()) return failure_;
  if (decoder_.remaining() == 0) {
    if (block_ == reader_->rank(rank_).blocks.size()) return false;
    if (absl::Status status = load(); !status.ok()) return status;
  }
  if (absl::Status status = decoder_.next(event); !status.ok()) return fail(status);
  ++event_;
  return true;
}

}  // namespace fabrictwin::trace::format
