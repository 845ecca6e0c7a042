// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/goal/schedule.h"

#include <functional>
#include <queue>
#include <utility>

#include "workloads/trace/check/outstanding_requests.h"

namespace fabrictwin::trace::goal {
namespace {

// Adds requests and waits to the calls. A wait with peer and tag takes the oldest matching request, so to complete one,
// those before it are completed first. Receives of any tag are waited for by their age.
class Calls {
 public:
  Calls(int32_t rank, std::vector<format::Event>& events) : requests_(rank), events_(events) {}

  /// Adds a call and returns the number of the request that it starts, if any.
  uint64_t add(const format::Event& event) {
    events_.push_back(event);
    requests_.follow(event).IgnoreError();  // Only waits can fail.
    return requests_.count() - 1;
  }
  void complete(uint64_t request, const format::Event& event) {
    // If it is not outstanding, it was completed with a later request.
    while (requests_.outstanding(request)) {
      format::Event wait;
      if (event.tag == format::kAnyTag) {
        wait.action = v1::WAIT;
        wait.count = requests_.count() - request - 1;
      } else {
        wait.action = event.action == v1::ISEND ? v1::WAIT_SEND : v1::WAIT_RECV;
        wait.peer = event.peer;
        wait.tag = event.tag;
      }
      add(wait);
    }
  }

 private:
  check::OutstandingRequests requests_;
  std::vector<format::Event>& events_;
};

}  // namespace

bool Schedule::add(const std::string& label, format::Event event) {
  // Operations without a label cannot be waited for.
  if (!label.empty() && !labels_.emplace(label, static_cast<uint32_t>(operations_.size())).second) return false;
  names_.push_back(label);
  operations_.push_back({std::move(event), {}});
  return true;
}

bool Schedule::require(const std::string& label, const std::string& other, bool start_only) {
  const auto operation = labels_.find(label);
  const auto before = labels_.find(other);
  if (operation == labels_.end() || before == labels_.end()) return false;
  operations_[operation->second].before.push_back({before->second, start_only});
  return true;
}

bool Schedule::order(int32_t rank, std::vector<format::Event>& events, std::string& circle) const {
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
  Calls calls(rank, events);
  std::vector<uint64_t> request(count);
  std::vector<uint32_t> started;
  while (!ready.empty()) {
    const uint32_t next = ready.top();
    ready.pop();
    for (const Dependency& each : operations_[next].before) {
      const format::Event& before = operations_[each.operation].event;
      if (!each.start_only && before.action != v1::COMPUTE) calls.complete(request[each.operation], before);
    }
    started.push_back(next);
    request[next] = calls.add(operations_[next].event);
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
    if (operations_[each].event.action != v1::COMPUTE) calls.complete(request[each], operations_[each].event);
  }
  events.emplace_back().action = v1::FINALIZE;
  return true;
}

}  // namespace fabrictwin::trace::goal
