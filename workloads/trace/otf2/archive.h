// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads OTF2 archives with the OTF2 library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/otf2/definitions.h"
#include "workloads/trace/otf2/rank_events.h"

namespace fabrictwin::trace::otf2 {

/// An archive whose definitions have been read. The library keeps its error handler in a global variable, so only one
/// thread may read archives.
class Archive {
 public:
  /// Opens the .otf2 file `anchor`. Errors are NotFound and InvalidArgument.
  static absl::StatusOr<std::unique_ptr<Archive>> open(const std::string& anchor);

  const Definitions& definitions() const { return definitions_; }

  /// Reads all events, rank by rank; `sink` gets the calls of a rank in program order. Ends with an error at records
  /// that a trace cannot express, and at communication of threads other than the ranks. Errors are Unimplemented,
  /// InvalidArgument and those of `sink`, with the name of the archive and the rank.
  absl::Status read(const std::function<absl::Status(uint32_t rank, Call& call)>& sink) const;

 private:
  explicit Archive(std::string anchor) : anchor_(std::move(anchor)) {}
  absl::Status read_definitions();
  absl::Status named(const absl::Status& status) const;

  std::string anchor_;
  Definitions definitions_;
};

}  // namespace fabrictwin::trace::otf2
