// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/address.h"

#include <sys/un.h>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

constexpr std::string_view kMpi = "mpi:";
constexpr std::string_view kUnix = "unix:";

bool is_in_network(std::string_view text, int least_port) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view host = text.substr(0, colon);
  const bool bracketed = host.front() == '[' && host.back() == ']' && host.size() > 2;
  if (!bracketed && host.find_first_of(":[]/@ ") != std::string_view::npos) return false;
  int port = 0;
  return parse_number(text.substr(colon + 1), port) && port >= least_port && port <= 65535;
}

}  // namespace

bool is_address(std::string_view text) {
  return text.starts_with(kUnix) ? text.size() > kUnix.size() : is_in_network(text, 1);
}

bool is_listen_address(std::string_view text) {
  if (!text.starts_with(kUnix)) return is_in_network(text, 0);
  return text.size() > kUnix.size() && text.size() - kUnix.size() < sizeof(sockaddr_un::sun_path);
}

bool is_mpi(std::string_view text) { return text.starts_with(kMpi); }

std::optional<int32_t> mpi_rank(std::string_view text) {
  if (!is_mpi(text)) return std::nullopt;
  text.remove_prefix(kMpi.size());
  int32_t rank = 0;
  // One rank has one name.
  if (text.find_first_not_of("0123456789") != std::string_view::npos || text.starts_with('0')) return std::nullopt;
  if (!parse_number(text, rank) || rank < 1) return std::nullopt;
  return rank;
}

}  // namespace fabrictwin
