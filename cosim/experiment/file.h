// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an experiment file says by itself, before arguments change it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/run/experiment_place.h"
#include "cosim/run/source_text.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin {

/// A file that load_experiment() takes, read once more, for messages about it. Immutable.
class ExperimentFile {
 public:
  /// Nothing in it is checked but the syntax. NotFound if it cannot be read, or not again (a pipe), InvalidArgument if
  /// it is no experiment.
  static absl::StatusOr<ExperimentFile> read(const std::string& file);

  const v1::Experiment& message() const { return message_; }
  const PlaceMap& places() const { return *places_; }
  /// The place of a field ("stop.after_simulated"), or of the nearest message around it.
  SourcePlace place(std::string_view path) const { return places_->find(path); }

 private:
  std::unique_ptr<SourceText> source_;  ///< Where the places point.
  std::unique_ptr<PlaceMap> places_;
  v1::Experiment message_;
};

}  // namespace fabrictwin
