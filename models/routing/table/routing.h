// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing function of an ExaNet router that has a route table.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "cosim/system/route_table.h"
#include "models/routing/routing.h"

namespace fabrictwin::routing::table {

/// One router's part of a route table. Immutable; thread-safe.
class TableRouting final : public Routing {
 public:
  /// `router` is the number of the router, from 0.
  TableRouting(std::shared_ptr<const system::RouteTable> table, int32_t router)
      : table_(std::move(table)), router_(router) {}

  Hop route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const override {
    if (header.destination >= static_cast<uint32_t>(table_->destinations())) return {kNowhere, 0};
    const system::RouteTable::Entry entry =
        table_->at(router_, in_port * link::kVcs + in_vc, static_cast<int32_t>(header.destination));
    if (entry == system::RouteTable::kNoRoute) return {kNowhere, 0};
    return {system::RouteTable::port_of(entry), system::RouteTable::vc_of(entry)};
  }

 private:
  static constexpr int32_t kNowhere = system::RouteTable::kMaxPort + 1;  // Beyond the last port of any router.

  std::shared_ptr<const system::RouteTable> table_;
  int32_t router_;
};

}  // namespace fabrictwin::routing::table
