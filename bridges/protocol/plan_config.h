// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the plan that is sent to a place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bridges/protocol/blob_encoder.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/registry.h"
#include "cosim/run/run_memory.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::protocol {

/// The bridge's name for the type of an element: "host", "exanet_router", "exanet_node", "external_router",
/// "nanet".
const char* element_type_name(const system::SystemGraph& graph, const system::Element& element);

/// The fingerprint of a plan; two plans with the same one have the same places, partitions, elements and channels.
uint64_t plan_fingerprint(const system::Plan& plan);

/// Everything that place `place` must know about a run.
v1::ConfigureRequest make_configure(const experiment::Experiment& experiment, const system::Plan& plan, int32_t place,
                                    const std::string& run_id, int32_t threads,
                                    const std::vector<run::WaveRequest>& waves, uint64_t logged_messages = 0);

/// The waveforms that a request asks for.
std::vector<run::WaveRequest> waves_of(const v1::ConfigureRequest& request);

/// The partitions of a place, ascending.
std::vector<int32_t> partitions_at(const system::Plan& plan, int32_t place);
/// Whether elements at a place are to mark packets, which not every place can.
bool marks_at(const system::Plan& plan, int32_t place);

/// The cut channels that enter or leave a place, ascending, with their indices in plan.cut_channels and their rings
/// in `memory`.
struct PlaceChannels {
  std::vector<int32_t> positions;
  std::vector<BlobChannel> channels;
};
PlaceChannels channels_into(const system::Plan& plan, int32_t place, run::RunMemory& memory);
PlaceChannels channels_out_of(const system::Plan& plan, int32_t place, run::RunMemory& memory);

}  // namespace fabrictwin::bridges::protocol
