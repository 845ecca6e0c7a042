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
#include "workloads/trace/otf2_definitions.h"
#include "workloads/trace/otf2_rank_events.h"

namespace fabrictwin {

/// An archive whose definitions have been read. The library keeps its error handler in a global variable: only one
/// thread may read archives.
class Otf2Archive {
 public:
  /// `anchor` is the .otf2 file. NotFound, InvalidArgument.
  static absl::StatusOr<std::unique_ptr<Otf2Archive>> open(const std::string& anchor);

  const Otf2Definitions& definitions() const { return definitions_; }

  /// Reads all events, rank by rank; `sink` gets the calls of a rank in the order of the program. Records that a trace
  /// has no form for end it, as does communication of other threads than those that are the ranks. Unimplemented,
  /// InvalidArgument, what `sink` returns; with the name of the archive and the rank.
  absl::Status read(const std::function<absl::Status(uint32_t rank, Otf2Call& call)>& sink) const;

 private:
  explicit Otf2Archive(std::string anchor) : anchor_(std::move(anchor)) {}
  absl::Status read_definitions();
  absl::Status named(const absl::Status& status) const;

  std::string anchor_;
  Otf2Definitions definitions_;
};

}  // namespace fabrictwin
