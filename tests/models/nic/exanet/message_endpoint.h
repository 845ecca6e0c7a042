// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An endpoint that sends what a test lists and writes down what arrives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "models/host/endpoint.h"

namespace fabrictwin::test {

class MessageEndpoint : public host::Endpoint {
 public:
  struct Planned {
    Time time;
    int32_t destination = 0;
    uint64_t bytes = 0;
  };
  struct Arrival {
    int32_t source = 0;
    uint64_t bytes = 0;
    uint64_t order = 0;  ///< Of the message among those from its source to this host.
    uint64_t hash = 0;
    bool intact = false;
    Time time;
    bool operator==(const Arrival&) const = default;
  };

  /// `planned` is in the order of time.
  MessageEndpoint(int32_t node, std::vector<Planned> planned)
      : host::Endpoint(("host_" + std::to_string(node)).c_str(), node), planned_(std::move(planned)) {}

  std::vector<Arrival> arrivals;
  std::vector<std::pair<uint64_t, Time>> sent;  ///< Cookie (position in the plan) and when it was reported.

  bool finished() const override { return false; }
  Time finish_time() const override { return {}; }
  std::string waits_for() const override { return {}; }

 private:
  void begin() override { decide(); }
  void on_message(const nic::IncomingMessage& message) override {
    arrivals.push_back(
        {message.source, message.envelope.bytes, message.envelope.user[0], message.body_hash, message.intact, now()});
  }
  void on_sent(uint64_t cookie) override { sent.emplace_back(cookie, now()); }
  void decide() override {
    for (; next_ < planned_.size() && planned_[next_].time <= now(); ++next_) {
      const Planned& planned = planned_[next_];
      if (static_cast<size_t>(planned.destination) >= orders_.size())
        orders_.resize(static_cast<size_t>(planned.destination) + 1);
      const uint64_t order = orders_[static_cast<size_t>(planned.destination)]++;
      nic::OutgoingMessage message;
      message.destination = planned.destination;
      message.cookie = next_;
      message.envelope.payload_key =
          nic::payload_key(static_cast<uint64_t>(node()), static_cast<uint64_t>(planned.destination), order);
      message.envelope.bytes = planned.bytes;
      message.envelope.user[0] = order;
      message.envelope.user[1] = mix64(order);
      send(message);
    }
    if (next_ < planned_.size()) wake_at(planned_[next_].time);
  }

  std::vector<Planned> planned_;
  std::vector<uint64_t> orders_;
  size_t next_ = 0;
};

/// What each of some hosts sends: messages of these sizes to any host, up to `gap` nanoseconds apart or at once.
inline std::vector<std::vector<MessageEndpoint::Planned>> random_plans(uint64_t seed, size_t hosts, int messages,
                                                                       std::span<const uint64_t> sizes, uint32_t gap) {
  RandomStream random(seed, 7, RandomPurpose::kTest);
  std::vector<std::vector<MessageEndpoint::Planned>> plans(hosts);
  for (std::vector<MessageEndpoint::Planned>& plan : plans) {
    Time time;
    for (int i = 0; i < messages; ++i) {
      if (random.next_below(3) == 0) time += Time::from_ns(static_cast<int64_t>(random.next_below(gap)));
      plan.push_back({time, static_cast<int32_t>(random.next_below(hosts)), sizes[random.next_below(sizes.size())]});
    }
  }
  return plans;
}

}  // namespace fabrictwin::test
