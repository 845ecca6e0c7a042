// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What experiments can name and this folder does not know: topologies and routing algorithms. They live above it, say
// here how their part of an experiment is checked, and are handed to load_experiment() in one list.
#pragma once

#include <any>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// The check of one topology. Implementations are immutable and thread-safe.
class TopologyCheck {
 public:
  virtual ~TopologyCheck() = default;

  /// Which field of v1::Topology has its message.
  virtual v1::Topology::KindCase kind() const = 0;
  /// The clock of routers if router.clock is left out, as a user would write it. By default the option router_clock of
  /// the message.
  virtual std::string router_clock(const v1::Topology& topology) const;
  /// Makes checked values of the message, Experiment::topology_spec, whose type only the topology knows. Mistakes are
  /// added to the diagnostics of `fields`, and the result can be used nevertheless.
  virtual std::any check(const v1::Topology& topology, const RouterSpec& router, FieldChecker& fields) const = 0;
};

/// What the check of an experiment has to know about a routing algorithm.
struct RoutingCheck {
  v1::RoutingKind kind = v1::DEFAULT;
  /// The fields of v1::Routing besides `algorithm` that it reads; others are refused.
  std::vector<std::string_view> parameters;
};

/// All that experiments can name. What it points to must outlive it.
struct Tenants {
  std::vector<const TopologyCheck*> topologies;
  /// Several algorithms may be of one kind, for different topologies.
  std::vector<RoutingCheck> routings;

  /// The topology of a kind, or null if there is none.
  const TopologyCheck* topology(v1::Topology::KindCase kind) const;
};

}  // namespace fabrictwin::experiment
