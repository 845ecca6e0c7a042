// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// ONE_WAY_LAT: latency of a message between network interfaces.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/host/workload.h"
#include "workloads/osu/one_way_process.h"

namespace fabrictwin::osu {

/// A measurement between two hosts; all others have nothing to do.
class OneWayWorkload final : public host::Workload {
 public:
  /// A measurement from hosts[0] to hosts[1]. InvalidArgument if `spec` is wrong (check_osu()) or they are the same.
  static absl::StatusOr<std::unique_ptr<OneWayWorkload>> create(const OsuSpec& spec, std::array<int32_t, 2> hosts);

  bool takes_part(int32_t node) const override;
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  explicit OneWayWorkload(std::shared_ptr<OneWayState> state) : state_(std::move(state)) {}

  std::shared_ptr<OneWayState> state_;
  std::vector<const OneWayProcess*> processes_;  ///< Processes of the hosts that take part.
};

}  // namespace fabrictwin::osu
