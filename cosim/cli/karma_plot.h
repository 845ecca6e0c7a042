// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The self-test over sizes of packets, as a picture and as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "rtl/karma/karma.h"

namespace fabrictwin {

/// One curve: a way through the RTL, measured at each of karma_plot_sizes().
struct KarmaCurve {
  std::string label;     ///< "router, 1 sender".
  KarmaOptions options;  ///< All but the payload.
  double published = 0;  ///< Efficiency of the published hardware at kKarmaMaxPayload.
  std::vector<KarmaResult> results;
};

/// Payload sizes in bytes, rising.
const std::vector<int>& karma_plot_sizes();

/// Measures router with one and two senders, and link. InvalidArgument if `packets` makes no sense.
absl::StatusOr<std::vector<KarmaCurve>> measure_karma_curves(uint32_t packets);

/// Bandwidth over size with the published points, as SVG.
absl::StatusOr<std::string> karma_svg(const std::vector<KarmaCurve>& curves);
/// The same as a text table, and as one JSON object.
std::string karma_table(const std::vector<KarmaCurve>& curves);
std::string karma_points_json(const std::vector<KarmaCurve>& curves);

}  // namespace fabrictwin
