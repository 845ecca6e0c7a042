// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A partition that adds to the report of its run.
#pragma once

#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// Implemented by partitions, beside engine::Partition, that report more than metrics.
class Reporter {
 public:
  virtual ~Reporter() = default;

  /// Adds what this partition has measured (ranks, traffic) to the report. Valid at any time between two advances,
  /// since a run may be stopped.
  virtual void report(v1::Report& report) const = 0;

  /// Adds what it has measured of a workload that is measured as a whole, if other partitions have measured the rest.
  /// report() leaves it out then.
  virtual void report_part(google::protobuf::RepeatedPtrField<v1::WorkloadPart>& /*parts*/) const {}
};

}  // namespace fabrictwin::run
