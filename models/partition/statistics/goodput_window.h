// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What flows and classes of traffic receive in a window of simulated time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/workload.h"

namespace fabrictwin::partition::statistics {

/// Takes what has been received when a window begins and when it ends. Not thread-safe.
class GoodputWindow {
 public:
  /// Nothing is taken without a window.
  explicit GoodputWindow(const std::optional<experiment::GoodputWindowSpec>& window) : window_(window) {}

  bool active() const { return window_.has_value(); }
  /// When the next state is due; nothing may have been simulated beyond.
  Time next() const;
  /// Takes the states that are due up to and including `until`, before which nothing happens.
  void sample(Time until, const host::Workload& workload);
  /// Adds the window to a report of a run that has come to `at`, or a warning if that is before its end.
  void report(Time at, v1::Report& report) const;
  /// Where others have parts of the network: both states, or what `workload` has now in place of those that are not due
  /// yet.
  void report_part(const host::Workload& workload, v1::GoodputWindowPart& part) const;
  /// Adds the window whose states are those of `sum`, as report() does.
  static void report_sum(const experiment::GoodputWindowSpec& window, const v1::GoodputWindowPart& sum, Time at,
                         v1::Report& report);

 private:
  /// What has been received so far.
  struct State {
    std::vector<uint64_t> flow_bytes;
    std::vector<uint64_t> class_bytes;
  };
  static State state_of(const host::Workload& workload);
  static void add(const State& before, const State& after, v1::GoodputWindowPart& part);

  std::optional<experiment::GoodputWindowSpec> window_;
  std::vector<State> states_;  ///< At its beginning, then at its end.
};

}  // namespace fabrictwin::partition::statistics
