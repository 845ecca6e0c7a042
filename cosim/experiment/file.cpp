// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/experiment_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "cosim/run/experiment_syntax.h"

namespace fabrictwin {

absl::StatusOr<ExperimentFile> ExperimentFile::read(const std::string& file) {
  // What cannot be read twice, as a pipe, would be waited for.
  if (std::error_code error; !std::filesystem::is_regular_file(file, error)) {
    return absl::NotFoundError(
        fmt::format("{}: error: a pipe or device cannot be read twice; write the experiment into a file", file));
  }
  const std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in.good()) return absl::NotFoundError(fmt::format("{}: error: cannot read the experiment file", file));
  ExperimentFile made;
  made.source_ = std::make_unique<SourceText>(file, std::move(text).str());
  made.places_ = std::make_unique<PlaceMap>(made.source_.get());
  DiagnosticList diagnostics(file);
  parse_experiment_syntax(*made.source_, made.message_, *made.places_, diagnostics);
  if (!diagnostics.empty()) return diagnostics.status();
  return made;
}

}  // namespace fabrictwin
