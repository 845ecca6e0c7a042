// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a topology is: its message, what it says in an experiment, and the graph that it builds.
#pragma once

#include <google/protobuf/descriptor.h>

#include <any>
#include <utility>

#include "absl/status/statusor.h"
#include "cosim/experiment/check/topology_reader.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "cosim/system/system_graph.h"
#include "models/topology/marking.h"

namespace fabrictwin::topology {

/// One topology. Implementations derive from TopologyOf, are immutable and thread-safe.
class Topology : public experiment::TopologyCheck {
 public:
  /// What routing algorithms may rely on.
  virtual system::TopologyFamily family() const { return system::TopologyFamily::kOther; }
  /// The routing of experiments that name none; DEFAULT if it is that of the family.
  virtual v1::RoutingKind default_routing() const { return v1::DEFAULT; }
  /// The number of hosts, or of routers if there are more, known before the graph is built.
  virtual double nodes(const experiment::Experiment& experiment) const = 0;
  /// The number of hosts that share a router if all routers have hosts; 0 if not, or if it is not known.
  virtual double hosts_per_router(const experiment::Experiment& /*experiment*/) const { return 0; }
  /// Whether ExaNet routers, and their RTL, find the output by the coordinates in packets instead of by a table.
  virtual bool routed_by_coordinates(const experiment::Experiment& /*experiment*/) const { return false; }

  /// Builds the graph, with its index. InvalidArgument, as a diagnostic with its location, if that is not possible.
  absl::StatusOr<system::SystemGraph> build(const experiment::Experiment& experiment) const {
    absl::StatusOr<system::SystemGraph> graph = build_graph(experiment);
    if (!graph.ok()) return graph;
    graph->family = family();
    graph->default_routing = default_routing();
    if (experiment.hardware_congestion.has_value()) {
      const absl::StatusOr<link::PacketMarking> marking = packet_marking(*experiment.hardware_congestion, *graph);
      if (!marking.ok()) return marking.status();
      graph->marking = *marking;
    }
    return graph;
  }

 private:
  virtual absl::StatusOr<system::SystemGraph> build_graph(const experiment::Experiment& experiment) const = 0;
};

/// The topology whose message is field kKind of v1::Topology, of type Message. Spec has its checked values.
template <v1::Topology::KindCase kKind, typename Message, typename Spec>
class TopologyOf : public Topology {
 public:
  v1::Topology::KindCase kind() const final { return kKind; }

  std::any check(const v1::Topology& topology, const experiment::RouterSpec& router,
                 experiment::FieldChecker& fields) const final {
    const auto* field = topology.GetDescriptor()->FindFieldByNumber(kKind);
    const auto& message = static_cast<const Message&>(topology.GetReflection()->GetMessage(topology, field));
    experiment::TopologyReader reader(message, "topology." + field->name(), router.clock, fields);
    return check(message, router, reader);
  }
  double nodes(const experiment::Experiment& experiment) const final { return nodes(experiment.topology_as<Spec>()); }
  double hosts_per_router(const experiment::Experiment& experiment) const final {
    return hosts_per_router(experiment.topology_as<Spec>());
  }
  bool routed_by_coordinates(const experiment::Experiment& experiment) const final {
    return routed_by_coordinates(experiment.topology_as<Spec>());
  }

 private:
  absl::StatusOr<system::SystemGraph> build_graph(const experiment::Experiment& experiment) const final {
    return build(experiment.topology_as<Spec>(), experiment);
  }

  /// Makes checked values of the message; see TopologyCheck::check().
  virtual Spec check(const Message& message, const experiment::RouterSpec& router,
                     experiment::TopologyReader& reader) const = 0;
  /// See Topology::build().
  virtual absl::StatusOr<system::SystemGraph> build(const Spec& spec,
                                                    const experiment::Experiment& experiment) const = 0;
  /// These are as those of Topology.
  virtual double nodes(const Spec& spec) const = 0;
  virtual double hosts_per_router(const Spec& /*spec*/) const { return 0; }
  virtual bool routed_by_coordinates(const Spec& /*spec*/) const { return false; }
};

}  // namespace fabrictwin::topology
