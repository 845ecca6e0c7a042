// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A look at what a caller and a place say to each other.
#pragma once

#include <memory>

#include "bridges/caller/bridge_calls.h"
#include "cosim/run/place_connector.h"

namespace fabrictwin::bridges::caller {

/// Stands between a caller and its places: each gets what it asks for through what these return. Outlives the run.
class PlaceTap {
 public:
  virtual ~PlaceTap() = default;
  virtual std::unique_ptr<BridgeCalls> tap(std::unique_ptr<BridgeCalls> calls) = 0;
  virtual std::unique_ptr<RunStream> tap(std::unique_ptr<RunStream> stream) = 0;
};

/// Makes connectors as make_grpc_connector() does, whose places are all behind `tap`.
run::ConnectorFactory tapped_connector(PlaceTap& tap);

}  // namespace fabrictwin::bridges::caller
