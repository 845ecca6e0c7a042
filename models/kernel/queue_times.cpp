// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/queue_times.h"

namespace fabrictwin::kernel {

double QueueTotals::mean_at(Time at) const {
  return area_at(at) / static_cast<double>(std::max({at.fs(), until, int64_t{1}}));
}

void QueueTotals::take(uint32_t number, const QueueLength& length, int64_t length_most, Time at) {
  if (length_most > most) {
    most = length_most;
    most_queue = number;
  }
  QueueTotals one;
  one.area = length.area;
  one.until = length.changed;
  one.bytes = length.bytes;
  if (one.mean_at(at) <= mean_at(at)) return;
  area = one.area;
  until = one.until;
  bytes = one.bytes;
  mean_queue = number;
  mean_most = length_most;
}

void QueueTotals::add(const QueueTotals& other, Time at) {
  if (other.most > most || (other.most == most && other.most_queue < most_queue)) {
    most = other.most;
    most_queue = other.most_queue;
  }
  const double there = other.area_at(at);
  const double here = area_at(at);
  if (there < here || (there == here && other.mean_queue > mean_queue)) return;
  area = other.area;
  until = other.until;
  bytes = other.bytes;
  mean_queue = other.mean_queue;
  mean_most = other.mean_most;
  times = other.times;
}

QueueSummary QueueTotals::at(Time at) const {
  QueueSummary summary;
  summary.most = most;
  summary.mean = mean_at(at);
  if (summary.mean == 0) return summary;
  const int64_t time = std::max({at.fs(), until, int64_t{1}});
  std::vector<int64_t> lengths = times;
  lengths[QueueTimes::index_of(bytes)] += since(at);
  summary.p50 = std::min(QueueTimes::percentile(lengths, time, 5000), mean_most);
  summary.p99 = std::min(QueueTimes::percentile(lengths, time, 9900), mean_most);
  return summary;
}

}  // namespace fabrictwin::kernel
