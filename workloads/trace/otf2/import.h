// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads OTF2 archives of MPI programs, as Score-P and others write them.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin {

/// Converts the OTF2 archive with the anchor file `path` into the trace file `out`, which appears only if all of it was
/// sound. What becomes of each record is in docs/trace-file.md. NotFound, InvalidArgument, or Unimplemented for records
/// that a trace has no form for, each with rank and record. One thread at a time.
absl::Status import_otf2(const std::string& path, const std::string& out);

}  // namespace fabrictwin
