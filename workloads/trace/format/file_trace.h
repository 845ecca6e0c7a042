// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace file as a source of events.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "workloads/trace/format/reader.h"
#include "workloads/trace/format/source.h"

namespace fabrictwin::trace::format {

/// The events of an open trace file; memory holds one block for each rank being read.
class FileTrace final : public Source {
 public:
  explicit FileTrace(std::shared_ptr<const Reader> reader);
  /// Opens a file; errors are those of Reader::open().
  static absl::StatusOr<std::shared_ptr<const Source>> open(const std::string& path);

  const Info& info() const override { return info_; }
  std::string name() const override { return reader_->name(); }
  std::unique_ptr<EventSource> rank(uint32_t rank) const override;

 private:
  std::shared_ptr<const Reader> reader_;
  Info info_;
};

}  // namespace fabrictwin::trace::format
