// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The self-test over sizes of packets, as a picture and as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "rtl/karma/karma.h"

namespace fabrictwin::cli {

/// One curve: a path through the RTL, measured at each of karma_plot_sizes().
struct KarmaCurve {
  std::string label;            ///< "router, 1 sender".
  rtl::karma::Options options;  ///< All options but the payload.
  double published = 0;         ///< Efficiency of the published hardware at kKarmaMaxPayload.
  std::vector<rtl::karma::Result> results;
};

/// "1 sender", "2 senders".
std::string counted(uint64_t number, std::string_view thing);

/// The payload sizes in bytes, ascending.
const std::vector<int>& karma_plot_sizes();

/// Measures the router with one and with two senders, and the link. InvalidArgument if `packets` is out of range.
absl::StatusOr<std::vector<KarmaCurve>> measure_karma_curves(uint32_t packets);

/// Bandwidth over size with the published points, as SVG.
absl::StatusOr<std::string> karma_svg(const std::vector<KarmaCurve>& curves);
/// The curves as a text table, and as one JSON object.
std::string karma_table(const std::vector<KarmaCurve>& curves);
std::string karma_points_json(const std::vector<KarmaCurve>& curves, uint32_t packets);

}  // namespace fabrictwin::cli
