// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An exchange among the neighbours of a lattice, and an allreduce: the communication of a stencil code.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "models/host/workload.h"
#include "workloads/exchange/process.h"

namespace fabrictwin::exchange {

/// The workload Exchange of workload.proto. Cheap enough for machines of any size.
class Workload final : public host::Workload {
 public:
  /// `dims` are the sizes of the lattice whose points are the hosts.
  Workload(const ExchangeSpec& spec, std::vector<int32_t> dims, int32_t hosts);

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t node,
                                                                  observe::EndpointDigest* digest) override;
  bool independent_hosts() const override { return true; }
  std::string_view shared_among_hosts() const override { return {}; }
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  std::shared_ptr<State> state_;
  std::vector<const Process*> processes_;
};

}  // namespace fabrictwin::exchange
