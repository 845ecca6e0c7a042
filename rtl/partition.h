// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The factory of RTL partitions, for Registry::rtl.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/run/registry.h"

namespace fabrictwin::rtl {

/// Builds the partition of one RTL router. InvalidArgument if the partition is not a single router of at most 3
/// dimensions whose ports are all cut; PermissionDenied if a waveform that was asked for cannot be written.
absl::StatusOr<std::unique_ptr<engine::Partition>> make_rtl_partition(const run::PartitionContext& context);

}  // namespace fabrictwin::rtl
