// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include <span>

#include "cosim/base/time.h"
#include "cosim/observe/digest.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// Adds what hosts of another partition report to a report: packets, bytes, ranks, jobs, warnings, violations, and the
/// end of the workload.
void add_report(const v1::Report& part, v1::Report& report);
/// Adds what the hosts of another place report to the report of the run, which has what those of this place do.
/// `digests` are by host.
void add_hosts_report(const v1::HostsReport& hosts, std::span<observe::EndpointDigest> digests, v1::Report& report);

/// Takes packets that have arrived after `end`, as parts say, out of digests by host and out of the report.
void drop_late(const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, Time end,
               std::span<observe::EndpointDigest> digests, v1::Report& report);

/// Sets the goodput of each job, what its ranks have sent or its flows have received over its time, and that of all
/// flows. The report must have the ranks and flows of all places and the end of the run.
void add_goodputs(v1::Report& report);

}  // namespace fabrictwin::run
