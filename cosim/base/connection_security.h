// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How far processes trust each other: connections by TCP, and shared memory.
#pragma once

#include <optional>
#include <string>

namespace fabrictwin {

/// What one side of mutual TLS needs, as the text of PEM files. Value type.
struct TlsIdentity {
  std::string cert;  ///< The certificate of this side, followed by those between it and its authority.
  std::string key;   ///< Its private key, without a passphrase.
  std::string ca;    ///< The authorities, one of which the certificate of the other side must come from.
};

/// What one side of a connection with another process does. Value type.
struct ConnectionSecurity {
  std::optional<TlsIdentity> tls;  ///< If set, both sides show certificates and verify those of the other.
  bool insecure = false;     ///< True if addresses that other machines can reach may do without TLS; never with `tls`.
  bool share_memory = true;  ///< True if processes on this host that a run has not started may share its memory.
};

}  // namespace fabrictwin
