// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing function of an ExaNet router that has a route table.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "cosim/run/route_table.h"
#include "models/routing.h"

namespace fabrictwin {

/// One router's part of a route table. Immutable; thread-safe.
class TableRouting final : public Routing {
 public:
  /// Routers are numbered from 0.
  TableRouting(std::shared_ptr<const RouteTable> table, int32_t router) : table_(std::move(table)), router_(router) {}

  Hop route(const PacketHeader& header, int32_t in_port, int32_t in_vc) const override {
    if (header.destination >= static_cast<uint32_t>(table_->destinations())) return {kNowhere, 0};
    const RouteTable::Entry entry =
        table_->at(router_, in_port * kVcs + in_vc, static_cast<int32_t>(header.destination));
    if (entry == RouteTable::kNoRoute) return {kNowhere, 0};
    return {RouteTable::port_of(entry), RouteTable::vc_of(entry)};
  }

 private:
  static constexpr int32_t kNowhere = RouteTable::kMaxPort + 1;  // Beyond the last port of any router.

  std::shared_ptr<const RouteTable> table_;
  int32_t router_;
};

}  // namespace fabrictwin
