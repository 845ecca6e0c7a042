// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/tools/copy.h"

#include <memory>

#include "workloads/trace/format/writer.h"

namespace fabrictwin::trace::tools {

absl::StatusOr<uint64_t> copy_trace(const format::Source& trace, const std::string& out) {
  absl::StatusOr<std::unique_ptr<format::Writer>> writer = format::Writer::create(out, trace.info());
  if (!writer.ok()) return writer.status();
  uint64_t events = 0;
  format::Event event;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const std::unique_ptr<format::EventSource> source = trace.rank(rank);
    while (true) {
      absl::StatusOr<bool> more = source->next(event);
      if (!more.ok()) return more.status();
      if (!*more) break;
      if (absl::Status status = (*writer)->append(rank, event); !status.ok()) return status;
      ++events;
    }
    if (absl::Status status = (*writer)->flush(rank); !status.ok()) return status;
  }
  if (absl::Status status = (*writer)->finish(); !status.ok()) return status;
  return events;
}

}  // namespace fabrictwin::trace::tools
