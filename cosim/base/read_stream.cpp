// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/read_stream.h"

#include <array>

namespace fabrictwin {

std::optional<std::string> read_stream(std::istream& stream) {
  std::string text;
  std::array<char, 65536> part;
  while (stream) {
    stream.read(part.data(), part.size());
    text.append(part.data(), static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) return std::nullopt;
  return text;
}

}  // namespace fabrictwin
