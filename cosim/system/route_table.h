// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Route tables of routers that route by input VC and destination only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/link/record.h"

namespace fabrictwin::system {

/// The output port and VC for each router, input VC (2 * port + vc) and destination, as a router with a table memory
/// looks them up, in RTL or as a model. A destination is a port of a host. Thread-safe once filled, since it is then
/// immutable.
class RouteTable {
 public:
  /// An entry: bit 7 is 0 if there is a route, bits 1 and up are the port, bit 0 is the VC.
  using Entry = uint8_t;
  static constexpr Entry kNoRoute = 0x80;
  static constexpr int32_t kMaxPort = 63;

  RouteTable() = default;
  /// `ports` is the number of ports of each router, at most 64. All entries are kNoRoute.
  RouteTable(const std::vector<int32_t>& ports, int32_t destinations);

  static constexpr Entry entry(int32_t port, int32_t vc) { return static_cast<Entry>(port << 1 | vc); }
  static constexpr int32_t port_of(Entry entry) { return entry >> 1; }
  static constexpr int32_t vc_of(Entry entry) { return entry & 1; }

  /// The number of destinations: ports of hosts, numbered by route_destination().
  int32_t destinations() const { return destinations_; }
  int32_t routers() const { return static_cast<int32_t>(first_.size()) - 1; }
  Entry at(int32_t router, int32_t input, int32_t destination) const {
    return entries_[index(router, input, destination)];
  }
  void set(int32_t router, int32_t input, int32_t destination, Entry entry) {
    entries_[index(router, input, destination)] = entry;
  }
  /// All entries of a router: for each input VC in order, those of all destinations.
  std::span<const Entry> of_router(int32_t router) const {
    return std::span(entries_).subspan(first_[router], first_[router + 1] - first_[router]);
  }

 private:
  size_t index(int32_t router, int32_t input, int32_t destination) const {
    return first_[router] + static_cast<size_t>(input) * static_cast<size_t>(destinations_) +
           static_cast<size_t>(destination);
  }

  int32_t destinations_ = 0;
  std::vector<size_t> first_ = {0};  ///< The first entry of each router, and the end.
  std::vector<Entry> entries_;
};

inline RouteTable::RouteTable(const std::vector<int32_t>& ports, int32_t destinations) : destinations_(destinations) {
  first_.reserve(ports.size() + 1);
  for (const int32_t count : ports)
    first_.push_back(first_.back() + static_cast<size_t>(count) * link::kVcs * static_cast<size_t>(destinations));
  entries_.assign(first_.back(), kNoRoute);
}

}  // namespace fabrictwin::system
