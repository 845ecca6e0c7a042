// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A board link of a node's logic: converts records to words and credits at the pins, and back.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/word_serializer.h"
#include "rtl/transactor/link_arrivals.h"
#include "rtl/transactor/node/model.h"
#include "rtl/transactor/router/config.h"

namespace fabrictwin::rtl::node {

/// Link `link` of the board. In each evaluated cycle, call drive(), accept(), the edge, return_credits().
class BoardLink {
 public:
  BoardLink(std::string element, int link, const router::PortConfig& port, Clock clock, const Pins& pins);

  absl::Status take_records(Time until) { return arrivals_.take_records(element_, *port_.receiver, until); }
  int64_t next_cycle() const { return arrivals_.next_cycle(); }
  const router::PortConfig& port() const { return port_; }

  /// Sets the pins for the edge `cycle`.
  void drive(int64_t cycle);
  /// Takes the word that leaves at the edge.
  void accept(int64_t cycle);
  /// Call it after the edge.
  void return_credits(int64_t cycle);

 private:
  std::string element_;
  int link_;
  router::PortConfig port_;
  Clock clock_;
  const Pins& pins_;
  link::WordSerializer serializer_;
  LinkArrivals arrivals_;
};

}  // namespace fabrictwin::rtl::node
