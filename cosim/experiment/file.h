// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The content of an experiment file itself, before arguments change it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/experiment/location_map.h"
#include "cosim/experiment/source_text.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::experiment {

/// A file accepted by load_experiment(), read once more for messages about it. Immutable.
class ExperimentFile {
 public:
  /// Reads the file and checks only its syntax. NotFound if it cannot be read, or not a second time (a pipe);
  /// InvalidArgument if it is not an experiment.
  static absl::StatusOr<ExperimentFile> read(const std::string& file);

  const v1::Experiment& message() const { return message_; }
  const LocationMap& locations() const { return *locations_; }
  /// The source location of a field ("stop.after_simulated"), or of the nearest message around it.
  SourceLocation location(std::string_view path) const { return locations_->find(path); }

 private:
  std::unique_ptr<SourceText> source_;  ///< The text into which the locations point.
  std::unique_ptr<LocationMap> locations_;
  v1::Experiment message_;
};

}  // namespace fabrictwin::experiment
