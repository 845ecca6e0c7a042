// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange among the neighbours of a lattice, and an allreduce: the communication of a stencil code.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/workload.h"
#include "workloads/exchange/exchange_process.h"

namespace fabrictwin {

/// The workload of Exchange in workload.proto. Light enough for machines of any size.
class ExchangeWorkload final : public Workload {
 public:
  /// `dims` are those of the lattice whose points are the hosts.
  ExchangeWorkload(const ExchangeSpec& spec, std::vector<int32_t> dims, int32_t hosts);

  absl::StatusOr<std::unique_ptr<HostProcess>> make_process(int32_t node, EndpointDigest* digest) override;
  bool independent_hosts() const override { return true; }
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  std::shared_ptr<ExchangeState> state_;
  std::vector<const ExchangeProcess*> processes_;
};

}  // namespace fabrictwin
