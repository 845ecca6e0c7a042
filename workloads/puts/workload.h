// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts and Gets of one host, to measure its network interface and the links next to it.
#pragma once

#include <cstdint>
#include <memory>

#include "models/host/workload.h"
#include "workloads/puts/state.h"

namespace fabrictwin::puts {

/// The workload Puts of workload.proto, for hosts of a packet network: docs/models/puts.md.
class Workload final : public host::Workload {
 public:
  /// InvalidArgument if a host of `spec` is not among `hosts`.
  static absl::StatusOr<std::unique_ptr<host::Workload>> create(const PutsSpec& spec, int32_t hosts);

  bool takes_part(int32_t node) const override;
  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  explicit Workload(const PutsSpec& spec);

  std::shared_ptr<State> state_;
};

}  // namespace fabrictwin::puts
