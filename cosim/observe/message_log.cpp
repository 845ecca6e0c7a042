// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/message_log.h"

namespace fabrictwin::observe {

MessageLog::Flow& MessageLog::flow(int32_t source, int32_t destination) {
  return flows_[uint64_t{static_cast<uint32_t>(source)} << 32 | static_cast<uint32_t>(destination)];
}

void MessageLog::sent(int32_t source, int32_t destination, uint64_t bytes, Time time) {
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
  if (pair.under_way.empty()) return;
  messages_[pair.under_way.front()].arrived = time;
  pair.under_way.pop_front();
}

}  // namespace fabrictwin::observe
