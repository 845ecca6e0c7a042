// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/trace_assembly.h"

#include <memory>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/recorder/part_reader.h"
#include "workloads/trace/format/writer.h"
#include "workloads/trace/tools/compare.h"

namespace fabrictwin::recorder {
namespace {

using recorder::PartHeader;
using recorder::PartState;

absl::StatusOr<PartReader> open_part(const std::string& folder, uint32_t rank) {
  return PartReader::open(fmt::format("{}/rank-{}.part", folder, rank));
}

// Opens the part of a rank of the same run as `first`.
absl::StatusOr<PartReader> open_rank(const std::string& folder, uint32_t rank, const PartHeader& first) {
  absl::StatusOr<PartReader> part = open_part(folder, rank);
  if (!part.ok()) return absl::InvalidArgumentError(part.status().message());
  const PartHeader& header = part->header();
  if (header.run != first.run || header.ranks != first.ranks || header.rank != rank) {
    return absl::InvalidArgumentError(fmt::format("{}/rank-{}.part: is of another run than rank-0.part", folder, rank));
  }
  return part;
}

absl::Status check_recorded(const std::string& folder, const PartReader& part) {
  const PartHeader& header = part.header();
  if (header.state != PartState::kRefused && header.state != PartState::kFailed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: rank {}, event {}: {}", folder, header.rank, header.events, part.reason()));
}

std::string end_of_rank(const PartReader& part, const trace::format::Event& last) {
  const PartHeader& header = part.header();
  const std::string how = header.state == PartState::kAborted ? fmt::format("called MPI_Abort({})", header.abort_code)
                                                              : "ended without MPI_Finalize";
  return fmt::format("rank {} {} after {} events, the last of them: {}", header.rank, how, part.events(),
                     trace::tools::event_text(last));
}

absl::Status copy_rank(PartReader part, trace::format::Writer& writer, TraceAssembly& assembly) {
  const uint32_t rank = part.header().rank;
  trace::format::Event event;
  trace::format::Event last;
  while (true) {
    const absl::StatusOr<bool> more = part.next(event);
    if (!more.ok()) return more.status();
    if (!*more) break;
    if (absl::Status status = writer.append(rank, event); !status.ok()) return status;
    std::swap(event, last);
  }
  assembly.events += part.events();
  if (part.header().state != PartState::kFinalized) assembly.warnings.push_back(end_of_rank(part, last));
  const std::string remark = part.remark();
  if (!remark.empty()) assembly.warnings.push_back(fmt::format("rank {} {}", rank, remark));
  return writer.flush(rank);
}

}  // namespace

absl::StatusOr<TraceAssembly> assemble_trace(const std::string& folder, const std::string& out) {
  absl::StatusOr<PartReader> first = open_part(folder, 0);
  if (!first.ok()) return absl::InvalidArgumentError(first.status().message());
  const PartHeader header = first->header();
  bool whole = true;
  // This is checked before anything is written, as a rank may not be recorded to its end.
  for (uint32_t rank = 0; rank < header.ranks; ++rank) {
    const absl::StatusOr<PartReader> part = open_rank(folder, rank, header);
    if (!part.ok()) return part.status();
    if (absl::Status status = check_recorded(folder, *part); !status.ok()) return status;
    whole = whole && part->header().state == PartState::kFinalized;
  }
  trace::format::Info info{.ranks = header.ranks, .application = first->application()};
  info.source = fmt::format("recorded with {}{}", first->library(), whole ? "" : ", not to the end");
  absl::StatusOr<std::unique_ptr<trace::format::Writer>> writer = trace::format::Writer::create(out, info);
  if (!writer.ok()) return writer.status();
  TraceAssembly assembly{.ranks = header.ranks};
  for (uint32_t rank = 0; rank < header.ranks; ++rank) {
    absl::StatusOr<PartReader> part = open_rank(folder, rank, header);
    if (!part.ok()) return part.status();
    if (absl::Status status = copy_rank(*std::move(part), **writer, assembly); !status.ok()) return status;
  }
  if (absl::Status status = (*writer)->finish(); !status.ok()) return status;
  return assembly;
}

}  // namespace fabrictwin::recorder
