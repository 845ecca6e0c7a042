// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/tls.h"

#include <arpa/inet.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::protocol {
namespace {

constexpr std::string_view kCertificate = "CERTIFICATE-----";
constexpr std::string_view kPrivateKey = "PRIVATE KEY-----";

/// Reads one PEM file, the value of `option`, in which `mark` must stand. gRPC would only say that it cannot connect.
absl::StatusOr<std::string> read_pem(std::string_view option, const std::string& name, std::string_view mark) {
  const auto refuse = [&](std::string_view why) {
    return absl::InvalidArgumentError(fmt::format("{}: {}: {}", option, name, why));
  };
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  std::ostringstream stream;
  if (!file.is_open() || !(stream << file.rdbuf())) {
    return refuse(errno == 0 ? "is empty; name a PEM file"
                             : fmt::format("cannot be read: {}; name a PEM file", std::strerror(errno)));
  }
  std::string text = std::move(stream).str();
  if (text.find("ENCRYPTED") != std::string::npos)
    return refuse("has a passphrase, which nobody could type here; write it without one (openssl pkey)");
  if (text.find("-----BEGIN ") == std::string::npos || text.find(mark) == std::string::npos) {
    return refuse(mark == kPrivateKey ? "has no private key in PEM form (\"-----BEGIN PRIVATE KEY-----\")"
                                      : "has no certificate in PEM form (\"-----BEGIN CERTIFICATE-----\")");
  }
  return text;
}

/// The host of "HOST:PORT", without the brackets of IPv6; empty for an IPv6 address without them, of which nobody knows
/// where the port begins.
std::string host_of(std::string_view address) {
  if (address.starts_with('[')) {
    const size_t end = address.find(']');
    if (end == std::string_view::npos || (end + 1 < address.size() && address[end + 1] != ':')) return "";
    return std::string(address.substr(1, end - 1));
  }
  const size_t colon = address.find(':');
  if (colon != address.rfind(':')) return "";
  return std::string(address.substr(0, colon));
}

}  // namespace

absl::StatusOr<ConnectionSecurity> read_security(const TlsFiles& files, bool insecure) {
  ConnectionSecurity security;
  security.insecure = insecure;
  const int named = !files.cert.empty() + !files.key.empty() + !files.ca.empty();
  if (named == 0) return security;
  if (named < 3) {
    const char* const missing = files.cert.empty() ? "--tls-cert" : files.key.empty() ? "--tls-key" : "--tls-ca";
    return absl::InvalidArgumentError(
        fmt::format("{} is missing: both sides of mutual TLS show and verify certificates; give {} together", missing,
                    kTlsOptions));
  }
  if (insecure) {
    return absl::InvalidArgumentError(
        fmt::format("--insecure is for connections without TLS; leave out either it or {}", kTlsOptions));
  }
  absl::StatusOr<std::string> cert = read_pem("--tls-cert", files.cert, kCertificate);
  if (!cert.ok()) return cert.status();
  absl::StatusOr<std::string> key = read_pem("--tls-key", files.key, kPrivateKey);
  if (!key.ok()) return key.status();
  absl::StatusOr<std::string> ca = read_pem("--tls-ca", files.ca, kCertificate);
  if (!ca.ok()) return ca.status();
  security.tls = TlsIdentity{*std::move(cert), *std::move(key), *std::move(ca)};
  return security;
}

bool is_unix(std::string_view address) { return address.starts_with("unix:"); }

bool is_local(std::string_view address) {
  if (is_unix(address)) return true;
  const std::string host = host_of(address);
  in6_addr ipv6{};
  if (address.starts_with('[')) return inet_pton(AF_INET6, host.c_str(), &ipv6) == 1 && IN6_IS_ADDR_LOOPBACK(&ipv6);
  if (host == "localhost") return true;
  constexpr uint32_t kLoopbackNet = 127;
  in_addr ipv4{};
  return inet_pton(AF_INET, host.c_str(), &ipv4) == 1 && ntohl(ipv4.s_addr) >> 24 == kLoopbackNet;
}

bool is_allowed(std::string_view address, const ConnectionSecurity& security) {
  return security.tls.has_value() || security.insecure || is_local(address);
}

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> server_credentials(std::string_view address,
                                                                            const ConnectionSecurity& security) {
  if (address.empty()) return absl::InvalidArgumentError("no address to listen at; give unix:PATH or HOST:PORT");
  if (!is_allowed(address, security)) {
    return absl::InvalidArgumentError(fmt::format(
        "cannot listen at {} without TLS: other machines can reach that address, and whoever does could use "
        "this process; give {}, listen at 127.0.0.1 or unix:PATH, or give --insecure where everybody in "
        "the network may use it",
        address, kTlsOptions));
  }
  if (!security.tls.has_value()) return grpc::InsecureServerCredentials();
  if (is_unix(address)) {
    return absl::InvalidArgumentError(
        fmt::format("{} are for addresses HOST:PORT, and runs reach {} without TLS; leave them out, and let the folder "
                    "of the socket say who may connect",
                    kTlsOptions, address));
  }
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = security.tls->ca;
  options.pem_key_cert_pairs.push_back({security.tls->key, security.tls->cert});
  return grpc::SslServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> channel_credentials(std::string_view address,
                                                              const ConnectionSecurity& security) {
  if (!security.tls.has_value() || is_unix(address)) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = security.tls->ca;
  options.pem_private_key = security.tls->key;
  options.pem_cert_chain = security.tls->cert;
  return grpc::SslCredentials(options);
}

}  // namespace fabrictwin::bridges::protocol
