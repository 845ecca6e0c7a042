// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/address.h"

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

constexpr std::string_view kMpi = "mpi:";

}  // namespace

bool is_address(std::string_view text) {
  static constexpr std::string_view kUnix = "unix:";
  if (text.starts_with(kUnix)) return text.size() > kUnix.size();
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view host = text.substr(0, colon);
  const bool bracketed = host.front() == '[' && host.back() == ']' && host.size() > 2;
  if (!bracketed && host.find_first_of(":[]/@ ") != std::string_view::npos) return false;
  int port = 0;
  return parse_number(text.substr(colon + 1), port) && port >= 1 && port <= 65535;
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
