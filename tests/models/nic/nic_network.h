// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The least network that network interfaces can run on: every port has a link of its own to everybody.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/random.h"
#include "models/nic/packet_nic.h"

namespace fabrictwin::test {

/// Packets take the time of their bytes on the link of the port and a latency, and a random time more if that is asked
/// for: then they overtake each other. Nodes that are held up by the receiver are not looked at.
class NicNetwork : public nic::NicListener {
 public:
  struct Options {
    Bandwidth rate;
    Time latency;
    Time jitter;
    uint64_t seed = 1;
  };
  struct Delivered {
    Time time;
    int32_t node = 0;
    nic::NicDelivery what;
  };

  explicit NicNetwork(const Options& options) : options_(options), random_(options.seed, 0, RandomPurpose::kTest) {}

  void add(std::unique_ptr<nic::PacketNic> nic) {
    links_.emplace_back(static_cast<size_t>(nic->ports()));
    nics_.push_back(std::move(nic));
  }
  void submit(Time time, int32_t node, const nic::NicRequest& request) {
    requests_.emplace(std::pair(time, order_++), std::pair(node, request));
  }
  nic::PacketNic& nic(size_t node) { return *nics_[node]; }

  Time serialisation(int32_t bytes) const {
    const __int128 scaled = static_cast<__int128>(bytes) * 8 * 1'000'000'000'000'000;
    return Time::from_fs(static_cast<int64_t>(scaled / options_.rate.bits_per_second));
  }

  /// Until nothing more happens.
  void run() {
    while (true) {
      now_ = next_time();
      if (now_.is_never()) return;
      while (!arrivals_.empty() && std::get<0>(arrivals_.begin()->first) <= now_) {
        const nic::NicPacket packet = arrivals_.begin()->second;
        arrivals_.erase(arrivals_.begin());
        nic::PacketNic& nic = *nics_[static_cast<size_t>(packet.destination)];
        if (packet.destination_port >= nic.ports() || nic.packet_arrived(now_, packet) < now_) ++misuse;
      }
      for (const auto& nic : nics_) {
        if (nic->next_event() <= now_) nic->advance(now_);
      }
      while (!requests_.empty() && requests_.begin()->first.first <= now_) {
        const auto [node, request] = requests_.begin()->second;
        requests_.erase(requests_.begin());
        nics_[static_cast<size_t>(node)]->submit(now_, request);
      }
      for (size_t i = 0; i < nics_.size(); ++i) inject(i);
    }
  }

  void nic_sent(int32_t node, Time at, uint64_t cookie) override {
    if (at < now_) ++misuse;
    sent[{node, cookie}].push_back(at);
  }
  void nic_completed(int32_t node, Time at, uint64_t cookie) override {
    if (at < now_) ++misuse;
    completed[{node, cookie}].push_back(at);
  }
  void nic_delivered(int32_t node, Time at, const nic::NicDelivery& delivery) override {
    if (at < now_) ++misuse;
    delivered.push_back({at, node, delivery});
  }

  std::map<std::pair<int32_t, uint64_t>, std::vector<Time>> sent, completed;
  std::vector<Delivered> delivered;
  std::vector<nic::NicPacket> packets;  ///< In the order in which they left.
  int32_t misuse = 0;

 private:
  void inject(size_t node) {
    nic::PacketNic& nic = *nics_[node];
    for (int32_t port = 0; port < nic.ports(); ++port) {
      Time& free = links_[node][static_cast<size_t>(port)];
      while (std::max(nic.ready_at(port), free) <= now_) {
        const Time ready = nic.ready_at(port);
        const int32_t bytes = nic.next_bytes(port, now_);
        const nic::NicPacket packet = nic.next_packet(port, now_);
        free = now_ + serialisation(packet.wire_bytes);
        if (packet.source_port != port || packet.wire_bytes != bytes || bytes <= 0 || ready > now_) ++misuse;
        packets.push_back(packet);
        Time arrival = free + options_.latency;
        if (options_.jitter > Time::zero())
          arrival +=
              Time::from_fs(static_cast<int64_t>(random_.next_below(static_cast<uint64_t>(options_.jitter.fs()))));
        arrivals_.emplace(std::tuple(arrival, order_++), packet);
      }
    }
  }

  Time next_time() const {
    Time next = Time::never();
    if (!arrivals_.empty()) next = std::get<0>(arrivals_.begin()->first);
    if (!requests_.empty()) next = std::min(next, requests_.begin()->first.first);
    for (size_t i = 0; i < nics_.size(); ++i) {
      next = std::min(next, nics_[i]->next_event());
      for (int32_t port = 0; port < nics_[i]->ports(); ++port)
        next = std::min(next, std::max(nics_[i]->ready_at(port), links_[i][static_cast<size_t>(port)]));
    }
    return next;
  }

  Options options_;
  RandomStream random_;
  std::vector<std::unique_ptr<nic::PacketNic>> nics_;
  std::vector<std::vector<Time>> links_;  ///< When each is free.
  std::map<std::pair<Time, uint64_t>, std::pair<int32_t, nic::NicRequest>> requests_;
  std::map<std::tuple<Time, uint64_t>, nic::NicPacket> arrivals_;
  uint64_t order_ = 0;
  Time now_;
};

}  // namespace fabrictwin::test
