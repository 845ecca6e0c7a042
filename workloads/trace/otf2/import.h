// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports OTF2 archives of MPI programs, as written by Score-P and others.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin::trace::otf2 {

/// Converts the OTF2 archive with the anchor file `path` into the trace file `out`, which appears only if all of it is
/// valid. docs/trace-file.md says what becomes of each record. NotFound, InvalidArgument, or Unimplemented for records
/// that a trace cannot express, each with rank and record. Only one thread may call it at a time.
absl::Status import_otf2(const std::string& path, const std::string& out);

}  // namespace fabrictwin::trace::otf2
