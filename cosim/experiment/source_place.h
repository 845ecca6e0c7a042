// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where in an experiment something was written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fabrictwin {

/// Where a mistake can be pointed at: a line of the file or an argument of the command line.
struct SourcePlace {
  std::string file;  ///< File name, or the option ("--use").
  std::string line_text;
  int32_t line = 0;    ///< From 1.
  int32_t column = 0;  ///< From 1.
};

/// "FILE:LINE:COL: error: MESSAGE", then the line and a caret under the column.
std::string format_diagnostic(const SourcePlace& place, std::string_view message);

}  // namespace fabrictwin
