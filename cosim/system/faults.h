// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the links of an experiment's faults.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::system {

struct Plan;

/// A fault of one direction of a link.
struct ChannelFault {
  int32_t fault = 0;  ///< Number of the fault in the experiment; both directions of a link have the same one.
  int32_t channel = 0;
};

/// The channels that the faults of an experiment concern, in a graph with an index: both of a link, or one.
/// InvalidArgument, as a diagnostic with its location, if a link does not exist or two faults of a kind overlap in time
/// at a link. Thread-safe.
absl::StatusOr<std::vector<ChannelFault>> find_channel_faults(const experiment::Experiment& experiment,
                                                              const SystemGraph& graph);

/// Those of a planned system whose links carry words; none if they carry something else. Beside the errors of
/// find_channel_faults(): a link that faults of words cannot have, with what it can have.
absl::StatusOr<std::vector<ChannelFault>> find_word_faults(const experiment::Experiment& experiment, const Plan& plan);

/// The place where the faults of a channel of words are applied: that of its sender, but for boards, which know nothing
/// of faults, that of its receiver.
int32_t fault_place(const Plan& plan, int32_t channel);
/// Whether a place has faults to apply.
bool has_faults(const Plan& plan, int32_t place);

}  // namespace fabrictwin::system
