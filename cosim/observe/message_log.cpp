// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/message_log.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fabrictwin::observe {

MessageLog::Flow& MessageLog::flow(int32_t source, int32_t destination) {
  return flows_[uint64_t{static_cast<uint32_t>(source)} << 32 | static_cast<uint32_t>(destination)];
}

void MessageLog::sent(int32_t source, int32_t destination, uint64_t bytes, Time time) {
  if (scope_ == Scope::kPart) flow(source, destination).begins_here = true;
  if (messages_.size() >= limit_) {
    ++left_out_;
    return;
  }
  Flow& pair = flow(source, destination);
  pair.under_way.push_back(messages_.size());
  messages_.push_back({source, destination, pair.sent++, bytes, time});
}

// Once the log is full, nothing more is recorded of any pair, so messages in flight that are logged are always older
// than those that are not.
void MessageLog::arrived(int32_t source, int32_t destination, Time time) {
  Flow& pair = flow(source, destination);
  // All messages of a flow are sent in one partition.
  if (scope_ == Scope::kPart && !pair.begins_here && pair.came++ < limit_) came_.push_back({source, destination, time});
  if (pair.under_way.empty()) return;
  messages_[pair.under_way.front()].arrived = time;
  pair.under_way.pop_front();
}

void MessageLog::report_part(v1::MessageLogPart& part) const {
  for (const LoggedMessage& message : messages_) {
    part.add_source(message.source);
    part.add_destination(message.destination);
    part.add_bytes(message.bytes);
    part.add_sent_fs(message.sent.fs());
    part.add_arrived_fs(message.arrived.fs());
  }
  part.set_left_out(left_out_);
  for (const Arrival& arrival : came_) {
    part.add_from(arrival.source);
    part.add_to(arrival.destination);
    part.add_came_fs(arrival.time.fs());
  }
}

absl::Status MessageLog::merge(const google::protobuf::RepeatedPtrField<v1::MessageLogPart>& parts) {
  messages_.clear();
  flows_.clear();
  came_.clear();
  left_out_ = 0;
  std::map<std::pair<int32_t, int32_t>, std::deque<Time>> came;
  for (const v1::MessageLogPart& part : parts) {
    const int sent = part.source_size();
    if (part.destination_size() != sent || part.bytes_size() != sent || part.sent_fs_size() != sent ||
        part.arrived_fs_size() != sent || part.to_size() != part.from_size() || part.came_fs_size() != part.from_size())
      return absl::DataLossError("a place tells of messages that cannot be");
    const auto is_time = [](int64_t time) { return time >= 0; };
    if (!std::ranges::all_of(part.sent_fs(), is_time) || !std::ranges::all_of(part.arrived_fs(), is_time) ||
        !std::ranges::all_of(part.came_fs(), is_time))
      return absl::DataLossError("a place tells of messages before the beginning of the run");
    for (int i = 0; i < part.from_size(); ++i)
      came[{part.from(i), part.to(i)}].push_back(Time::from_fs(part.came_fs(i)));
  }
  for (const v1::MessageLogPart& part : parts) {
    left_out_ += part.left_out();
    for (int i = 0; i < part.source_size(); ++i) {
      LoggedMessage message{part.source(i),
                            part.destination(i),
                            0,
                            part.bytes(i),
                            Time::from_fs(part.sent_fs(i)),
                            Time::from_fs(part.arrived_fs(i))};
      message.number = flow(message.source, message.destination).sent++;
      const auto found = came.find({message.source, message.destination});
      if (found != came.end() && !found->second.empty()) {
        message.arrived = found->second.front();
        found->second.pop_front();
      }
      messages_.push_back(message);
    }
  }
  std::stable_sort(messages_.begin(), messages_.end(), [](const LoggedMessage& a, const LoggedMessage& b) {
    return std::tie(a.sent, a.source) < std::tie(b.sent, b.source);
  });
  if (messages_.size() > limit_) {
    left_out_ += messages_.size() - limit_;
    messages_.resize(limit_);
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::observe
