// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/experiment.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "cosim/run/experiment_check.h"
#include "cosim/run/experiment_override.h"
#include "cosim/run/experiment_place.h"
#include "cosim/run/experiment_syntax.h"
#include "cosim/run/source_text.h"

namespace fabrictwin {
namespace {

/// Far above any experiment that people write, low enough that hostile input costs little.
constexpr size_t kMaxFileBytes = size_t{1} << 20;
constexpr size_t kMaxLineBytes = 8192;

absl::StatusOr<std::string> read_text(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    return absl::InvalidArgumentError(fmt::format("{}: error: this is a folder; name an experiment file in it", file));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (stream == nullptr) {
    return absl::NotFoundError(
        fmt::format("{}: error: cannot open the experiment file: {}", file, std::strerror(errno)));
  }
  // One byte more than allowed, so that parse_experiment() sees what is too long.
  std::string text(kMaxFileBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) {
    return absl::NotFoundError(
        fmt::format("{}: error: cannot read the experiment file: {}", file, std::strerror(errno)));
  }
  return text;
}

/// The size of a text, before anything looks into it.
absl::Status check_size(const SourceText& source) {
  if (source.text().size() > kMaxFileBytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: error: the experiment is longer than {} bytes; it is not an experiment file", source.name(),
                    kMaxFileBytes));
  }
  size_t start = 0;
  for (size_t line = 1; start <= source.text().size(); ++line) {
    const size_t end = std::min(source.text().find('\n', start), source.text().size());
    if (end - start > kMaxLineBytes) {
      return absl::InvalidArgumentError(fmt::format("{}:{}:{}: error: this line is longer than {} bytes; break it",
                                                    source.name(), line, kMaxLineBytes + 1, kMaxLineBytes));
    }
    start = end + 1;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Experiment> parse_experiment(std::string_view text, const std::string& file,
                                            const Overrides& overrides) {
  const SourceText source(file, std::string(text));
  if (const absl::Status size = check_size(source); !size.ok()) return size;

  Experiment experiment;
  experiment.file = file;
  PlaceMap places(&source);
  DiagnosticList diagnostics(file);
  parse_experiment_syntax(source, experiment.message, places, diagnostics);
  const bool sound = diagnostics.empty();

  std::deque<SourceText> arguments;  // Stays where it is while it grows: places point into it.
  for (const std::string& set : overrides.sets) {
    arguments.emplace_back("--set", set);
    apply_set(arguments.back(), experiment.message, places, diagnostics);
  }
  for (const std::string& use : overrides.uses) {
    arguments.emplace_back("--use", use);
    apply_use(arguments.back(), experiment.message, places, diagnostics);
  }
  if (overrides.seed.has_value()) experiment.message.set_seed(*overrides.seed);
  for (const FieldSetting& setting : overrides.settings) {
    arguments.emplace_back(setting.option, setting.argument);
    apply_value(arguments.back(), setting.path, setting.value, setting.offset, experiment.message, places, diagnostics);
  }

  // What could not be read would only look like something missing to the checks.
  if (sound) check_experiment(experiment, places, overrides.check_files, diagnostics);
  if (!diagnostics.empty()) return diagnostics.status();
  return experiment;
}

absl::StatusOr<Experiment> load_experiment(const std::string& file, const Overrides& overrides) {
  absl::StatusOr<std::string> text = read_text(file);
  if (!text.ok()) return text.status();
  return parse_experiment(*text, file, overrides);
}

}  // namespace fabrictwin
