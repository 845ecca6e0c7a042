// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What `use` rules make of elements, and where hosts are because of what their routers are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/location_map.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::system {

/// The rule number of elements without a rule, which are models in this process.
inline constexpr int32_t kNoRule = -1;

/// Whether each rule with this place starts a worker of its own.
bool is_local_worker(const experiment::UseSpec& use);

/// Rules by their numbers in an experiment, which outlives this.
class Rules {
 public:
  explicit Rules(const experiment::Experiment& experiment) : experiment_(experiment) {}

  /// The model of the routers that a rule selects.
  v1::RouterModel depth_of(int32_t rule) const;
  /// Whether what a rule selects is simulated less deeply than the rest, and has its hosts with it.
  bool is_coarse(int32_t rule) const { return depth_of(rule) != experiment_.router.model; }
  v1::Implementation implementation_of(int32_t rule) const;
  /// The place as the rule says it; "inproc" without a rule.
  std::string_view place_text(int32_t rule) const;
  /// Whether what two rules select is in one process.
  bool same_place(int32_t a, int32_t b) const;

 private:
  const experiment::Experiment& experiment_;
};

/// Changes the rules of hosts, by element, to those of their routers where they go with them, and adds a diagnostic for
/// each host that is where it cannot be.
///
/// Where the link of a host cannot be cut (RouterCapabilities::host_links), hosts that no rule selects are where their
/// routers are, and so are those of routers that are packets among words: a later rule for such a router is for its
/// host, too. A host of a modelled node is where its node is, because both share a SystemC kernel; a later rule that
/// puts it elsewhere is refused. Hosts of nodes in hardware can be anywhere.
void place_hosts(const experiment::Experiment& experiment, const SystemGraph& graph, std::vector<int32_t>& rule_of,
                 experiment::DiagnosticList& diagnostics);

}  // namespace fabrictwin::system
