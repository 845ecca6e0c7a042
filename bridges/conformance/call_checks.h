// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of the calls of a place: what each answers, and when it refuses.
#pragma once

#include "absl/status/statusor.h"
#include "bridges/conformance/findings.h"
#include "bridges/conformance/place.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::conformance {

/// What a place says of itself.
struct Introduction {
  v1::HelloResponse hello;
  v1::DescribeResponse describe;
};

/// hello, hello.version, describe. An error if the place says too little to go on.
absl::StatusOr<Introduction> check_introduction(Place& place, Findings& findings);

/// configure.again, configure.busy, describe.busy, run_id, stop.free, abandoned: with a configuration that the place
/// takes. `foreign` is one that it must refuse, for configure.implementation; without partitions if there is none.
void check_calls(Place& place, const v1::ConfigureRequest& configure, const v1::ConfigureRequest& foreign,
                 Findings& findings);

}  // namespace fabrictwin::bridges::conformance
