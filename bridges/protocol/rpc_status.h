// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors between gRPC and the rest of the program; both use the same codes.
#pragma once

#include <grpcpp/support/status.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fabrictwin {

/// The same error for a gRPC peer.
inline grpc::Status to_grpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

/// The same error from a gRPC peer, with `where` put before the message.
inline absl::Status from_grpc(const grpc::Status& status, std::string_view where) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      std::string(where) + ": " + status.error_message());
}

}  // namespace fabrictwin
