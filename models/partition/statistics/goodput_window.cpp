// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/goodput_window.h"

#include <algorithm>
#include <span>

#include "fmt/format.h"

namespace fabrictwin::partition::statistics {
namespace {

/// A flow that is shorter than its envelope counts with all of that until it is complete.
void add_differences(const google::protobuf::RepeatedField<uint64_t>& before,
                     const google::protobuf::RepeatedField<uint64_t>& after,
                     google::protobuf::RepeatedField<uint64_t>& bytes) {
  for (int i = 0; i < std::min(before.size(), after.size()); ++i) bytes.Add(std::max(after[i], before[i]) - before[i]);
}

}  // namespace

Time GoodputWindow::next() const {
  if (!window_.has_value() || states_.size() == 2) return Time::never();
  return states_.empty() ? window_->from : window_->until;
}

void GoodputWindow::sample(Time until, const host::Workload& workload) {
  while (!next().is_never() && next() <= until) states_.push_back(state_of(workload));
}

GoodputWindow::State GoodputWindow::state_of(const host::Workload& workload) {
  const std::span<const uint64_t> flows = workload.flow_bytes();
  return {{flows.begin(), flows.end()}, workload.class_bytes()};
}

void GoodputWindow::add(const State& before, const State& after, v1::GoodputWindowPart& part) {
  part.mutable_flow_bytes_before()->Add(before.flow_bytes.begin(), before.flow_bytes.end());
  part.mutable_flow_bytes_after()->Add(after.flow_bytes.begin(), after.flow_bytes.end());
  part.mutable_class_bytes_before()->Add(before.class_bytes.begin(), before.class_bytes.end());
  part.mutable_class_bytes_after()->Add(after.class_bytes.begin(), after.class_bytes.end());
}

void GoodputWindow::report(Time at, v1::Report& report) const {
  if (!window_.has_value()) return;
  v1::GoodputWindowPart sum;
  if (states_.size() == 2) add(states_[0], states_[1], sum);
  report_sum(*window_, sum, at, report);
}

void GoodputWindow::report_part(const host::Workload& workload, v1::GoodputWindowPart& part) const {
  const State now = states_.size() == 2 ? State() : state_of(workload);
  add(states_.empty() ? now : states_[0], states_.size() == 2 ? states_[1] : now, part);
}

void GoodputWindow::report_sum(const experiment::GoodputWindowSpec& window, const v1::GoodputWindowPart& sum, Time at,
                               v1::Report& report) {
  if (at < window.until) {
    return report.add_warnings(
        fmt::format("statistics.goodput_window until {}: the run was over at {}, so nothing is told of the window; "
                    "write an earlier one",
                    to_string(window.until), to_string(at)));
  }
  v1::GoodputWindowReport& line = *report.mutable_goodput_window();
  line.set_from_seconds(window.from.seconds());
  line.set_until_seconds(window.until.seconds());
  add_differences(sum.flow_bytes_before(), sum.flow_bytes_after(), *line.mutable_flow_bytes());
  add_differences(sum.class_bytes_before(), sum.class_bytes_after(), *line.mutable_class_bytes());
}

}  // namespace fabrictwin::partition::statistics
