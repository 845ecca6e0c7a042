// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of metrics as messages: in reports, and on their way from other processes.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <string_view>

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::observe {

using MetricReports = google::protobuf::RepeatedPtrField<v1::MetricReport>;

/// Appends each series that it is given to `reports`, which outlives it. Series of several partitions are added up
/// before (SumSink).
class MetricReporter final : public metric::Sink {
 public:
  /// `whole`: also metrics that reports of runs leave out (Metric::in_report()).
  MetricReporter(MetricReports& reports, bool whole) : reports_(reports), whole_(whole) {}

  void take(const metric::Sample& sample) override;

 private:
  MetricReports& reports_;
  bool whole_;
};

/// Gives the series of `reports` to `sink`. They may come from another process: what this program's catalogue does not
/// have in this form is left out. With a `place`, each series gets it as a further label.
void send_metrics(const MetricReports& reports, std::string_view place, metric::Sink& sink);

}  // namespace fabrictwin::observe
