// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What several partitions have sampled of the buffers of their routers, as one report.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include "absl/status/status.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::partition::statistics {

/// Adds what one partition would have sampled to a report that has the end of the run. Nothing, if no part has samples.
/// DataLoss if parts are not of one run.
absl::Status report_occupancy(const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, v1::Report& report);

}  // namespace fabrictwin::partition::statistics
