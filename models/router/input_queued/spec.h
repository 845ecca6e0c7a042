// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model INPUT_QUEUED in an experiment, checked: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/experiment/source_location.h"
#include "fabrictwin/v1/router.pb.h"
#include "models/fabric/router_fields.h"

namespace fabrictwin::router::input_queued {

/// The input buffers of some ports; see PortBuffer in router.proto.
struct PortBufferSpec {
  std::string ports;  ///< A pattern of port names.
  int32_t flits = 0;
  experiment::SourceLocation location{};
};

/// See Router in router.proto, which has the defaults.
struct InputQueuedSpec {
  int32_t vc_buffer_flits = 0;
  v1::Switching switching{};
  v1::Arbitration arbitration{};
  fabric::PipelineSpec pipeline;
  int32_t internal_speedup = 0;
  std::vector<PortBufferSpec> port_buffers;
  /// Links are those of routers that move words: a flit has arrived when its word has left, and buffers are theirs.
  bool beside_words = false;
  bool looks_ahead = false;  ///< See RouterSpec.
};

}  // namespace fabrictwin::router::input_queued
