// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/writer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "cosim/base/output_file.h"
#include "cosim/base/text.h"
#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"
#include "workloads/trace/format/column_decoder.h"
#include "workloads/trace/format/frame.h"

namespace fabrictwin::trace::format {
namespace {

// Large enough to compress well, small enough that hundreds of ranks fit in a cache when they are read side by side.
constexpr uint32_t kBlockEvents = 8192;
constexpr size_t kBlockBytes = 256u << 10;

}  // namespace

absl::StatusOr<std::unique_ptr<Writer>> Writer::create(const std::string& path, const Info& info) {
  if (info.ranks == 0 || info.ranks > kMaxRanks) {
    return absl::InvalidArgumentError(
        fmt::format("{}: a trace has 1 to {} ranks, not {}", path, kMaxRanks, info.ranks));
  }
  std::unique_ptr<Writer> writer(new Writer(path, info));
  if (absl::Status status = writer->begin(info); !status.ok()) return status;
  return writer;
}

Writer::Writer(std::string path, const Info& info) : path_(std::move(path)), ranks_(info.ranks) {}

Writer::~Writer() {
  if (!file_.is_open()) return;
  file_.close();
  std::remove(part_path_.c_str());
}

absl::Status Writer::begin(const Info& info) {
  const absl::StatusOr<std::string> target = replaceable_file(path_);
  if (!target.ok()) return target.status();
  target_path_ = *target;
  part_path_ = target_path_ + ".part";
  file_.open(part_path_, std::ios::binary | std::ios::trunc);
  if (!file_)
    return absl::FailedPreconditionError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  v1::TraceHeader header;
  header.set_version(kTraceVersion);
  header.set_ranks(info.ranks);
  header.set_application(info.application);
  header.set_source(info.source);
  if (absl::Status status = write(kTraceMagic); !status.ok()) return status;
  uint32_t bytes = 0;
  return write_chunk(header.SerializeAsString(), bytes);
}

absl::Status Writer::write(std::string_view bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file_)
    return absl::FailedPreconditionError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  offset_ += bytes.size();
  return absl::OkStatus();
}

absl::Status Writer::write_chunk(const std::string& message, uint32_t& bytes) {
  uint8_t length[10];
  const uint8_t* end = google::protobuf::io::CodedOutputStream::WriteVarint64ToArray(message.size(), length);
  const std::string_view prefix(reinterpret_cast<const char*>(length), static_cast<size_t>(end - length));
  bytes = static_cast<uint32_t>(prefix.size() + message.size());
  if (absl::Status status = write(prefix); !status.ok()) return status;
  return write(message);
}

absl::Status Writer::append(uint32_t rank, const Event& event) {
  if (rank >= ranks_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: rank {} does not exist: the trace has {} ranks", path_, rank, ranks_.size()));
  }
  RankState& state = ranks_[rank];
  if (absl::Status status = check_event(event, static_cast<uint32_t>(ranks_.size())); !status.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: rank {}, event {}: {}", path_, rank, state.summary.events(), message_of(status)));
  }
  state.summary.add(event);
  state.encoder.add(event);
  if (state.encoder.events() < kBlockEvents && state.encoder.bytes() < kBlockBytes) return absl::OkStatus();
  return flush(rank);
}

absl::Status Writer::flush(uint32_t rank) {
  RankState& state = ranks_[rank];
  const uint32_t events = state.encoder.events();
  if (events == 0) return absl::OkStatus();
  v1::TraceColumns columns = state.encoder.take();
  // The heap memory of a rank that is complete is freed.
  state.encoder = ColumnEncoder();
  const std::string plain = columns.SerializeAsString();
  if (plain.size() > kMaxColumnsBytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: rank {}, event {}: an event is larger than a block can be", path_, rank, state.flushed));
  }
  v1::TraceBlock block;
  block.set_rank(rank);
  block.set_first_event(state.flushed);
  block.set_events(events);
  block.set_columns_bytes(static_cast<uint32_t>(plain.size()));
  block.set_columns(compress_frame(plain));
  const uint64_t offset = offset_;
  uint32_t bytes = 0;
  if (absl::Status status = write_chunk(block.SerializeAsString(), bytes); !status.ok()) return status;
  state.summary.add_block(offset, bytes, events);
  state.flushed += events;
  return absl::OkStatus();
}

absl::Status Writer::finish() {
  std::string index;
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (absl::Status status = flush(rank); !status.ok()) return status;
    // The serialized form of a repeated field is the concatenation of its parts, so the whole index need not be copied
    // in memory.
    v1::TraceIndex part;
    *part.add_ranks() = ranks_[rank].summary.to_proto();
    if (part.ByteSizeLong() > kMaxRankIndexBytes) {
      return absl::InvalidArgumentError(
          fmt::format("{}: rank {} has more blocks and peers than an index can hold", path_, rank));
    }
    part.AppendToString(&index);
  }
  if (index.size() > kMaxIndexBytes)
    return absl::InvalidArgumentError(fmt::format("{}: the trace is larger than an index can hold", path_));
  v1::TraceIndexChunk chunk;
  chunk.set_index_bytes(static_cast<uint32_t>(index.size()));
  chunk.set_index(compress_frame(index));
  std::string trailer(8, '\0');
  google::protobuf::io::CodedOutputStream::WriteLittleEndian64ToArray(offset_,
                                                                      reinterpret_cast<uint8_t*>(trailer.data()));
  trailer += kTraceEndMagic;
  uint32_t bytes = 0;
  if (absl::Status status = write_chunk(chunk.SerializeAsString(), bytes); !status.ok()) return status;
  if (absl::Status status = write(trailer); !status.ok()) return status;
  file_.close();
  if (file_.fail() || std::rename(part_path_.c_str(), target_path_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(part_path_.c_str());
    return absl::FailedPreconditionError(fmt::format("{}: cannot be written: {}", path_, reason));
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::trace::format
