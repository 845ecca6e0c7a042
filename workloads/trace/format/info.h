// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of a trace as a whole.
#pragma once

#include <cstdint>
#include <string>

namespace fabrictwin {

/// What is said of a trace as a whole.
struct TraceInfo {
  uint32_t ranks = 0;
  std::string application;
  std::string source;
};

}  // namespace fabrictwin
