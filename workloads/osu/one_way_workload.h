// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// ONE_WAY_LAT: what a message takes from network interface to network interface.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/workload.h"
#include "workloads/osu/one_way_process.h"

namespace fabrictwin {

/// A measurement between two hosts; all others have nothing to do.
class OneWayWorkload final : public Workload {
 public:
  /// From hosts[0] to hosts[1]. InvalidArgument if `spec` is not right (check_osu()) or they are one.
  static absl::StatusOr<std::unique_ptr<OneWayWorkload>> create(const OsuSpec& spec, std::array<int32_t, 2> hosts);

  absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  explicit OneWayWorkload(std::shared_ptr<OneWayState> state) : state_(std::move(state)) {}

  std::shared_ptr<OneWayState> state_;
  std::vector<const OneWayProcess*> processes_;  ///< Of the hosts that take part.
};

}  // namespace fabrictwin
