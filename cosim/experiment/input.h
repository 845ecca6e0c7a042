// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of an experiment and the changes to it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// The source of an experiment, which can be loaded again with other changes.
struct Input {
  std::string file;
  Overrides overrides;
  /// Processes among which whoever knows the topology divides it; 1 if the experiment says what runs where.
  int32_t split = 1;
  /// Whether the processes of `split` are the ranks of MPI, and not workers that the run starts.
  bool split_by_ranks = false;

  /// Reads and checks the experiment; see load_experiment().
  absl::StatusOr<Experiment> load(const Tenants& tenants) const { return load_experiment(file, tenants, overrides); }
};

}  // namespace fabrictwin::experiment
