// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutual TLS of bridges by TCP: from the files that users name to credentials of gRPC. All functions are thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/base/connection_security.h"

namespace grpc {
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace fabrictwin::bridges::protocol {

/// The options that stand together, for messages.
inline constexpr char kTlsOptions[] = "--tls-cert, --tls-key and --tls-ca";

/// Names of PEM files; all three are empty without TLS.
struct TlsFiles {
  std::string cert;  ///< The value of --tls-cert; see TlsIdentity.
  std::string key;   ///< The value of --tls-key.
  std::string ca;    ///< The value of --tls-ca.
};

/// Reads the files. InvalidArgument, with what to do, if only some of the three are named, if one cannot be read or
/// holds something else than its option says, or if TLS is asked for together with `insecure`.
absl::StatusOr<ConnectionSecurity> read_security(const TlsFiles& files, bool insecure);

/// True for "unix:PATH".
bool is_unix(std::string_view address);

/// True if no other machine can reach `address`, "HOST:PORT" or "unix:PATH": a Unix socket, 127.0.0.0/8, [::1] or
/// localhost. Whatever else has a name may have an address in a network.
bool is_local(std::string_view address);

/// True if `address` may be listened at or connected to with this security: it is local, or protected by TLS, or the
/// user has said that neither is needed.
bool is_allowed(std::string_view address, const ConnectionSecurity& security);

/// Credentials of a server that listens at `address`; with TLS it requires and verifies certificates of its clients.
/// InvalidArgument, with what to do, if that is not allowed, if TLS is asked for at a Unix socket, or without address.
absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> server_credentials(std::string_view address,
                                                                            const ConnectionSecurity& security);

/// Credentials of a client that connects to a server at `address`, which is allowed. A Unix socket gets no TLS.
std::shared_ptr<grpc::ChannelCredentials> channel_credentials(std::string_view address,
                                                              const ConnectionSecurity& security);

}  // namespace fabrictwin::bridges::protocol
