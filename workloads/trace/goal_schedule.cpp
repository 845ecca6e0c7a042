// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/goal_schedule.h"

#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace fabrictwin {
namespace {

// Which requests are outstanding. A wait takes the oldest request that fits, so to complete one, those before it of the
// same peer and tag are completed first. Receives of any tag are waited for by their age.
class Requests {
 public:
  explicit Requests(std::vector<TraceEvent>& events) : events_(events) {}

  void start(uint32_t operation, const TraceEvent& event) { open_[key(event)].push_back({operation, started_++}); }

  void complete(uint32_t operation, const TraceEvent& event) {
    const auto found = open_.find(key(event));
    // Completed with a later one.
    if (found == open_.end() || found->second.front().operation > operation) return;
    while (!found->second.empty() && found->second.front().operation <= operation) {
      TraceEvent& wait = events_.emplace_back();
      if (event.tag == kAnyTag) {
        wait.action = v1::WAIT;
        wait.count = started_ - found->second.front().ordinal - 1;
      } else {
        wait.action = event.action == v1::ISEND ? v1::WAIT_SEND : v1::WAIT_RECV;
        wait.peer = event.peer;
        wait.tag = event.tag;
      }
      found->second.pop_front();
    }
    if (found->second.empty()) open_.erase(found);
  }

 private:
  struct Request {
    uint32_t operation = 0;
    uint64_t ordinal = 0;
  };
  using Key = std::tuple<v1::TraceAction, int32_t, int32_t>;
  static Key key(const TraceEvent& event) { return {event.action, event.peer, event.tag}; }

  std::vector<TraceEvent>& events_;
  uint64_t started_ = 0;
  std::map<Key, std::deque<Request>> open_;
};

}  // namespace

bool GoalSchedule::add(const std::string& label, TraceEvent event) {
  // Operations without a label are not waited for.
  if (!label.empty() && !labels_.emplace(label, static_cast<uint32_t>(operations_.size())).second) return false;
  names_.push_back(label);
  operations_.push_back({std::move(event), {}});
  return true;
}

bool GoalSchedule::require(const std::string& label, const std::string& other, bool start_only) {
  const auto operation = labels_.find(label);
  const auto before = labels_.find(other);
  if (operation == labels_.end() || before == labels_.end()) return false;
  operations_[operation->second].before.push_back({before->second, start_only});
  return true;
}

bool GoalSchedule::order(std::vector<TraceEvent>& events, std::string& circle) const {
  const uint32_t count = static_cast<uint32_t>(operations_.size());
  std::vector<uint32_t> missing(count);
  std::vector<std::vector<uint32_t>> after(count);
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i < count; ++i) {
    missing[i] = static_cast<uint32_t>(operations_[i].before.size());
    for (const Dependency& each : operations_[i].before) after[each.operation].push_back(i);
    if (missing[i] == 0) ready.push(i);
  }
  events.clear();
  events.emplace_back().action = v1::INIT;
  Requests requests(events);
  std::vector<uint32_t> place(count);  // In order of start.
  std::vector<uint32_t> started;
  while (!ready.empty()) {
    const uint32_t next = ready.top();
    ready.pop();
    for (const Dependency& each : operations_[next].before) {
      const TraceEvent& before = operations_[each.operation].event;
      if (!each.start_only && before.action != v1::COMPUTE) requests.complete(place[each.operation], before);
    }
    place[next] = static_cast<uint32_t>(started.size());
    started.push_back(next);
    if (operations_[next].event.action != v1::COMPUTE) requests.start(place[next], operations_[next].event);
    events.push_back(operations_[next].event);
    for (const uint32_t each : after[next]) {
      if (--missing[each] == 0) ready.push(each);
    }
  }
  if (started.size() < count) {
    for (uint32_t i = 0; i < count; ++i) {
      if (missing[i] > 0) circle = names_[i];
    }
    return false;
  }
  for (const uint32_t each : started) {
    if (operations_[each].event.action != v1::COMPUTE) requests.complete(place[each], operations_[each].event);
  }
  events.emplace_back().action = v1::FINALIZE;
  return true;
}

}  // namespace fabrictwin
