// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace fabrictwin::dashboards::metrics {
namespace {

constexpr std::string_view kAdvice =
    "write ADDR:PORT, for example 127.0.0.1:9464, or 0.0.0.0:9464 to let other machines read";

absl::Status refuse(std::string_view text, std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format("metrics address \"{}\": {}; {}", text, reason, kAdvice));
}

/// Fills in the arguments of bind(); false if the host is not an address of its family.
bool to_socket_address(const ListenAddress& address, sockaddr_storage& storage, socklen_t& length) {
  std::memset(&storage, 0, sizeof(storage));
  if (address.ipv6) {
    auto* socket_address = reinterpret_cast<sockaddr_in6*>(&storage);
    length = sizeof(*socket_address);
    socket_address->sin6_family = AF_INET6;
    socket_address->sin6_port = htons(address.port);
    return inet_pton(AF_INET6, address.host.c_str(), &socket_address->sin6_addr) == 1;
  }
  auto* socket_address = reinterpret_cast<sockaddr_in*>(&storage);
  length = sizeof(*socket_address);
  socket_address->sin_family = AF_INET;
  socket_address->sin_port = htons(address.port);
  return inet_pton(AF_INET, address.host.c_str(), &socket_address->sin_addr) == 1;
}

absl::Status explain(const ListenAddress& address, int error) {
  const std::string what = fmt::format("cannot serve metrics at {}: {}", address.text(), std::strerror(error));
  switch (error) {
    case EADDRINUSE:
      return absl::UnavailableError(what + "; choose another port, or port 0 for any free one");
    case EACCES:
      return absl::PermissionDeniedError(what + "; ports below 1024 belong to root, choose a higher one such as 9464");
    case EADDRNOTAVAIL:
      return absl::InvalidArgumentError(what + "; this machine does not have that address, use 127.0.0.1 or 0.0.0.0");
    default:
      return absl::UnavailableError(fmt::format("{}; {}", what, kAdvice));
  }
}

}  // namespace

std::string ListenAddress::text() const {
  return ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

bool ListenAddress::loopback() const { return ipv6 ? host == "::1" : host.starts_with("127."); }

absl::StatusOr<ListenAddress> parse_listen_address(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse(text, "there is no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.empty()) return refuse(text, "there is no address before the port");

  ListenAddress address;
  const char* const port_end = port.data() + port.size();
  const auto [parsed_end, error] = std::from_chars(port.data(), port_end, address.port);
  if (error != std::errc() || parsed_end != port_end) return refuse(text, "the port must be a number from 0 to 65535");

  if (host.front() == '[') {
    if (host.back() != ']') return refuse(text, "a bracket is missing after the IPv6 address");
    host = host.substr(1, host.size() - 2);
    address.ipv6 = true;
  } else if (host.find(':') != std::string_view::npos) {
    return refuse(text, "an IPv6 address must stand in brackets, as in [::1]:9464");
  } else if (host == "localhost") {
    host = "127.0.0.1";
  }
  address.host = host;
  sockaddr_storage storage;
  socklen_t length = 0;
  if (!to_socket_address(address, storage, length))
    return refuse(text, fmt::format("\"{}\" is not a numeric IP address", host));
  return address;
}

absl::Status check_listen(const ListenAddress& address) {
  sockaddr_storage storage;
  socklen_t length = 0;
  if (!to_socket_address(address, storage, length)) return refuse(address.text(), "not a numeric IP address");
  const int fd = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return explain(address, errno);
  // Like the server: a port whose last user has just ended may be reused, but not one that has a listener.
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  absl::Status status;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&storage), length) != 0 || listen(fd, 1) != 0)
    status = explain(address, errno);
  close(fd);
  return status;
}

void knock(const ListenAddress& address) {
  ListenAddress target = address;
  if (target.host == "0.0.0.0") target.host = "127.0.0.1";
  if (target.host == "::") target.host = "::1";
  sockaddr_storage storage;
  socklen_t length = 0;
  if (!to_socket_address(target, storage, length)) return;
  const int fd = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return;
  // The result does not matter, because the attempt alone wakes the listener.
  (void)connect(fd, reinterpret_cast<const sockaddr*>(&storage), length);
  close(fd);
}

}  // namespace fabrictwin::dashboards::metrics
