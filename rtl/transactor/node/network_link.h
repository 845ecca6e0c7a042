// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network link of a node's logic. The far end of the wire is modelled here, so that records carry packets and
// credits.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/word_serializer.h"
#include "rtl/transactor/apelink_line.h"
#include "rtl/transactor/line_pacer.h"
#include "rtl/transactor/link_arrivals.h"
#include "rtl/transactor/node/model.h"
#include "rtl/transactor/router/config.h"

namespace fabrictwin::rtl::node {

/// Network link `link`. A word of the wire takes one slot of the channel's word clock, as a word of a packet does. A
/// word of a packet has the slot of the wire's word that completes it: at most one does in each slot, so slots
/// increase; framing costs the time that it takes on the wire, and the CRC none, as it follows the footer. Credits
/// leave at the end of the slot in which their frame does. Arrivals are framed again and driven into the logic at the
/// pace of the wire, each word of the wire as soon as all its units are there. In each evaluated cycle, call drive(),
/// Model::settle() if driving(), accept(), the edge.
class NetworkLink {
 public:
  NetworkLink(std::string element, int link, const router::PortConfig& port, Clock clock, const Pins& pins);

  absl::Status take_records(Time until) { return arrivals_.take_records(element_, *port_.receiver, until); }
  int64_t next_cycle() const { return arrivals_.next_cycle(); }
  /// Whether arrivals wait for the logic.
  bool busy() const { return held_ || line_.can_send(); }
  /// Whether a word is at the logic's pins in this cycle.
  bool driving() const { return held_; }
  const router::PortConfig& port() const { return port_; }

  /// Sets the pins for the edge `cycle`.
  absl::Status drive(int64_t cycle);
  /// Takes the word of the wire that leaves at the edge.
  absl::Status accept(int64_t cycle);

 private:
  absl::Status broken(int64_t cycle, const std::string& channel, const absl::Status& status) const;

  std::string element_;
  int link_;
  router::PortConfig port_;
  Clock clock_;
  const Pins& pins_;
  link::WordSerializer serializer_;
  LinePacer pacer_;
  LinkArrivals arrivals_;
  ApelinkLine line_;
  bool held_ = false;  ///< The logic has not taken the word of the wire at its pins.
};

}  // namespace fabrictwin::rtl::node
