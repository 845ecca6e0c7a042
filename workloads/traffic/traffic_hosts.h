// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hosts that have a part in traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fabrictwin::traffic {

/// Hosts of a network, numbered from 0 for patterns: all of them, or those of one of several jobs. Value type.
class TrafficHosts {
 public:
  /// All `hosts` of a network, each with its own number.
  explicit TrafficHosts(int32_t hosts) : count_(hosts) {}
  /// Some hosts, by number, each once. In the background, a run does not wait for their packets.
  TrafficHosts(std::vector<int32_t> hosts, bool background)
      : count_(static_cast<int32_t>(hosts.size())), hosts_(std::move(hosts)), background_(background) {
    for (int32_t number = 0; number < count_; ++number) {
      const auto host = static_cast<size_t>(hosts_[static_cast<size_t>(number)]);
      if (host >= numbers_.size()) numbers_.resize(host + 1, -1);
      numbers_[host] = number;
    }
  }

  int32_t count() const { return count_; }
  bool background() const { return background_; }
  int32_t host(int32_t number) const { return hosts_.empty() ? number : hosts_[static_cast<size_t>(number)]; }
  /// The number of a host of the network; -1 if it has no part in the traffic.
  int32_t number(int32_t host) const {
    if (hosts_.empty()) return host;
    return static_cast<size_t>(host) < numbers_.size() ? numbers_[static_cast<size_t>(host)] : -1;
  }

 private:
  int32_t count_;
  std::vector<int32_t> hosts_;    ///< By number; empty if all have their own.
  std::vector<int32_t> numbers_;  ///< By host.
  bool background_ = false;
};

}  // namespace fabrictwin::traffic
