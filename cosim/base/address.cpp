// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/address.h"

#include "cosim/base/text.h"

namespace fabrictwin {

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

}  // namespace fabrictwin
