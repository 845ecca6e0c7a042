// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of ExaNet routers that are too long for the buffers at their ends.
#pragma once

#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"

namespace fabrictwin::network {

/// A warning if the words that a link of routers of the model EXANET carries in a round trip (twice its latency) are
/// more than the buffer of a VC holds: a VC then waits for credits on an empty link. One sentence with the worst link,
/// the share of its rate that one VC can use at most, the number of other such links, and what to write; empty if there
/// is none. See docs/models/exanet-router.md#buffers-and-long-links. Thread-safe.
std::string credit_round_trip_warning(const experiment::Experiment& experiment, const system::Plan& plan);

}  // namespace fabrictwin::network
