// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which load a network can bear.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// Measures the traffic at a load.
using LoadProbe = std::function<absl::StatusOr<v1::Report>(double load)>;

/// What a search found.
struct SaturationResult {
  struct Probe {
    double load = 0;
    bool saturated = false;
    v1::Report report;
  };
  double load = 0;            ///< The highest load found that the network bears; 0 if it bears none that was tried.
  double load_above = 0;      ///< The least load found that saturates it; 0 if there is none.
  double throughput = 0;      ///< What it accepts, of a host, at the highest load tried.
  std::vector<Probe> probes;  ///< In order.
};

/// True if the network does not take what it is offered: the latency has grown beyond its limit, or less than 98 % of
/// the offered load was accepted, its confidence interval included.
bool is_saturated(const v1::TrafficReport& traffic);

/// Bisects the loads up to `max_load` in steps of at most `precision` (above 0, below `max_load`), beginning with
/// max_load itself, which gives the throughput. Assumes that a network that is saturated at a load is at all higher
/// ones. Errors are those of `measure`; `result`, empty before, then has the probes so far.
absl::Status find_saturation(double precision, double max_load, const LoadProbe& measure, SaturationResult& result);

}  // namespace fabrictwin
