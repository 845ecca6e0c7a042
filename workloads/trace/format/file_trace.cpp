// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/file_trace.h"

namespace fabrictwin::trace::format {
namespace {

class FileEvents final : public EventSource {
 public:
  FileEvents(std::shared_ptr<const Reader> reader, uint32_t rank) : cursor_(std::move(reader), rank) {}

  absl::StatusOr<bool> next(Event& event) override { return cursor_.next(event); }

 private:
  RankCursor cursor_;
};

}  // namespace

FileTrace::FileTrace(std::shared_ptr<const Reader> reader) : reader_(std::move(reader)) {
  info_.ranks = reader_->ranks();
  info_.application = reader_->header().application();
  info_.source = reader_->header().source();
}

absl::StatusOr<std::shared_ptr<const Source>> FileTrace::open(const std::string& path) {
  absl::StatusOr<std::shared_ptr<const Reader>> reader = Reader::open(path);
  if (!reader.ok()) return reader.status();
  return std::make_shared<const FileTrace>(*std::move(reader));
}

std::unique_ptr<EventSource> FileTrace::rank(uint32_t rank) const {
  return std::make_unique<FileEvents>(reader_, rank);
}

}  // namespace fabrictwin::trace::format
