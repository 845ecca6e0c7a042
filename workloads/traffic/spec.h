// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthetic traffic, checked: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/experiment/source_location.h"
#include "fabrictwin/v1/traffic.pb.h"

namespace fabrictwin::traffic {

/// What is generated: see TrafficClass in traffic.proto, which has the defaults.
struct ClassSpec {
  std::string name;  ///< Empty if the traffic has no classes.
  /// Ranges of the hosts that send it, first and last; if there are none, all do.
  std::vector<std::pair<int32_t, int32_t>> hosts;
  Time start;
  Time stop = Time::never();
  v1::TrafficPattern pattern{};
  double load = 0;
  Bytes payload;
  double hotspot_fraction = 0;
  std::vector<int32_t> hotspot_hosts;
  bool include_self = false;
  std::vector<int32_t> incast_sources;  ///< If empty, incast_fan_in decides.
  int32_t incast_fan_in = 0;            ///< 0 means all other hosts.
  int32_t incast_destination = 0;
  std::string permutation_file;  ///< A path that can be opened from the working directory.
  v1::TrafficProcess process{};
  double burst_packets = 0;
  double burst_load = 0;
  int32_t window = 0;
  Time think_time;
  /// The source location of a pattern that the hosts of the network do not allow: the field of host_demand(), or else
  /// the pattern itself; and of `hosts`.
  experiment::SourceLocation pattern_location;
  experiment::SourceLocation hosts_location;
};

/// See Traffic in traffic.proto, which has the defaults. If there are classes, what it inherits is unused.
struct TrafficSpec : ClassSpec {
  bool sampled = false;  ///< Measured in samples, not for `duration`.
  Time duration;
  int32_t sample_cycles = 0;
  int32_t warmup_samples = 0;
  int32_t max_samples = 0;
  int32_t latency_limit_cycles = 0;
  std::optional<double> confidence_target;
  std::vector<ClassSpec> classes;

  /// The classes, or, if there are none, the traffic as the only one.
  std::span<const ClassSpec> all_classes() const {
    return classes.empty() ? std::span(static_cast<const ClassSpec*>(this), 1) : std::span(classes);
  }
  std::span<ClassSpec> all_classes() {
    return classes.empty() ? std::span(static_cast<ClassSpec*>(this), 1) : std::span(classes);
  }
};

}  // namespace fabrictwin::traffic
