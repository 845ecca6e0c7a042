// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/experiment.h"

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
#include "cosim/experiment/check/experiment.h"
#include "cosim/experiment/location_map.h"
#include "cosim/experiment/override.h"
#include "cosim/experiment/source_text.h"
#include "cosim/experiment/syntax.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {
namespace {

/// The limit is far above any experiment that people write, and low enough that hostile input costs little.
constexpr size_t kMaxFileBytes = size_t{1} << 20;
constexpr size_t kMaxLineBytes = 8192;

/// Reads up to one byte more than allowed, so that parse_experiment() can detect a text that is too long.
absl::StatusOr<std::string> read_stream(std::FILE* stream, const std::string& name) {
  std::string text(kMaxFileBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream));
  if (std::ferror(stream) != 0) {
    return absl::NotFoundError(
        fmt::format("{}: error: cannot read the experiment file: {}", name, std::strerror(errno)));
  }
  return text;
}

/// Checks the size of a text before it is parsed.
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

const SourceLocation& Experiment::location_of(std::string_view path) const {
  while (true) {
    if (const auto found = locations.find(path); found != locations.end()) return found->second;
    const size_t end = path.find_last_of(".[");
    if (end == std::string_view::npos) return topology_location;
    path = path.substr(0, end);
  }
}

std::string experiment_name(const std::string& file) { return file == kStandardInput ? "<stdin>" : file; }

absl::StatusOr<std::string> read_experiment(const std::string& file) {
  // Commands may load an experiment several times, but standard input can be read only once.
  if (file == kStandardInput) {
    static const absl::StatusOr<std::string> text = read_stream(stdin, experiment_name(file));
    return text;
  }
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    return absl::InvalidArgumentError(fmt::format("{}: error: this is a folder; name an experiment file in it", file));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (stream == nullptr) {
    return absl::NotFoundError(fmt::format(
        "{}: error: cannot open the experiment file: {}; name one, such as workloads/experiments/uniform.textproto",
        file, std::strerror(errno)));
  }
  return read_stream(stream.get(), file);
}

absl::StatusOr<Experiment> parse_experiment(std::string_view text, const std::string& file, const Tenants& tenants,
                                            const Overrides& overrides) {
  const SourceText source(file, std::string(text));
  if (const absl::Status size = check_size(source); !size.ok()) return size;

  Experiment experiment;
  experiment.file = file;
  experiment.capabilities = tenants.capabilities;
  LocationMap locations(&source);
  DiagnosticList diagnostics(file);
  parse_experiment_syntax(source, experiment.message, locations, diagnostics);
  const bool sound = diagnostics.empty();

  std::deque<SourceText> arguments;  // A deque, because source locations point to its elements while it grows.
  for (const std::string& set : overrides.sets) {
    arguments.emplace_back("--set", set);
    apply_set(arguments.back(), experiment.message, locations, diagnostics);
  }
  for (const std::string& use : overrides.uses) {
    arguments.emplace_back("--use", use);
    apply_use(arguments.back(), experiment.message, locations, diagnostics);
  }
  for (const std::string& part : overrides.parts) {
    arguments.emplace_back("--split", part);
    apply_use(arguments.back(), experiment.message, locations, diagnostics);
  }
  if (overrides.seed.has_value()) experiment.message.set_seed(*overrides.seed);
  for (const FieldSetting& setting : overrides.settings) {
    arguments.emplace_back(setting.option, setting.argument);
    apply_value(arguments.back(), setting.path, setting.value, setting.offset, experiment.message, locations,
                diagnostics);
  }

  // Fields that could not be read would seem to be missing, so the checks are skipped.
  if (sound) check_experiment(experiment, tenants, locations, overrides.check_files, diagnostics);
  if (!diagnostics.empty()) return diagnostics.status();
  return experiment;
}

absl::StatusOr<Experiment> load_experiment(const std::string& file, const Tenants& tenants,
                                           const Overrides& overrides) {
  absl::StatusOr<std::string> text = read_experiment(file);
  if (!text.ok()) return text.status();
  return parse_experiment(*text, experiment_name(file), tenants, overrides);
}

}  // namespace fabrictwin::experiment
