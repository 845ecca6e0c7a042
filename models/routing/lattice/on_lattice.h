// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes routing algorithms of lattices.
#pragma once

#include <memory>
#include <utility>

#include "cosim/base/text.h"
#include "models/routing/factory.h"
#include "models/routing/lattice/lattice.h"

namespace fabrictwin::routing::lattice {

/// Why algorithms of lattices do not suit other topologies.
inline constexpr std::string_view kNoLattice = ", which is no lattice";

/// Makes Algorithm(lattice, vcs, arguments...) with the dimensions in the order that the experiment says.
template <typename Algorithm, typename... Arguments>
Made on_lattice(const Request& request, Arguments... arguments) {
  absl::StatusOr<Lattice> lattice = Lattice::create(request.graph(), request.spec().order);
  if (!lattice.ok()) {
    const experiment::Experiment& experiment = request.experiment();
    return Request::refuse(request.spec().order.empty() ? experiment.routing_location : experiment.order_location,
                           message_of(lattice.status()));
  }
  if (absl::Status status = request.check_vcs(Algorithm::classes(*lattice)); !status.ok()) return status;
  return std::make_shared<Algorithm>(*std::move(lattice), request.vcs(), arguments...);
}

}  // namespace fabrictwin::routing::lattice
