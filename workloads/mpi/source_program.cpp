// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/source_program.h"

#include "cosim/base/random.h"
#include "workloads/trace/format/file_trace.h"

namespace fabrictwin::mpi {
namespace {

class SourceRank final : public RankProgram {
 public:
  explicit SourceRank(std::unique_ptr<trace::format::EventSource> events) : events_(std::move(events)) {}
  absl::StatusOr<bool> next(Time, trace::format::Event& event) override { return events_->next(event); }

 private:
  std::unique_ptr<trace::format::EventSource> events_;
};

// The cursor is stored in the object itself: with many ranks, every access to another part of memory is slow.
class FileRank final : public RankProgram {
 public:
  FileRank(std::shared_ptr<const trace::format::Reader> reader, uint32_t rank) : cursor_(std::move(reader), rank) {}
  absl::Status load() { return cursor_.load(); }
  absl::StatusOr<bool> next(Time, trace::format::Event& event) override { return cursor_.next(event); }

 private:
  trace::format::RankCursor cursor_;
};

}  // namespace

SourceProgram::SourceProgram(const std::shared_ptr<const trace::format::Reader>& reader)
    : source_(std::make_shared<trace::format::FileTrace>(reader)), reader_(reader) {}

absl::StatusOr<std::unique_ptr<RankProgram>> SourceProgram::make_rank(int32_t rank) {
  if (reader_) {
    auto from_file = std::make_unique<FileRank>(reader_, static_cast<uint32_t>(rank));
    // A file that is damaged at the start of a rank is refused before anything runs.
    if (absl::Status status = from_file->load(); !status.ok()) return status;
    return from_file;
  }
  return std::make_unique<SourceRank>(source_->rank(static_cast<uint32_t>(rank)));
}

uint64_t SourceProgram::events(int32_t rank) const {
  return reader_ ? reader_->rank(static_cast<uint32_t>(rank)).events : 0;
}

// The mean of some ranks anywhere, as those at the sides of a grid have fewer neighbours. A mistake is found when the
// rank runs.
uint64_t SourceProgram::usual_events() const {
  constexpr uint64_t kRanks = 8;
  constexpr uint64_t kMost = uint64_t{1} << 20;  // Of more, making them would be noticed.
  if (reader_ || source_->ranks() == 0) return 0;
  uint64_t count = 0;
  for (uint64_t i = 0; i < kRanks; ++i) {
    const std::unique_ptr<trace::format::EventSource> events =
        source_->rank(static_cast<uint32_t>(mix64(i) % source_->ranks()));
    for (trace::format::Event event; count < kMost && events->next(event).value_or(false);) ++count;
  }
  return count < kMost ? count / kRanks : 0;
}

}  // namespace fabrictwin::mpi
