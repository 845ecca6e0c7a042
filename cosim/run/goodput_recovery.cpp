// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/goodput_recovery.h"

#include <cstdint>
#include <optional>

namespace fabrictwin::run {
namespace {

constexpr double kBack = 0.95;
/// A part of an interval by which times of points may be off.
constexpr double kOff = 1e-6;

/// What arrived in an interval, but for one class of traffic; -1: all of it.
double arrived(const v1::SeriesPoint& point, int but_class) {
  uint64_t bytes = 0;
  for (const uint64_t of_flow : point.flow_bytes()) bytes += of_flow;
  for (int i = 0; i < point.class_bytes_size(); ++i) bytes += i == but_class ? 0 : point.class_bytes(i);
  return static_cast<double>(bytes);
}

/// From `end` on, of what began at `begin`.
std::optional<double> recovery(const v1::SeriesReport& series, double begin, double end, int but_class) {
  const double interval = series.interval_seconds();
  const double off = kOff * interval;
  double sum = 0;
  int intervals = 0;
  for (const v1::SeriesPoint& point : series.points()) {
    const double from = point.seconds() - interval;
    if (from >= begin / 2 - off && point.seconds() <= begin + off) {
      sum += arrived(point, but_class);
      ++intervals;
    }
    if (from < end - off) continue;
    if (sum == 0) return std::nullopt;
    if (arrived(point, but_class) >= kBack * sum / intervals) return point.seconds() - end;
  }
  return std::nullopt;
}

}  // namespace

void add_goodput_recoveries(v1::Report& report) {
  const v1::SeriesReport& series = report.series();
  if (series.points_size() == 0 || series.interval_seconds() <= 0) return;
  for (v1::FaultReport& fault : *report.mutable_faults()) {
    if (!fault.has_until_seconds()) continue;
    if (const auto seconds = recovery(series, fault.at_seconds(), fault.until_seconds(), -1); seconds.has_value())
      fault.set_goodput_recovery_seconds(*seconds);
  }
  for (int i = 0; i < report.classes_size(); ++i) {
    v1::ClassReport& of_class = *report.mutable_classes(i);
    if (!of_class.has_stop_seconds()) continue;
    const auto seconds = recovery(series, of_class.start_seconds(), of_class.stop_seconds(), i);
    if (seconds.has_value()) of_class.set_goodput_recovery_seconds(*seconds);
  }
}

}  // namespace fabrictwin::run
