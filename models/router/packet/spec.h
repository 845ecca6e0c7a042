// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model PACKET in an experiment, checked: plain values.
#pragma once

#include "models/fabric/router_fields.h"

namespace fabrictwin::router::packet {

/// See Router in router.proto, which has the defaults.
struct PacketSpec {
  fabric::PipelineSpec pipeline;
};

}  // namespace fabrictwin::router::packet
