// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic traffic, checked: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/experiment/source_location.h"
#include "fabrictwin/v1/traffic.pb.h"

namespace fabrictwin::traffic {

/// See Traffic in traffic.proto, which has the defaults.
struct TrafficSpec {
  v1::TrafficPattern pattern{};
  double load = 0;
  Bytes payload;
  bool sampled = false;  ///< Measured in samples, not for `duration`.
  Time duration;
  double hotspot_fraction = 0;
  std::vector<int32_t> hotspot_hosts;
  bool include_self = false;
  int32_t sample_cycles = 0;
  int32_t warmup_samples = 0;
  int32_t max_samples = 0;
  int32_t latency_limit_cycles = 0;
  std::vector<int32_t> incast_sources;  ///< If empty, incast_fan_in decides.
  int32_t incast_fan_in = 0;            ///< 0 means all other hosts.
  int32_t incast_destination = 0;
  std::string permutation_file;  ///< A path that can be opened from the working directory.
  v1::TrafficProcess process{};
  double burst_packets = 0;
  double burst_load = 0;
  int32_t window = 0;
  Time think_time;
  std::optional<double> confidence_target;
  /// The source location of a pattern that the hosts of the network do not allow: the field of host_demand(), or else
  /// the pattern itself.
  experiment::SourceLocation pattern_location;
};

}  // namespace fabrictwin::traffic
