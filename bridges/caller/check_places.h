// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which places a run may connect to.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "cosim/base/connection_security.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"

namespace fabrictwin::bridges::caller {

/// InvalidArgument, with what to do, if `address` is in a network and `security` does not protect it. Thread-safe.
absl::Status check_address(const std::string& address, const ConnectionSecurity& security);

/// InvalidArgument if a place of the plan listens at an address in a network and `security` does not protect it; with a
/// diagnostic of the rule that names it, one for each such place. To be asked before anything starts. Thread-safe.
absl::Status check_places(const experiment::Experiment& experiment, const system::Plan& plan,
                          const ConnectionSecurity& security);

/// InvalidArgument if a place of the plan is a rank of MPI that there is not: this process is one of `ranks`, or has no
/// MPI if that is 1. With a diagnostic of the rule that names it, one for each such place. Thread-safe.
absl::Status check_ranks(const experiment::Experiment& experiment, const system::Plan& plan, int ranks);

}  // namespace fabrictwin::bridges::caller
