// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports traces of DUMPI, the recorder of SST, in the text form that dumpi2ascii prints.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin::trace::dumpi {

/// Converts the DUMPI trace in the folder `path`, one text file for each rank, whose name ends in the number of the
/// rank ("NAME-0003.txt"), into the trace file `out`, which appears only if all of it is valid. docs/trace-file.md says
/// what becomes of each call. NotFound; InvalidArgument, or Unimplemented for calls that a trace cannot express, both
/// as "FILE:LINE:COLUMN: error: ...".
absl::Status import_dumpi(const std::string& path, const std::string& out);

}  // namespace fabrictwin::trace::dumpi
