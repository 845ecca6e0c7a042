// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What routing algorithms state about themselves that go through the dimensions of a lattice one after the other.
#pragma once

#include "models/routing/lattice/lattice.h"

namespace fabrictwin::routing::lattice {

/// A RoutingAlgorithm may be one, for networks too large to follow every packet.
class ByDimension {
 public:
  virtual ~ByDimension() = default;
  /// Not null if packets (on escapes, if there are any) go through the dimensions in the order of this lattice, port
  /// and VCs in a dimension depend only on positions in it, on the random number and on the part of the route, and both
  /// parts of a route have VCs of their own.
  virtual const Lattice* by_dimension() const = 0;
};

}  // namespace fabrictwin::routing::lattice
