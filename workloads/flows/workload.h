// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A workload of flows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "models/host/workload.h"
#include "workloads/flows/process.h"

namespace fabrictwin::flows {

/// Flows between some hosts that belong together.
struct FlowGroup {
  FlowList flows;              ///< Between hosts of the network.
  std::vector<int32_t> hosts;  ///< Those that belong to the group, which are in no other one.
  bool background = false;     ///< Its flows repeat, and nothing waits for them.
};

/// Flows between hosts, whatever made the list of them.
class Workload final : public host::Workload {
 public:
  /// With `transport`, network interfaces tell when all of a flow has arrived.
  Workload(FlowList flows, int32_t hosts, bool transport);
  /// Several groups, of which each host is in one at most.
  Workload(std::vector<FlowGroup> groups, int32_t hosts, bool transport);

  /// From now on, groups in the background call `look` now and then, one process at a time; an error ends the run. Call
  /// it before make_process(); hosts must then not be independent.
  void set_look(std::function<absl::Status(Time)> look) { state_.look = std::move(look); }

  bool takes_part(int32_t node) const override { return group_of_[static_cast<size_t>(node)] != kNone; }
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  bool independent_hosts() const override { return true; }
  std::string_view shared_among_hosts() const override { return {}; }
  bool report_part(v1::WorkloadPart& part) const override;
  absl::Status add_part(const v1::WorkloadPart& part) override;
  /// The parts tell of all flows.
  void report_parts(v1::Report& report) const override;
  void report_here(v1::Report& /*report*/) const override {}
  std::span<const uint64_t> flow_bytes() const override { return state_.bytes; }
  std::span<uint64_t> count_flow_bytes() override {
    state_.counted = true;
    return state_.bytes;
  }
  void report(v1::Report& report) const override;
  void measure_sums(metric::Sink& sink) const override;
  double done() const override;

  /// Whether all flows here have ended that are not in the background.
  bool foreground_finished() const;

  /// How often a group has come to its end, and when it last had.
  struct GroupEnd {
    uint64_t completions = 0;
    Time at;
  };
  GroupEnd end_of(size_t group) const;
  /// The end of a group in the background, after all parts.
  GroupEnd end_of_parts(size_t group) const;

 private:
  static constexpr int32_t kNone = -1;
  static constexpr GroupEnd kNoSource{~uint64_t{0}, Time::zero()};
  struct Group {
    bool background = false;
    std::vector<const Process*> processes;
    GroupEnd of_parts = kNoSource;  ///< Of parts with sources.
  };

  void add_flow(Flow flow);

  std::vector<std::vector<uint32_t>> by_source_;  ///< By host: numbers of flows by start.
  std::vector<uint64_t> expected_;                ///< By host: flows that it receives to their end.
  std::vector<int32_t> group_of_;                 ///< By host, or kNone.
  std::vector<Group> groups_;
  std::vector<bool> here_;  ///< By host: its process has been made.
  Time end_;                ///< When all parts have ended.
  State state_;
};

}  // namespace fabrictwin::flows
