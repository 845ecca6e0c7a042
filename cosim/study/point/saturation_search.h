// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches the load at which a network saturates.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::point {

/// Measures the traffic at a load.
using LoadProbe = std::function<absl::StatusOr<v1::Report>(double load)>;

/// The result of a search.
struct SaturationResult {
  struct Probe {
    double load = 0;
    bool saturated = false;
    v1::Report report;
  };
  double load = 0;            ///< The highest load tried that does not saturate the network; 0 if there is none.
  double load_above = 0;      ///< The lowest load tried that saturates it; 0 if there is none.
  double throughput = 0;      ///< The load accepted of a host at the highest load tried.
  std::vector<Probe> probes;  ///< The probes in the order of the search.
};

/// True if the network is saturated: the latency has grown beyond its limit, or less than 98 % of the offered load was
/// accepted, its confidence interval included.
bool is_saturated(const v1::TrafficReport& traffic);

/// Bisects the loads up to `max_load` in steps of at most `precision` (above 0, below `max_load`), beginning with
/// max_load itself, which gives the throughput. Assumes that a network that is saturated at a load is at all higher
/// ones. Errors are those of `measure`; `result`, which must be empty before, then has the probes so far.
absl::Status find_saturation(double precision, double max_load, const LoadProbe& measure, SaturationResult& result);

}  // namespace fabrictwin::study::point
