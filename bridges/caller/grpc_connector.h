// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All remote places of a run: starts what is local, joins what listens.
#pragma once

#include <memory>

#include "cosim/run/place_connector.h"

namespace fabrictwin {

/// A connector that speaks docs/bridge-protocol.md; what `fabrictwin run` hands to Run::create(). It starts
/// `options.executable` as
///   worker --listen ADDRESS --once --parent-pid PID --ready-fd FD
///   board --soft --window FILE --parent-pid PID --ready-fd FD
///   board --window FILE --listen ADDRESS --once --parent-pid PID --ready-fd FD
std::unique_ptr<PlaceConnector> make_grpc_connector(const ConnectorOptions& options);

}  // namespace fabrictwin
