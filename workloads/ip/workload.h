// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs over IP on the hosts of a network.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "models/host/workload.h"
#include "workloads/ip/state.h"

namespace fabrictwin::ip {

/// The workload Ip of workload.proto: docs/models/ip-over-exanet.md. Hosts learn of each other only by packets.
class Workload final : public host::Workload {
 public:
  /// InvalidArgument if a host of `spec` is not among `hosts`.
  static absl::StatusOr<std::unique_ptr<host::Workload>> create(const IpSpec& spec, int32_t hosts);

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  bool independent_hosts() const override { return true; }
  std::string_view shared_among_hosts() const override { return {}; }
  void report(v1::Report& report) const override;
  bool report_part(v1::WorkloadPart& part) const override;
  absl::Status add_part(const v1::WorkloadPart& part) override;
  void report_here(v1::Report& /*report*/) const override {}
  double done() const override;

 private:
  explicit Workload(const IpSpec& spec) : state_(std::make_shared<State>(spec)) {}

  std::shared_ptr<State> state_;
};

}  // namespace fabrictwin::ip
