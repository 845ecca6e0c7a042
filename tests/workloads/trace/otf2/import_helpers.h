// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports small OTF2 archives.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/workloads/trace/otf2/otf2_writer.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/otf2/import.h"

namespace fabrictwin {

/// Writes the records of a rank.
using RecordOtf2 = std::function<void(uint32_t rank, Otf2Location& location)>;

/// What becomes of an archive.
inline absl::StatusOr<Program> imported_otf2(const TestFolder& folder, const Otf2Layout& layout,
                                             const RecordOtf2& record) {
  const std::string anchor = write_otf2(folder.file("archive"), layout, record);
  if (absl::Status status = trace::otf2::import_otf2(anchor, folder.file("x.fttrace")); !status.ok()) return status;
  return read_trace_bytes(read_file(folder.file("x.fttrace")));
}

/// Why an archive is refused; nothing is written.
inline std::string refused_otf2(const Otf2Layout& layout, const RecordOtf2& record) {
  const TestFolder folder;
  const absl::StatusOr<Program> program = imported_otf2(folder, layout, record);
  EXPECT_FALSE(program.ok());
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace.part")));
  return std::string(program.status().message());
}
inline std::string refused_otf2(const RecordOtf2& record) { return refused_otf2({}, record); }

}  // namespace fabrictwin
