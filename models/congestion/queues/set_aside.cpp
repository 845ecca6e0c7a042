// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/queues/set_aside.h"

#include <algorithm>
#include <cstddef>

namespace fabrictwin::congestion {

SetAsideQueues::SetAsideQueues(const experiment::QueuesSpec& spec, int32_t inputs, int32_t outputs)
    : count_(spec.count),
      detect_(spec.detect),
      stop_(spec.stop),
      resume_(spec.resume),
      queues_(static_cast<size_t>(inputs) * static_cast<size_t>(spec.count)),
      branches_(static_cast<size_t>(outputs)) {}

int32_t SetAsideQueues::find(int32_t input, int32_t destination) const {
  for (int32_t queue = 1; queue <= count_; ++queue) {
    if (queue_at(input, queue).destination == destination) return queue;
  }
  return kCold;
}

const SetAsideQueues::Branch* SetAsideQueues::branch(int32_t output, int32_t destination) const {
  for (const Branch& branch : branches_[static_cast<size_t>(output)]) {
    if (branch.destination == destination) return &branch;
  }
  return nullptr;
}

bool SetAsideQueues::stopped(int32_t output, int32_t destination) const {
  const Branch* known = branch(output, destination);
  return known != nullptr && known->stopped;
}

int32_t SetAsideQueues::branches() const {
  size_t branches = 0;
  for (const std::vector<Branch>& output : branches_) branches += output.size();
  return static_cast<int32_t>(branches);
}

bool SetAsideQueues::wants(int32_t input, int32_t destination, int32_t output, int32_t packets) const {
  return packets >= detect_ || find(input, destination) != kCold || branch(output, destination) != nullptr;
}

int32_t SetAsideQueues::set_aside(int32_t input, int32_t destination, int32_t output, int32_t packets) {
  if (const int32_t queue = find(input, destination); queue != kCold) return queue;
  Branch* known = branch(output, destination);
  if (known == nullptr && packets < detect_) return kCold;
  const int32_t queue = find(input, -1);
  if (queue == kCold) return kCold;
  Queue& made = queue_at(input, queue);
  made = {};
  made.destination = destination;
  made.output = output;
  if (known != nullptr) ++known->queues;
  ++in_use_;
  return queue;
}

void SetAsideQueues::entered(int32_t input, int32_t number) {
  Queue& queue = queue_at(input, number);
  if (++queue.packets < stop_ || queue.stopping) return;
  queue.stopping = queue.told = true;
  outbox_.push_back({SetAsideMessage::Kind::kStop, input, queue.destination, ++queue.stops});
}

void SetAsideQueues::left(int32_t input, int32_t number) {
  Queue& queue = queue_at(input, number);
  if (--queue.packets <= resume_ && queue.stopping) {
    queue.stopping = false;
    outbox_.push_back({SetAsideMessage::Kind::kResume, input, queue.destination, queue.stops});
  }
  release_if_over(queue);
}

void SetAsideQueues::release_if_over(Queue& queue) {
  if (queue.packets > 0 || queue.told) return;
  const int32_t output = queue.output;
  const int32_t destination = queue.destination;
  queue = {};
  --in_use_;
  if (Branch* known = branch(output, destination); known != nullptr) {
    --known->queues;
    end_branch_if_over(output, destination);
  }
}

void SetAsideQueues::end_branch_if_over(int32_t output, int32_t destination) {
  const Branch* over = branch(output, destination);
  if (over->stopped || over->queues > 0) return;
  outbox_.push_back({SetAsideMessage::Kind::kReleased, output, destination, over->stops});
  std::vector<Branch>& branches = branches_[static_cast<size_t>(output)];
  branches.erase(branches.begin() + (over - branches.data()));
}

void SetAsideQueues::receive(const SetAsideMessage& message) {
  switch (message.kind) {
    case SetAsideMessage::Kind::kStop: {
      Branch* known = branch(message.port, message.destination);
      if (known == nullptr) {
        const auto queues = std::ranges::count_if(queues_, [&](const Queue& queue) {
          return queue.destination == message.destination && queue.output == message.port;
        });
        branches_[static_cast<size_t>(message.port)].push_back(
            {message.destination, 0, false, static_cast<int32_t>(queues)});
        known = &branches_[static_cast<size_t>(message.port)].back();
      }
      known->stopped = true;
      known->stops = message.stops;
      return;
    }
    case SetAsideMessage::Kind::kResume:
      if (Branch* known = branch(message.port, message.destination); known != nullptr) {
        known->stopped = false;
        end_branch_if_over(message.port, message.destination);
      }
      return;
    case SetAsideMessage::Kind::kReleased: {
      const int32_t number = find(message.port, message.destination);
      if (number == kCold) return;
      Queue& queue = queue_at(message.port, number);
      // The element before has not yet heard of the last stop when it sent this.
      if (queue.stops != message.stops) return;
      queue.told = false;
      release_if_over(queue);
      return;
    }
  }
}

}  // namespace fabrictwin::congestion
