// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any text is a GOAL schedule or is refused with a line; what is accepted is a sound trace.
#include "tests/fuzz/import_check.h"
#include "workloads/trace/goal/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fabrictwin::ImportFolder folder;
  folder.write("input.goal", {reinterpret_cast<const char*>(data), size});
  folder.check(fabrictwin::trace::goal::import_goal(folder.file("input.goal"), folder.out()));
  return 0;
}
