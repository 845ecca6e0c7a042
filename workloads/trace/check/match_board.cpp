// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/check/match_board.h"

namespace fabrictwin::trace::check {

MessageEnd MatchBoard::take(Queues& queues, Queues::iterator found) {
  MessageEnd end = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) queues.erase(found);
  return end;
}

std::optional<MessageEnd> MatchBoard::arrive(MessageEnd message) {
  auto found = receives_.end();
  for (const int32_t source : {message.rank, format::kAnySource}) {
    for (const int32_t tag : {message.tag, format::kAnyTag}) {
      const auto each = receives_.find({message.communicator, source, tag});
      if (each == receives_.end()) continue;
      if (found == receives_.end() || each->second.front().order < found->second.front().order) found = each;
    }
  }
  if (found != receives_.end()) return take(receives_, found);
  message.order = order_++;
  messages_[{message.communicator, message.rank, message.tag}].push_back(message);
  return std::nullopt;
}

MatchBoard::Queues::iterator MatchBoard::find_message(const MessageEnd& receive) {
  if (receive.peer != format::kAnySource && receive.tag != format::kAnyTag)
    return messages_.find({receive.communicator, receive.peer, receive.tag});
  auto found = messages_.end();
  for (auto each = messages_.begin(); each != messages_.end(); ++each) {
    const auto& [communicator, source, tag] = each->first;
    if (communicator != receive.communicator || (receive.peer != format::kAnySource && receive.peer != source) ||
        (receive.tag != format::kAnyTag && receive.tag != tag)) {
      continue;
    }
    if (found == messages_.end() || each->second.front().order < found->second.front().order) found = each;
  }
  return found;
}

std::optional<MessageEnd> MatchBoard::post(MessageEnd receive) {
  if (const auto found = find_message(receive); found != messages_.end()) return take(messages_, found);
  receive.order = order_++;
  receives_[{receive.communicator, receive.peer, receive.tag}].push_back(receive);
  return std::nullopt;
}

std::vector<MessageEnd> MatchBoard::all(const Queues& queues) {
  std::vector<MessageEnd> ends;
  for (const auto& [key, queue] : queues) ends.insert(ends.end(), queue.begin(), queue.end());
  return ends;
}

std::vector<MessageEnd> MatchBoard::messages() const { return all(messages_); }
std::vector<MessageEnd> MatchBoard::receives() const { return all(receives_); }

}  // namespace fabrictwin::trace::check
