// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any text is a DUMPI trace or is refused with a line; what is accepted is a sound trace. A line "====" in the input
// begins the file of the next rank.
#include <string>
#include <string_view>

#include "tests/fuzz/import_check.h"
#include "workloads/trace/dumpi/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kNextRank = "====\n";
  constexpr uint32_t kMostRanks = 8;
  fabrictwin::ImportFolder folder;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (uint32_t rank = 0; rank < kMostRanks; ++rank) {
    const size_t end = text.find(kNextRank);
    folder.write("input/rank-" + std::to_string(rank) + ".txt", text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + kNextRank.size());
  }
  folder.check(fabrictwin::trace::dumpi::import_dumpi(folder.file("input"), folder.out()));
  return 0;
}
