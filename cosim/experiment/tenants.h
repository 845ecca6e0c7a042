// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What experiments can name and this folder does not know: routers, network interfaces, topologies, routing algorithms
// and workloads. They live above it, say here what they can do and how their part of an experiment is checked, and are
// handed to load_experiment() in one list.
#pragma once

#include <any>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/capabilities.h"
#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// The check of one model of routers. Implementations are immutable and thread-safe. Mistakes are added to the
/// diagnostics of `reader`, which reads `router`, and the result can be used nevertheless.
class RouterCheck {
 public:
  virtual ~RouterCheck() = default;

  /// What they can do.
  virtual const RouterCapabilities& capabilities() const = 0;
  /// The fields of v1::Router, besides clock and model, that they have beside such network interfaces; others are
  /// refused.
  virtual std::vector<std::string_view> fields(const NicCapabilities& nic) const = 0;
  /// Why they do not have a field, if there is more to say than which models have it.
  virtual std::string refusal(std::string_view /*field*/) const { return {}; }
  /// Makes checked values of the message in experiment.router, whose clock and model have been checked; nothing else
  /// of the experiment has.
  virtual void check(Experiment& experiment, const MessageReader& reader) const = 0;
  /// Checks and completes them by what the rest of the experiment says, of which all but the hosts has been checked.
  virtual void complete(Experiment& /*experiment*/, const MessageReader& /*reader*/) const {}
};

/// The check of one kind of network interfaces. Implementations are immutable and thread-safe.
class NicCheck {
 public:
  virtual ~NicCheck() = default;

  /// What they can do.
  virtual const NicCapabilities& capabilities() const = 0;
  /// The field of v1::Host that has their message, which is refused beside others; empty if they have none.
  virtual std::string_view field() const { return {}; }
  /// Makes checked values of the message, HostSpec::nic_spec, whose type only they know; all of the experiment but its
  /// hosts has been checked. Mistakes are added to the diagnostics of `fields`, and the result can be used
  /// nevertheless.
  virtual std::any check(const Experiment& experiment, FieldChecker& fields) const = 0;
};

/// The check of one scheme of congestion management. Implementations are immutable and thread-safe.
class CongestionCheck {
 public:
  virtual ~CongestionCheck() = default;

  /// Which field of v1::Congestion has its message.
  virtual v1::Congestion::SchemeCase kind() const = 0;
  /// Makes checked values of the message, Experiment::congestion_spec, whose type only the schemes know. Mistakes are
  /// added to the diagnostics of `fields`, and the result can be used nevertheless.
  virtual std::any check(const v1::Congestion& congestion, FieldChecker& fields) const = 0;
  /// Whether it can do with routers that only mark.
  virtual bool in_hardware() const { return false; }
  /// Makes checked values for such routers in a topology, Experiment::hardware_congestion, if in_hardware(). Mistakes
  /// are as above.
  virtual HardwareCongestion check_hardware(const v1::Congestion& /*congestion*/, const TopologyTraits& /*traits*/,
                                            FieldChecker& /*fields*/) const {
    return {};
  }
};

/// A field of v1::Host that hosts of one topology have and no others.
struct HostField {
  std::string_view name;
  std::string_view part;  ///< What it is a property of: "the mailbox".
};

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
  /// What its elements and links are.
  virtual TopologyTraits traits(const v1::Topology& /*topology*/) const { return {}; }
  /// The fields of v1::Host that only its hosts have; they are refused beside other topologies.
  virtual std::vector<HostField> host_fields() const { return {}; }
  /// Makes checked values of these fields in Experiment::host, of which all else but the network interface has been
  /// checked.
  virtual void check_host(Experiment& /*experiment*/, FieldChecker& /*fields*/) const {}
};

/// What the check of an experiment has to know about a routing algorithm.
struct RoutingCheck {
  v1::RoutingKind kind = v1::DEFAULT;
  /// The fields of v1::Routing besides `algorithm` that it reads; others are refused.
  std::vector<std::string_view> parameters;
};

/// The check of one kind of workload. Implementations are immutable and thread-safe.
class WorkloadCheck {
 public:
  virtual ~WorkloadCheck() = default;

  /// Which field of v1::Workload has its message.
  virtual v1::Workload::KindCase kind() const = 0;
  /// Makes checked values of the message in `experiment`, whose router and topology have been checked, and sets
  /// workload_spec, of a type that only the workload knows, and workload_traits. Paths in the message are replaced by
  /// paths that can be opened. Mistakes are added to the diagnostics of `fields`, and the result can be used
  /// nevertheless.
  virtual void check(Experiment& experiment, const FileChecker& files, FieldChecker& fields) const = 0;
};

/// A topology of a kind, which is set, as a user would write it: "topology { torus { } }".
std::string topology_text(v1::Topology::KindCase kind);

/// All that experiments can name. What it points to must outlive it.
struct Tenants {
  Capabilities capabilities;
  /// The first of each is that of experiments that name none.
  std::vector<const RouterCheck*> routers;
  std::vector<const NicCheck*> nics;
  std::vector<const CongestionCheck*> congestion;
  std::vector<const TopologyCheck*> topologies;
  /// Several algorithms may be of one kind, for different topologies.
  std::vector<RoutingCheck> routings;
  std::vector<const WorkloadCheck*> workloads;

  /// The model of routers that an experiment names, or null if there is none.
  const RouterCheck* router(v1::RouterModel model) const;
  /// The topology of a kind, or null if there is none.
  const TopologyCheck* topology(v1::Topology::KindCase kind) const;
  /// The workload of a kind, or null if there is none.
  const WorkloadCheck* workload(v1::Workload::KindCase kind) const;
  /// The topologies whose elements are nodes, as a user would write them: "topology { exanest { } }".
  std::string node_topologies() const;
};

}  // namespace fabrictwin::experiment
