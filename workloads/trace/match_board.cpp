// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/match_board.h"

namespace fabrictwin {

MessageEnd MatchBoard::take(Queues& queues, Queues::iterator found) {
  MessageEnd end = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) queues.erase(found);
  return end;
}

std::optional<MessageEnd> MatchBoard::arrive(MessageEnd message) {
  const auto named = receives_.find({message.rank, message.tag});
  const auto any = receives_.find({kAnySource, message.tag});
  if (named != receives_.end() || any != receives_.end()) {
    const bool take_any =
        named == receives_.end() || (any != receives_.end() && any->second.front().order < named->second.front().order);
    return take(receives_, take_any ? any : named);
  }
  message.order = order_++;
  messages_[{message.rank, message.tag}].push_back(message);
  return std::nullopt;
}

std::optional<MessageEnd> MatchBoard::post(MessageEnd receive) {
  auto found = messages_.end();
  if (receive.peer != kAnySource) {
    found = messages_.find({receive.peer, receive.tag});
  } else {
    for (auto each = messages_.begin(); each != messages_.end(); ++each) {
      if (each->first.second != receive.tag) continue;
      if (found == messages_.end() || each->second.front().order < found->second.front().order) found = each;
    }
  }
  if (found != messages_.end()) return take(messages_, found);
  receive.order = order_++;
  receives_[{receive.peer, receive.tag}].push_back(receive);
  return std::nullopt;
}

std::vector<MessageEnd> MatchBoard::all(const Queues& queues) {
  std::vector<MessageEnd> ends;
  for (const auto& [key, queue] : queues) ends.insert(ends.end(), queue.begin(), queue.end());
  return ends;
}

std::vector<MessageEnd> MatchBoard::messages() const { return all(messages_); }
std::vector<MessageEnd> MatchBoard::receives() const { return all(receives_); }

}  // namespace fabrictwin
