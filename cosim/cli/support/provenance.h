// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where results of this program come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/run/run_metrics.h"
#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::cli::support {

/// The provenance of what this process makes now: its command line, its build, the machine and the time.
v1::Provenance make_provenance();

/// With the hashes of these files, for results of several experiments.
v1::Provenance make_provenance(const std::vector<std::string>& files);

/// Also of what `experiment` says, with the hashes of the files that it names.
v1::Provenance make_provenance(const experiment::Experiment& experiment);

/// What tells a run of this process from others.
run::RunIdentity run_identity();

/// The JSON object `json` with a field "provenance", in the same form (on one line or indented by two).
std::string with_provenance(std::string_view json, const v1::Provenance& provenance);

}  // namespace fabrictwin::cli::support
