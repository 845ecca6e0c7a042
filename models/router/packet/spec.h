// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model PACKET in an experiment, checked: plain values.
#pragma once

#include <optional>

#include "models/fabric/router_fields.h"
#include "models/router/packet/buffer/shared_buffer.h"

namespace fabrictwin::router::packet {

/// See Router in router.proto, which has the defaults.
struct PacketSpec {
  fabric::PipelineSpec pipeline;
  std::optional<buffer::SharedBufferSpec> pause;  ///< Switches share a buffer and pause their senders.
};

}  // namespace fabrictwin::router::packet
