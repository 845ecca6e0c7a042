// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the checks of router models share: fields of v1::Router that several of them have, and what packets of hosts
// need.
#pragma once

#include <cstdint>
#include <string_view>

#include "cosim/base/clock.h"
#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/experiment/capabilities.h"
#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::fabric {

/// The most VCs of a port.
inline constexpr int32_t kMaxVcs = 32;
/// The largest input buffer of a VC, in words or flits of 16 bytes.
inline constexpr int32_t kMaxBufferWords = 4096;
/// Where packets must fit into buffers as a whole, so many do by default.
inline constexpr int32_t kPacketsPerBuffer = 4;

/// The stages of a router in cycles of its clock; see Router in router.proto.
struct PipelineSpec {
  int32_t routing_delay = 0;
  int32_t vc_alloc_delay = 0;
  int32_t switch_alloc_delay = 0;
  int32_t switch_delay = 0;
  int32_t credit_delay = 0;

  /// From the arrival of a head until it is on the next link, if nothing is in its way.
  Time latency(const Clock& clock) const;
};

/// The fields of a pipeline, for RouterCheck::fields().
inline constexpr std::string_view kPipelineFields[] = {"routing_delay", "vc_alloc_delay", "switch_alloc_delay",
                                                       "switch_delay", "credit_delay"};

/// Reads the fields of a pipeline. `reader` reads `router`.
PipelineSpec check_pipeline(const experiment::MessageReader& reader);

/// Reads packet_payload for the network interfaces of an experiment: some send packets of an MTU, and some have a
/// packet size of their own.
Bytes check_packet_payload(const experiment::Experiment& experiment, const experiment::MessageReader& reader);

/// The flits of the largest packet of a network interface, rounded up.
int32_t packet_flits(const experiment::NicCapabilities& nic, Bytes payload);

}  // namespace fabrictwin::fabric
