// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a place is told about the plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bridges/blob_encoder.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin {

/// As the bridge names the type of an element: "host", "exanet_router", "exanet_node".
const char* element_type_name(const Element& element);

/// Two plans with the same fingerprint have the same places, partitions, elements and channels.
uint64_t plan_fingerprint(const Plan& plan);

/// Everything that `place` must know about a run.
v1::ConfigureRequest make_configure(const Experiment& experiment, const Plan& plan, int32_t place,
                                    const std::string& run_id, int32_t threads, const std::vector<WaveRequest>& waves);

/// The waves of a request.
std::vector<WaveRequest> waves_of(const v1::ConfigureRequest& request);

/// Partitions of a place, ascending.
std::vector<int32_t> partitions_at(const Plan& plan, int32_t place);

/// Cut channels that come into a place from outside it, or go out of it, ascending, with their positions in
/// plan.cut_channels and rings in `memory`.
struct PlaceChannels {
  std::vector<int32_t> positions;
  std::vector<BlobChannel> channels;
};
PlaceChannels channels_into(const Plan& plan, int32_t place, RunMemory& memory);
PlaceChannels channels_out_of(const Plan& plan, int32_t place, RunMemory& memory);

}  // namespace fabrictwin
