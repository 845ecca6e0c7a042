// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors in SimGrid time-independent traces.
#pragma once

#include <cstdint>
#include <string>

namespace fabrictwin::trace::ti {

/// An error in a line and its position.
struct Error {
  int32_t column = 1;  ///< Column, from 1.
  std::string message;
  bool unsupported = false;  ///< The line is valid, but a trace file cannot express its call.
};

}  // namespace fabrictwin::trace::ti
