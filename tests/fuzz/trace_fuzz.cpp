// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that reads a trace: trace files, and lines of time-independent traces.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "workloads/mpi/trace_check.h"
#include "workloads/trace/format/column_decoder.h"
#include "workloads/trace/format/reader.h"
#include "workloads/trace/ti/line.h"

namespace {

using fabrictwin::trace::format::Event;
using fabrictwin::trace::format::RankCursor;
using fabrictwin::trace::format::Reader;

void require(bool truth) {
  if (!truth) std::abort();
}

void read_trace_file(std::string bytes) {
  auto reader =
      fabrictwin::trace::format::Reader::open(fabrictwin::trace::format::make_memory_source(std::move(bytes), "input"));
  if (!reader.ok()) return;
  (void)fabrictwin::mpi::check_replayable(*reader);
  for (uint32_t rank = 0; rank < (*reader)->ranks(); ++rank) {
    fabrictwin::trace::format::RankCursor cursor(*reader, rank);
    while (true) {
      const auto event = cursor.next();
      if (!event.ok()) break;
      if (!event->has_value()) {
        // What is read without an error is what the index promises.
        require(cursor.event() == cursor.events());
        break;
      }
      require(fabrictwin::trace::format::check_event(**event, (*reader)->ranks()).ok());
    }
  }
}

void read_lines(std::string_view text) {
  constexpr uint32_t kRanks = 4;
  fabrictwin::trace::format::Event event;
  for (uint32_t rank = 0; !text.empty(); rank = (rank + 1) % kRanks) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!fabrictwin::trace::ti::parse_ti_line(line, rank, kRanks, event)) {
      const bool unnamed =
          event.peer == fabrictwin::trace::ti::kTiProcNull ||
          (event.action == fabrictwin::v1::WAIT_RECV && event.tag == fabrictwin::trace::format::kAnyTag);
      require(unnamed || fabrictwin::trace::format::check_event(event, kRanks).ok());
    }
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_trace_file(std::string(text));
  read_lines(text);
  return 0;
}
