// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reference points of BookSim2, and the same experiments on the input-queued router model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// What BookSim2 measured, the mean over its seeds.
struct BooksimPoint {
  std::string dims;     ///< "8x8".
  std::string traffic;  ///< "uniform".
  std::string variant;  ///< "base", "vct", "deep" (buffers of 72 flits).
  bool throughput = false;
  double load = 0;
  int32_t runs = 0;
  bool unstable = false;
  double latency = 0;  ///< Packet latency, cycles.
  double network_latency = 0;
  double accepted = 0;
  double accepted_min = 0;
  double hops = 0;
};

/// The points of tests/models/router/input_queued/data/booksim-torus.csv, in its order.
absl::StatusOr<std::vector<BooksimPoint>> read_booksim_points(const std::string& file);

/// Saturation throughput of the point's network, traffic and variant among `points`: what is accepted at load 1; 0 if
/// that was not measured.
double booksim_saturation(const std::vector<BooksimPoint>& points, const BooksimPoint& point);

/// Arguments of --set that make workloads/experiments/booksim-torus.textproto the experiment of a point.
std::vector<std::string> settings_of(const BooksimPoint& point);

/// Runs that experiment, changed by `sets`.
absl::StatusOr<v1::Report> run_booksim_torus(const std::vector<std::string>& sets, uint64_t seed);

}  // namespace fabrictwin
