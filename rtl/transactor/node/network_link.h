// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network link of a node's logic: the far end of the wire is here, so that records carry packets and credits.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/word_serializer.h"
#include "rtl/apelink_line.h"
#include "rtl/line_pacer.h"
#include "rtl/link_arrivals.h"
#include "rtl/node_model.h"
#include "rtl/router_config.h"

namespace fabrictwin {

/// Network link `link`. A word of the wire takes one slot of the channel's word clock, as a word of a packet does. A
/// word of a packet has the slot of the wire's word that brings its last unit: at most one does in each slot, so slots
/// rise; framing costs the time that it takes on the wire, and the CRC none, as it comes behind the footer. Credits
/// leave at the end of the slot in which their frame does. What arrives is framed again and given to the logic at the
/// pace of the wire, each word of the wire as soon as all its units are there. In each evaluated cycle: drive(),
/// NodeModel::settle() if driving(), accept(), the edge.
class NodeNetworkLink {
 public:
  NodeNetworkLink(std::string element, int link, const RouterPortConfig& port, Clock clock, const NodePins& pins);

  absl::Status take_records(Time until) { return arrivals_.take_records(element_, *port_.receiver, until); }
  int64_t next_cycle() const { return arrivals_.next_cycle(); }
  /// Something waits to be given to the logic.
  bool busy() const { return held_ || line_.can_send(); }
  /// The logic is given a word in this cycle.
  bool driving() const { return held_; }
  const RouterPortConfig& port() const { return port_; }

  /// Sets the pins for the edge `cycle`.
  absl::Status drive(int64_t cycle);
  /// Takes the word of the wire that leaves at the edge.
  absl::Status accept(int64_t cycle);

 private:
  absl::Status broken(int64_t cycle, const std::string& channel, const absl::Status& status) const;

  std::string element_;
  int link_;
  RouterPortConfig port_;
  Clock clock_;
  const NodePins& pins_;
  WordSerializer serializer_;
  LinePacer pacer_;
  LinkArrivals arrivals_;
  ApelinkLine line_;
  bool held_ = false;  ///< A word of the wire that the logic has not taken is at the pins.
};

}  // namespace fabrictwin
