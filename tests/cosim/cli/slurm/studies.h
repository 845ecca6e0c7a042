// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "cosim/cli/slurm/study_folder.h"

namespace fabrictwin {

/// A study with so many points, which nobody runs.
inline cli::slurm::Study make_study(size_t points) {
  cli::slurm::Study study;
  study.identity = {"this build", "this experiment"};
  study.settings.directory = "/";
  for (size_t i = 0; i < points; ++i) study.points.push_back({"point " + std::to_string(i), "file", "text"});
  return study;
}

/// An outcome that is told from others by its number.
inline study::point::Outcome make_outcome(int64_t number) {
  study::point::Outcome outcome;
  outcome.report.set_complete(true);
  outcome.report.set_simulated_seconds(static_cast<double>(number) / 3);
  return outcome;
}

}  // namespace fabrictwin
