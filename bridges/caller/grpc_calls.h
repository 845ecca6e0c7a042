// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A bridge by gRPC.
#pragma once

#include <memory>

#include "bridges/caller/bridge_calls.h"
#include "fabrictwin/v1/bridge.grpc.pb.h"

namespace fabrictwin::bridges::caller {

/// Calls and a Run stream of a place. `stub` must outlive them. Events of the stream come from its queue.
std::unique_ptr<BridgeCalls> make_grpc_calls(v1::Bridge::Stub& stub);
std::unique_ptr<RunStream> make_grpc_stream(v1::Bridge::Stub& stub);

}  // namespace fabrictwin::bridges::caller
