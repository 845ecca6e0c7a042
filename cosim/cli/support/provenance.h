// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where results of this program come from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/run/metrics/run_metrics.h"
#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::cli::support {

/// The provenance of what this process makes now: its command line, its build, the machine and the time.
v1::Provenance make_provenance();

/// With the hashes of these files.
v1::Provenance make_provenance(const std::vector<std::string>& files);

/// Also of what `experiment` says, with the hashes of the files that it names.
v1::Provenance make_provenance(const experiment::Experiment& experiment);

/// The files that experiments name and that are read, each once, as they are found from the folder of an experiment or
/// from the working directory; of a folder all of its files.
std::vector<std::string> input_files(std::span<const experiment::Experiment> experiments);

/// Adds one of several experiments of a result, under a comment with its `name`, which no other one has, and the hashes
/// of the files that it names. The seed of the first one is that of the result.
void add_experiment(const std::string& name, const experiment::Experiment& experiment, v1::Provenance& provenance);

/// What tells this program from other builds of it: version, commit and a hash of the file.
std::string build_identity();

/// A hash of what `experiments` say, of the files that they name as they are now, and of `more`.
std::string fingerprint(std::span<const experiment::Experiment> experiments, std::string_view more);

/// What tells a run of this process from others.
run::metrics::RunIdentity run_identity();

/// The JSON object `json` with a field "provenance", in the same form (on one line or indented by two).
std::string with_provenance(std::string_view json, const v1::Provenance& provenance);
/// The JSON object `json`, in the same form, with what says that it is not whole: "complete" false and a "reason".
std::string as_partial(std::string_view json, std::string_view reason);

}  // namespace fabrictwin::cli::support
