// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/column_decoder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/wire_format_lite.h"

namespace fabrictwin {
namespace {

absl::Status check_rank(int32_t rank, uint32_t ranks, bool any_source) {
  if (any_source && rank == kAnySource) return absl::OkStatus();
  if (rank >= 0 && static_cast<uint32_t>(rank) < ranks) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("rank {} does not exist: the trace has {} ranks", rank, ranks));
}

absl::Status check_size(uint64_t count, v1::TraceDatatype datatype) {
  const uint32_t size = datatype_bytes(datatype);
  if (size == 0) return absl::InvalidArgumentError(fmt::format("{} is not a datatype", static_cast<int>(datatype)));
  if (count <= kMaxMessageBytes / size) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} elements of {} bytes are more than a message can have", count, size));
}

absl::Status check_counts(CountForm form, uint64_t one, const std::vector<uint64_t>& each, v1::TraceDatatype datatype,
                          bool world, uint32_t ranks) {
  if (form == CountForm::kOne) return check_size(one, datatype);
  if (form == CountForm::kEachRank) {
    if (world ? each.size() != ranks : each.empty() || each.size() > ranks)
      return absl::InvalidArgumentError(fmt::format("has {} counts for {} ranks", each.size(), ranks));
    for (const uint64_t count : each) {
      if (absl::Status status = check_size(count, datatype); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

// Every member is a rank of the trace; none is there twice.
absl::Status check_members(const TraceEvent& event, uint32_t ranks) {
  if (event.count == 0 || event.count > kMaxCommunicator) {
    return absl::InvalidArgumentError(
        fmt::format("communicator {}: numbers of communicators go from 1 to {}", event.count, kMaxCommunicator));
  }
  if (event.send_counts.empty()) return absl::InvalidArgumentError("a communicator has no members");
  std::vector<uint64_t> members = event.send_counts;
  std::sort(members.begin(), members.end());
  if (members.back() >= ranks) {
    return absl::InvalidArgumentError(fmt::format("member {} of communicator {} does not exist: the trace has {} ranks",
                                                  members.back(), event.count, ranks));
  }
  if (const auto twice = std::adjacent_find(members.begin(), members.end()); twice != members.end()) {
    return absl::InvalidArgumentError(fmt::format("rank {} is a member of communicator {} twice", *twice, event.count));
  }
  return absl::OkStatus();
}

// Keeps the memory of its lists.
void clear(TraceEvent& event) {
  std::vector<uint64_t> sent = std::move(event.send_counts);
  std::vector<uint64_t> received = std::move(event.receive_counts);
  event = TraceEvent();
  sent.clear();
  received.clear();
  event.send_counts = std::move(sent);
  event.receive_counts = std::move(received);
}

}  // namespace

absl::Status check_event(const TraceEvent& event, uint32_t ranks) {
  if (!v1::TraceAction_IsValid(event.action) || event.action == v1::TRACE_ACTION_UNSPECIFIED) {
    return absl::InvalidArgumentError(fmt::format("{} is not an action", static_cast<int>(event.action)));
  }
  const bool world = event.communicator == 0;
  const ActionShape& shape = action_shape(event.action);
  absl::Status status;
  if (shape.peers >= 1) status.Update(check_rank(event.peer, ranks, shape.any_source));
  if (shape.peers >= 2) status.Update(check_rank(event.receive_peer, ranks, false));
  const bool any_tag = shape.any_source && shape.communicator && event.tag == kAnyTag;
  if (shape.tag && event.tag < 0 && !any_tag)
    status.Update(absl::InvalidArgumentError(fmt::format("tag {} is negative", event.tag)));
  status.Update(check_counts(shape.sent, event.count, event.send_counts, event.datatype, world, ranks));
  status.Update(
      check_counts(shape.received, event.receive_count, event.receive_counts, event.receive_datatype, world, ranks));
  if (shape.sent == CountForm::kListed) status.Update(check_members(event, ranks));
  if (event.communicator > kMaxCommunicator) {
    status.Update(absl::InvalidArgumentError(
        fmt::format("communicator {}: numbers go up to {}", event.communicator, kMaxCommunicator)));
  }
  if (shape.duration && event.duration < Time::zero())
    status.Update(absl::InvalidArgumentError("a duration is negative"));
  return status;
}

ColumnDecoder::ColumnDecoder(v1::TraceColumns columns, uint32_t events, uint32_t ranks)
    : columns_(std::move(columns)), events_(events), ranks_(ranks) {}

absl::Status ColumnDecoder::get_long_varint(const std::string& column, size_t& position, std::string_view what,
                                            uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (position >= column.size()) return absl::DataLossError(fmt::format("the column of {} ends too early", what));
    const uint8_t byte = static_cast<uint8_t>(column[position++]);
    value |= shift < 64 ? uint64_t{byte & 0x7fu} << shift : 0;
    if ((byte & 0x80) == 0) return absl::OkStatus();
  }
  return absl::DataLossError(fmt::format("the column of {} holds a number of more than 64 bits", what));
}

absl::Status ColumnDecoder::get_signed(const std::string& column, size_t& position, std::string_view what,
                                       int32_t& value) const {
  uint64_t raw = 0;
  if (absl::Status status = get_varint(column, position, what, raw); !status.ok()) return status;
  if (raw > std::numeric_limits<uint32_t>::max()) {
    return absl::DataLossError(fmt::format("the column of {} holds a number of more than 32 bits", what));
  }
  value = google::protobuf::internal::WireFormatLite::ZigZagDecode32(static_cast<uint32_t>(raw));
  return absl::OkStatus();
}

absl::Status ColumnDecoder::get_counts(CountForm form, bool world, uint64_t& one, std::vector<uint64_t>& each) {
  if (form == CountForm::kOne || form == CountForm::kListed) {
    if (absl::Status status = get_varint(columns_.counts(), count_, "counts", one); !status.ok()) return status;
  }
  if (form == CountForm::kEachRank || form == CountForm::kListed) {
    uint64_t size = ranks_;
    if (form == CountForm::kListed || !world) {
      if (absl::Status status = get_varint(columns_.counts(), count_, "counts", size); !status.ok()) return status;
    }
    // Every count takes a byte at least: what is not there is not allocated.
    if (columns_.counts().size() - count_ < size) return absl::DataLossError("the column of counts ends too early");
    each.resize(size);
    for (uint64_t& count : each) {
      if (absl::Status status = get_varint(columns_.counts(), count_, "counts", count); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status ColumnDecoder::get_datatype(v1::TraceDatatype& datatype) {
  if (datatype_ >= columns_.datatypes().size()) return absl::DataLossError("the column of datatypes ends too early");
  datatype = static_cast<v1::TraceDatatype>(static_cast<uint8_t>(columns_.datatypes()[datatype_++]));
  return absl::OkStatus();
}

absl::Status ColumnDecoder::get_duration(Time& duration) {
  uint64_t value = 0;
  if (absl::Status status = get_varint(columns_.durations(), duration_, "durations", value); !status.ok())
    return status;
  uint64_t fs = 0;
  if (__builtin_mul_overflow(value, columns_.duration_unit_fs(), &fs) ||
      fs > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return absl::DataLossError("a duration is longer than simulated time can be");
  }
  duration = Time::from_fs(static_cast<int64_t>(fs));
  return absl::OkStatus();
}

absl::Status ColumnDecoder::get_event(TraceEvent& event) {
  if (next_ >= columns_.actions().size()) return absl::DataLossError("the column of actions ends too early");
  event.action = static_cast<v1::TraceAction>(static_cast<uint8_t>(columns_.actions()[next_]));
  if (!v1::TraceAction_IsValid(event.action) || event.action == v1::TRACE_ACTION_UNSPECIFIED) {
    return absl::DataLossError(fmt::format("{} is not an action", static_cast<int>(event.action)));
  }
  const ActionShape& shape = action_shape(event.action);
  absl::Status status;
  if (shape.communicator && !columns_.communicators().empty()) {
    uint64_t communicator = 0;
    status.Update(get_varint(columns_.communicators(), communicator_, "communicators", communicator));
    if (communicator > kMaxCommunicator) return absl::DataLossError(fmt::format("{} is no communicator", communicator));
    event.communicator = static_cast<uint32_t>(communicator);
  }
  const bool world = event.communicator == 0;
  if (shape.peers >= 1) status.Update(get_signed(columns_.peers(), peer_, "peers", event.peer));
  if (shape.peers >= 2) status.Update(get_signed(columns_.peers(), peer_, "peers", event.receive_peer));
  if (shape.tag) status.Update(get_signed(columns_.tags(), tag_, "tags", event.tag));
  status.Update(get_counts(shape.sent, world, event.count, event.send_counts));
  status.Update(get_counts(shape.received, world, event.receive_count, event.receive_counts));
  if (shape.datatypes >= 1) status.Update(get_datatype(event.datatype));
  if (shape.datatypes >= 2) status.Update(get_datatype(event.receive_datatype));
  if (shape.duration) status.Update(get_duration(event.duration));
  return status;
}

absl::Status ColumnDecoder::check_end() const {
  if (next_ == columns_.actions().size() && peer_ == columns_.peers().size() && tag_ == columns_.tags().size() &&
      count_ == columns_.counts().size() && datatype_ == columns_.datatypes().size() &&
      duration_ == columns_.durations().size() && communicator_ == columns_.communicators().size()) {
    return absl::OkStatus();
  }
  return absl::DataLossError("the columns hold more than the events of the block");
}

absl::Status ColumnDecoder::next(TraceEvent& event) {
  clear(event);
  if (absl::Status status = get_event(event); !status.ok()) return status;
  ++next_;
  if (absl::Status status = check_event(event, ranks_); !status.ok()) return absl::DataLossError(status.message());
  if (remaining() == 0) {
    if (absl::Status status = check_end(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin
