// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic for tests that need not say much of it.
#pragma once

#include <string>

#include "tests/experiments.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::test {

/// Uniform traffic with a load of 0.3 and these fields; everything else is as by default.
inline traffic::TrafficSpec default_spec(const std::string& fields = {}) {
  const auto experiment = parse_experiment(
      "topology { torus { dims: 2 } } workload { traffic { load: 0.3 " + fields + " } }", "default.textproto");
  return *experiment.value().workload_as<traffic::TrafficSpec>();
}

}  // namespace fabrictwin::test
