// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts and Gets of one host: what a network interface and the links beside it are capable of.
#pragma once

#include <cstdint>
#include <memory>

#include "models/workload.h"
#include "workloads/puts/puts_state.h"

namespace fabrictwin {

/// The workload of Puts in workload.proto, for hosts of a packet network. docs/models/puts.md
class PutsWorkload final : public Workload {
 public:
  /// InvalidArgument if a host of `spec` is not among `hosts`.
  static absl::StatusOr<std::unique_ptr<Workload>> create(const PutsSpec& spec, int32_t hosts);

  absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest) override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  explicit PutsWorkload(const PutsSpec& spec);

  std::shared_ptr<PutsState> state_;
};

}  // namespace fabrictwin
