// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The description of a trace as a whole.
#pragma once

#include <cstdint>
#include <string>

namespace fabrictwin::trace::format {

/// The description of a trace as a whole.
struct Info {
  uint32_t ranks = 0;
  std::string application;
  std::string source;
};

}  // namespace fabrictwin::trace::format
