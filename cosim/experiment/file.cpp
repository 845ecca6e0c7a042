// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/file.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "cosim/experiment/syntax.h"

namespace fabrictwin::experiment {

absl::StatusOr<ExperimentFile> ExperimentFile::read(const std::string& file) {
  // A file that cannot be read twice, such as a pipe, would block; the text of standard input was kept.
  if (std::error_code error; file != kStandardInput && !std::filesystem::is_regular_file(file, error)) {
    return absl::NotFoundError(
        fmt::format("{}: error: a pipe or device cannot be read twice; write the experiment into a file", file));
  }
  absl::StatusOr<std::string> text = read_experiment(file);
  if (!text.ok()) return text.status();
  ExperimentFile made;
  made.source_ = std::make_unique<SourceText>(experiment_name(file), *std::move(text));
  made.locations_ = std::make_unique<LocationMap>(made.source_.get());
  DiagnosticList diagnostics(made.source_->name());
  parse_experiment_syntax(*made.source_, made.message_, *made.locations_, diagnostics);
  if (!diagnostics.empty()) return diagnostics.status();
  return made;
}

}  // namespace fabrictwin::experiment
