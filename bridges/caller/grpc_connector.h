// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The remote places of a run: starts local processes and joins those that already listen.
#pragma once

#include <memory>

#include "bridges/caller/bridge_calls.h"
#include "cosim/run/place_connector.h"

namespace fabrictwin::bridges::caller {

/// Makes a connector that speaks the protocol of docs/bridge-protocol.md, for Run::create(). It starts
/// `options.executable` as
///   worker --listen ADDRESS --once --parent-pid PID --ready-fd FD
///   board --soft --window FILE --parent-pid PID --ready-fd FD
///   board --window FILE --listen ADDRESS --once --parent-pid PID --ready-fd FD
/// Its connect() refuses what check_places() refuses, and ranks of MPI (InvalidArgument).
std::unique_ptr<run::PlaceConnector> make_grpc_connector(const run::ConnectorOptions& options);

/// Makes such connectors that also reach the ranks that `ranks` has, which outlives them.
run::ConnectorFactory rank_connector(RankLinks& ranks);

}  // namespace fabrictwin::bridges::caller
