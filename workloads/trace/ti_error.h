// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in SimGrid time-independent traces.
#pragma once

#include <cstdint>
#include <string>

namespace fabrictwin {

/// What is wrong with a line, and where.
struct TiError {
  int32_t column = 1;  ///< From 1.
  std::string message;
  bool unsupported = false;  ///< The line is sound, but it is a call that has no form in a trace file.
};

}  // namespace fabrictwin
