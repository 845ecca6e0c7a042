// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The outcome of one point of a study, which another process may have run.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/study/point/saturation_search.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::point {

/// What became of a run, or of a search for saturation.
struct Outcome {
  absl::Status status;
  v1::Report report;            ///< What a run reports that went well.
  SaturationResult saturation;  ///< What a search found; if that failed, it has the probes so far.
};

/// Runs an experiment with `run`, or searches its saturation if there is a precision of the load. Cancelled if `run`
/// is.
Outcome run_point(const experiment::Experiment& experiment, std::optional<double> precision,
                  const std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&)>& run);

/// The outcome as a JSON object, with all digits.
nlohmann::ordered_json outcome_json(const Outcome& outcome);

/// Reads what outcome_json() has made; DataLoss if it is something else.
absl::StatusOr<Outcome> parse_outcome(const nlohmann::ordered_json& json);

}  // namespace fabrictwin::study::point
