// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversion of errors between gRPC and Abseil, which use the same codes.
#pragma once

#include <grpcpp/support/status.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fabrictwin::bridges::protocol {

/// Converts an error for a gRPC peer.
inline grpc::Status to_grpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

/// Converts an error from a gRPC peer, with `where` before the message.
inline absl::Status from_grpc(const grpc::Status& status, std::string_view where) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      std::string(where) + ": " + status.error_message());
}

}  // namespace fabrictwin::bridges::protocol
