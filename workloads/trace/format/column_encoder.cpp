// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/column_encoder.h"

#include <algorithm>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"

namespace fabrictwin::trace::format {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

constexpr int64_t kNanosecond = 1'000'000;

void put_varint(std::string& column, uint64_t value) {
  uint8_t buffer[10];
  const uint8_t* end = CodedOutputStream::WriteVarint64ToArray(value, buffer);
  column.append(reinterpret_cast<const char*>(buffer), static_cast<size_t>(end - buffer));
}

void put_signed(std::string& column, int32_t value) { put_varint(column, WireFormatLite::ZigZagEncode32(value)); }

}  // namespace

void ColumnEncoder::put_counts(CountForm form, bool world, uint64_t one, const std::vector<uint64_t>& each) {
  std::string& column = *columns_.mutable_counts();
  if (form == CountForm::kOne || form == CountForm::kListed) put_varint(column, one);
  if (form == CountForm::kEachRank || form == CountForm::kListed) {
    if (form == CountForm::kListed || !world) put_varint(column, each.size());
    for (const uint64_t count : each) put_varint(column, count);
  }
}

void ColumnEncoder::add(const Event& event) {
  const ActionShape& shape = action_shape(event.action);
  const bool world = event.communicator == 0;
  columns_.mutable_actions()->push_back(static_cast<char>(event.action));
  if (shape.peers >= 1) put_signed(*columns_.mutable_peers(), event.peer);
  if (shape.peers >= 2) put_signed(*columns_.mutable_peers(), event.receive_peer);
  if (shape.tag) put_signed(*columns_.mutable_tags(), event.tag);
  put_counts(shape.sent, world, event.count, event.send_counts);
  put_counts(shape.received, world, event.receive_count, event.receive_counts);
  if (shape.datatypes >= 1) columns_.mutable_datatypes()->push_back(static_cast<char>(event.datatype));
  if (shape.datatypes >= 2) columns_.mutable_datatypes()->push_back(static_cast<char>(event.receive_datatype));
  if (shape.duration) durations_.push_back(event.duration.fs());
  if (shape.communicator) put_communicator(event.communicator);
  ++events_;
  bytes_ = columns_.actions().size() + columns_.peers().size() + columns_.tags().size() + columns_.counts().size() +
           columns_.datatypes().size() + columns_.communicators().size() + 10 * durations_.size();
}

// The column begins with the first event that is not of the world.
void ColumnEncoder::put_communicator(uint32_t communicator) {
  std::string& column = *columns_.mutable_communicators();
  if (communicator == 0 && column.empty()) {
    ++in_world_;
    return;
  }
  if (column.empty()) column.assign(in_world_, '\0');
  put_varint(column, communicator);
}

v1::TraceColumns ColumnEncoder::take() {
  const bool whole =
      std::all_of(durations_.begin(), durations_.end(), [](int64_t fs) { return fs % kNanosecond == 0; });
  const int64_t unit = whole ? kNanosecond : 1;
  columns_.set_duration_unit_fs(static_cast<uint64_t>(unit));
  for (const int64_t fs : durations_) put_varint(*columns_.mutable_durations(), static_cast<uint64_t>(fs / unit));
  durations_.clear();
  in_world_ = 0;
  events_ = 0;
  bytes_ = 0;
  return std::exchange(columns_, {});
}

}  // namespace fabrictwin::trace::format
