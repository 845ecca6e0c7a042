// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload.h"

#include <utility>

#include "fmt/format.h"
#include "models/host/process_endpoint.h"

namespace fabrictwin::host {

absl::StatusOr<std::unique_ptr<HostProcess>> Workload::make_process(int32_t, observe::EndpointDigest*) {
  return absl::UnimplementedError("this workload has no processes apart from SystemC endpoints");
}

absl::StatusOr<std::unique_ptr<Endpoint>> Workload::make_endpoint(int32_t node, observe::EndpointDigest* digest) {
  absl::StatusOr<std::unique_ptr<HostProcess>> process = make_process(node, digest);
  if (!process.ok()) return process.status();
  if (*process == nullptr) return std::unique_ptr<Endpoint>();
  return std::make_unique<ProcessEndpoint>(fmt::format("process_{}", node).c_str(), *std::move(process));
}

}  // namespace fabrictwin::host
