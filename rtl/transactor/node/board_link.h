// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A board link of a node's logic: records become words and credits at the pins, and back.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/word_serializer.h"
#include "rtl/link_arrivals.h"
#include "rtl/node_model.h"
#include "rtl/router_config.h"

namespace fabrictwin {

/// Link `link` of the board. In each evaluated cycle: drive(), accept(), the edge, return_credits().
class NodeBoardLink {
 public:
  NodeBoardLink(std::string element, int link, const RouterPortConfig& port, Clock clock, const NodePins& pins);

  absl::Status take_records(Time until) { return arrivals_.take_records(element_, *port_.receiver, until); }
  int64_t next_cycle() const { return arrivals_.next_cycle(); }
  const RouterPortConfig& port() const { return port_; }

  /// Sets the pins for the edge `cycle`.
  void drive(int64_t cycle);
  /// Takes the word that leaves at the edge.
  void accept(int64_t cycle);
  /// After the edge.
  void return_credits(int64_t cycle);

 private:
  std::string element_;
  int link_;
  RouterPortConfig port_;
  Clock clock_;
  const NodePins& pins_;
  WordSerializer serializer_;
  LinkArrivals arrivals_;
};

}  // namespace fabrictwin
