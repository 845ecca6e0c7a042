// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/column_decoder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/wire_format_lite.h"

namespace fabrictwin::trace::format {
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

// Checks that every member is a rank of the trace and occurs once.
absl::Status check_members(const Event& event, uint32_t ranks) {
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

// Resets an event but keeps the memory of its lists.
void clear(Event& event) {
  std::vector<uint64_t> sent = std::move(event.send_counts);
  std::vector<uint64_t> received = std::move(event.receive_counts);
  event = Event();
  sent.clear();
  received.clear();
  event.send_counts = std::move(sent);
  event.receive_counts = std::move(received);
}

}  // namespace

absl::Status check_event(const Event& event, uint32_t ranks) {
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
    : events_(events),
      ranks_(ranks),
      world_only_(columns.communicators().empty()),
      duration_unit_fs_(columns.duration_unit_fs()),
      columns_(std::make_unique<const v1::TraceColumns>(std::move(columns))) {
  actions_ = Column(columns_->actions());
  peers_ = Column(columns_->peers());
  tags_ = Column(columns_->tags());
  counts_ = Column(columns_->counts());
  datatypes_ = Column(columns_->datatypes());
  durations_ = Column(columns_->durations());
  communicators_ = Column(columns_->communicators());
}

bool ColumnDecoder::fail(const std::string& reason) {
  failure_ = absl::DataLossError(reason);
  return false;
}

bool ColumnDecoder::get_long_varint(Column& column, std::string_view what, uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (column.at == column.end) return fail(fmt::format("the column of {} ends too early", what));
    const auto byte = static_cast<uint8_t>(*column.at++);
    value |= shift < 64 ? uint64_t{byte & 0x7fu} << shift : 0;
    if ((byte & 0x80) == 0) return true;
  }
  return fail(fmt::format("the column of {} holds a number of more than 64 bits", what));
}

bool ColumnDecoder::get_signed(Column& column, std::string_view what, int32_t& value) {
  uint64_t raw = 0;
  if (!get_varint(column, what, raw)) return false;
  if (raw > std::numeric_limits<uint32_t>::max())
    return fail(fmt::format("the column of {} holds a number of more than 32 bits", what));
  value = google::protobuf::internal::WireFormatLite::ZigZagDecode32(static_cast<uint32_t>(raw));
  return true;
}

bool ColumnDecoder::get_counts(CountForm form, bool world, uint64_t& one, std::vector<uint64_t>& each) {
  if (form == CountForm::kNone) return true;
  if (form != CountForm::kEachRank && !get_varint(counts_, "counts", one)) return false;
  if (form == CountForm::kOne) return true;
  uint64_t size = ranks_;
  if ((form == CountForm::kListed || !world) && !get_varint(counts_, "counts", size)) return false;
  // Every count takes at least a byte, so a false size cannot cause a large allocation.
  if (counts_.size() < size) return fail("the column of counts ends too early");
  each.resize(size);
  for (uint64_t& count : each) {
    if (!get_varint(counts_, "counts", count)) return false;
  }
  return true;
}

bool ColumnDecoder::get_datatype(v1::TraceDatatype& datatype) {
  if (datatypes_.at == datatypes_.end) return fail("the column of datatypes ends too early");
  datatype = static_cast<v1::TraceDatatype>(static_cast<uint8_t>(*datatypes_.at++));
  return true;
}

bool ColumnDecoder::get_duration(Time& duration) {
  uint64_t value = 0;
  if (!get_varint(durations_, "durations", value)) return false;
  uint64_t fs = 0;
  if (__builtin_mul_overflow(value, duration_unit_fs_, &fs) ||
      fs > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return fail("a duration is longer than simulated time can be");
  }
  duration = Time::from_fs(static_cast<int64_t>(fs));
  return true;
}

bool ColumnDecoder::get_communicator(uint32_t& communicator) {
  uint64_t number = 0;
  if (!get_varint(communicators_, "communicators", number)) return false;
  if (number > kMaxCommunicator) return fail(fmt::format("{} is no communicator", number));
  communicator = static_cast<uint32_t>(number);
  return true;
}

bool ColumnDecoder::get_event(Event& event) {
  if (actions_.at == actions_.end) return fail("the column of actions ends too early");
  event.action = static_cast<v1::TraceAction>(static_cast<uint8_t>(*actions_.at++));
  if (!v1::TraceAction_IsValid(event.action) || event.action == v1::TRACE_ACTION_UNSPECIFIED)
    return fail(fmt::format("{} is not an action", static_cast<int>(event.action)));
  const ActionShape& shape = action_shape(event.action);
  if (shape.communicator && !world_only_ && !get_communicator(event.communicator)) return false;
  const bool world = event.communicator == 0;
  return (shape.peers < 1 || get_signed(peers_, "peers", event.peer)) &&
         (shape.peers < 2 || get_signed(peers_, "peers", event.receive_peer)) &&
         (!shape.tag || get_signed(tags_, "tags", event.tag)) &&
         get_counts(shape.sent, world, event.count, event.send_counts) &&
         get_counts(shape.received, world, event.receive_count, event.receive_counts) &&
         (shape.datatypes < 1 || get_datatype(event.datatype)) &&
         (shape.datatypes < 2 || get_datatype(event.receive_datatype)) &&
         (!shape.duration || get_duration(event.duration));
}

bool ColumnDecoder::at_end() const {
  for (const Column* column : {&actions_, &peers_, &tags_, &counts_, &datatypes_, &durations_, &communicators_}) {
    if (column->at != column->end) return false;
  }
  return true;
}

absl::Status ColumnDecoder::next(Event& event) {
  clear(event);
  if (!get_event(event)) return failure_;
  ++next_;
  if (absl::Status status = check_event(event, ranks_); !status.ok()) return absl::DataLossError(status.message());
  if (remaining() == 0 && !at_end()) return absl::DataLossError("the columns hold more than the events of the block");
  return absl::OkStatus();
}

}  // namespace fabrictwin::trace::format
