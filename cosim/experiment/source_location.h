// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Source locations in an experiment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fabrictwin::experiment {

/// A source location: a position in the experiment file or an argument of the command line.
struct SourceLocation {
  std::string file;  ///< The file name or the option ("--use").
  std::string line_text;
  int32_t line = 0;    ///< From 1.
  int32_t column = 0;  ///< From 1.
};

/// Formats an error: "FILE:LINE:COL: error: MESSAGE", then the line and a caret under the column.
std::string format_diagnostic(const SourceLocation& location, std::string_view message);

}  // namespace fabrictwin::experiment
