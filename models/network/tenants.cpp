// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/tenants.h"

#include <algorithm>

#include "models/congestion/tenants.h"

// Each topology, routing algorithm, router model and network interface is defined in a file of its folder. A new one
// needs two lines here: its declaration, and its position in the list. Messages and texts name them in the order of the
// lists; the first router model and the first network interface are those of experiments that name none.
namespace fabrictwin::topology {
namespace lattice {
const Topology& blue_gene_q();
const Topology& tofu();
const Topology& torus();
}  // namespace lattice
namespace exanest {
const Topology& exanest();
}  // namespace exanest
namespace tree {
const Topology& fat_tree();
const Topology& spine_leaf();
}  // namespace tree
namespace dragonfly {
const Topology& dragonfly();
}  // namespace dragonfly
namespace graph {
const Topology& explicit_graph();
const Topology& sun_fire_x4600();
}  // namespace graph
namespace nanet {
const Topology& nanet();
}  // namespace nanet
}  // namespace fabrictwin::topology

namespace fabrictwin::routing {
namespace lattice {
const Factory& adaptive();
const Factory& dimension_order();
const Factory& ugal_g();
const Factory& ugal_l();
const Factory& valiant();
}  // namespace lattice
namespace dragonfly {
const Factory& minimal();
const Factory& ugal_g();
const Factory& ugal_l();
const Factory& valiant();
}  // namespace dragonfly
namespace tree {
const Factory& d_mod_k();
const Factory& ecmp();
const Factory& random_up();
const Factory& up_down();
}  // namespace tree
namespace graph {
const Factory& adaptive();
const Factory& shortest();
const Factory& up_down();
}  // namespace graph
namespace table {
const Factory& from_file();
}  // namespace table
}  // namespace fabrictwin::routing

namespace fabrictwin::router {
namespace exanet {
const experiment::RouterCheck& kind();
}  // namespace exanet
namespace external {
const experiment::RouterCheck& kind();
}  // namespace external
namespace input_queued {
const experiment::RouterCheck& kind();
}  // namespace input_queued
namespace packet {
const experiment::RouterCheck& kind();
}  // namespace packet
}  // namespace fabrictwin::router

namespace fabrictwin::nic {
namespace plain {
const experiment::NicCheck& kind();
}  // namespace plain
const experiment::NicCheck& rdma();
const experiment::NicCheck& tofu();
}  // namespace fabrictwin::nic

namespace fabrictwin::network {

std::span<const topology::Topology* const> topologies() {
  static const topology::Topology* const list[] = {
      // clang-format off
      &topology::lattice::torus(),
      &topology::exanest::exanest(),
      &topology::tree::spine_leaf(),
      &topology::lattice::tofu(),
      &topology::lattice::blue_gene_q(),
      &topology::dragonfly::dragonfly(),
      &topology::tree::fat_tree(),
      &topology::graph::sun_fire_x4600(),
      &topology::graph::explicit_graph(),
      &topology::nanet::nanet(),
      // clang-format on
  };
  return list;
}

std::span<const routing::Factory* const> routings() {
  static const routing::Factory* const list[] = {
      // clang-format off
      &routing::lattice::dimension_order(),
      &routing::lattice::adaptive(),
      &routing::lattice::valiant(),
      &routing::lattice::ugal_l(),
      &routing::lattice::ugal_g(),
      &routing::dragonfly::minimal(),
      &routing::dragonfly::valiant(),
      &routing::dragonfly::ugal_l(),
      &routing::dragonfly::ugal_g(),
      &routing::tree::up_down(),
      &routing::tree::d_mod_k(),
      &routing::tree::ecmp(),
      &routing::tree::random_up(),
      &routing::graph::up_down(),
      &routing::graph::adaptive(),
      &routing::graph::shortest(),
      &routing::table::from_file(),
      // clang-format on
  };
  return list;
}

std::span<const experiment::RouterCheck* const> routers() {
  static const experiment::RouterCheck* const list[] = {
      // clang-format off
      &router::exanet::kind(),
      &router::input_queued::kind(),
      &router::packet::kind(),
      &router::external::kind(),
      // clang-format on
  };
  return list;
}

std::span<const experiment::NicCheck* const> nics() {
  static const experiment::NicCheck* const list[] = {
      // clang-format off
      &nic::plain::kind(),
      &nic::tofu(),
      &nic::rdma(),
      // clang-format on
  };
  return list;
}

const topology::Topology& topology_of(const experiment::Experiment& experiment) {
  // The check of the experiment has found it.
  return **std::ranges::find_if(
      topologies(), [&](const topology::Topology* topology) { return topology->kind() == experiment.topology; });
}

experiment::Tenants tenants() {
  experiment::Tenants tenants;
  tenants.routers.assign(routers().begin(), routers().end());
  for (const experiment::RouterCheck* router : routers())
    tenants.capabilities.routers.push_back(&router->capabilities());
  tenants.nics.assign(nics().begin(), nics().end());
  for (const experiment::NicCheck* nic : nics()) tenants.capabilities.nics.push_back(&nic->capabilities());
  tenants.congestion.assign(congestion::schemes().begin(), congestion::schemes().end());
  tenants.topologies.assign(topologies().begin(), topologies().end());
  for (const routing::Factory* routing : routings()) tenants.routings.push_back({routing->kind, routing->parameters});
  return tenants;
}

}  // namespace fabrictwin::network
