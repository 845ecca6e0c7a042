// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace file as a source of events.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/trace/trace_reader.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// The events of an open trace file; each rank that is read holds one block.
class FileTrace final : public TraceSource {
 public:
  explicit FileTrace(std::shared_ptr<const TraceReader> reader);
  /// Opens a file; errors are those of TraceReader::open().
  static absl::StatusOr<std::shared_ptr<const TraceSource>> open(const std::string& path);

  const TraceInfo& info() const override { return info_; }
  std::string name() const override { return reader_->name(); }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

 private:
  std::shared_ptr<const TraceReader> reader_;
  TraceInfo info_;
};

}  // namespace fabrictwin
