// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "cosim/cli/build/build.h"
#include "cosim/report/message_json.h"
#include "dashboards/history/comparison.h"

namespace fabrictwin::cli::support {
namespace {

namespace fs = std::filesystem;

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text;
  for (std::string word; std::getline(file, word, '\0');) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

/// The name that the system has for its processor; its architecture if it has none.
std::string processor(const utsname& system) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return std::string(strip(std::string_view(line).substr(line.find(':') + 1)));
  }
  return system.machine;
}

/// The hash of a file; empty if it cannot be read.
std::string hash_of(const fs::path& file) {
  constexpr size_t kBlock = size_t{1} << 20;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::vector<char> block(kBlock);
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    XXH3_128bits_update(state.get(), block.data(), static_cast<size_t>(stream.gcount()));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// True if fields of this name are names of files that are read.
bool names_a_file(std::string_view field) {
  constexpr std::array<std::string_view, 7> kFields{"calibration",      "file",  "library", "path",
                                                    "permutation_file", "sizes", "table"};
  return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
}

/// All texts in a message that may be names of files that are read. Traces of packets are written.
void collect_texts(const google::protobuf::Message& message, std::set<std::string>& texts) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  reflection.ListFields(message, &fields);
  for (const google::protobuf::FieldDescriptor* field : fields) {
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (field->message_type() == v1::PacketTrace::descriptor()) continue;
      if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
        collect_texts(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                           : reflection.GetMessage(message, field),
                      texts);
      } else if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING &&
                 names_a_file(field->name())) {
        texts.insert(field->is_repeated() ? reflection.GetRepeatedString(message, field, i)
                                          : reflection.GetString(message, field));
      }
    }
  }
}

void add_hash(const fs::path& file, v1::Provenance& provenance) {
  const std::string hash = hash_of(file);
  if (hash.empty()) return;
  v1::HashedFile& input = *provenance.add_inputs();
  input.set_path(file.string());
  input.set_xxh128(hash);
}

/// The file that a text names, as seen from the folder of the experiment or from the working directory; or all files of
/// a folder.
std::vector<fs::path> files_of(const std::string& text, const fs::path& folder) {
  std::vector<fs::path> files;
  if (text.empty()) return files;
  std::error_code error;
  for (const fs::path& path : {folder / text, fs::path(text)}) {
    if (fs::is_regular_file(path, error)) return {path};
    if (!fs::is_directory(path, error)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error))
      if (entry.is_regular_file(error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }
  return files;
}

/// Adds the hashes of files that an experiment names and that are not there yet.
void add_inputs_of(const experiment::Experiment& experiment, v1::Provenance& provenance) {
  v1::Provenance own;
  for (const std::string& file : input_files({&experiment, 1})) add_hash(file, own);
  for (const v1::HashedFile& input : own.inputs()) {
    const bool known = std::ranges::any_of(provenance.inputs(),
                                           [&](const v1::HashedFile& other) { return other.path() == input.path(); });
    if (!known) *provenance.add_inputs() = input;
  }
}

void add_to_hash(std::string_view text, XXH3_state_t& state) {
  // With its length, so that no two lists of texts are alike.
  const uint64_t size = text.size();
  XXH3_128bits_update(&state, &size, sizeof size);
  XXH3_128bits_update(&state, text.data(), text.size());
}

/// Adds fields to a JSON object, or replaces them, and keeps its form.
std::string with_fields(std::string_view json, const nlohmann::ordered_json& fields) {
  auto object = nlohmann::ordered_json::parse(json);
  for (const auto& [name, value] : fields.items()) object[name] = value;
  const bool indented = strip(json).find('\n') != std::string_view::npos;
  return report::json_text(object, indented ? 2 : -1) + "\n";
}

}  // namespace

v1::Provenance make_provenance() {
  v1::Provenance made;
  made.set_command(command_line());
  made.set_version(kVersion);
  made.set_commit(build::kCommit);
  made.set_dirty(build::kDirty);
  made.set_compiler(build::kCompiler);
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  made.set_date(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now))));
  utsname system{};
  uname(&system);
  made.set_host(system.nodename);
  made.set_cpu(processor(system));
  made.set_cores(static_cast<int32_t>(std::thread::hardware_concurrency()));
  made.set_system(fmt::format("{} {} {}", system.sysname, system.release, system.machine));
  return made;
}

v1::Provenance make_provenance(const std::vector<std::string>& files) {
  v1::Provenance made = make_provenance();
  for (const std::string& file : files) add_hash(file, made);
  return made;
}

v1::Provenance make_provenance(const experiment::Experiment& experiment) {
  v1::Provenance made = make_provenance();
  google::protobuf::TextFormat::PrintToString(experiment.message, made.mutable_experiment());
  made.set_seed(experiment.message.seed());
  add_inputs_of(experiment, made);
  return made;
}

std::vector<std::string> input_files(std::span<const experiment::Experiment> experiments) {
  std::set<std::string> files;
  for (const experiment::Experiment& experiment : experiments) {
    std::set<std::string> texts;
    collect_texts(experiment.message, texts);
    for (const std::string& text : texts)
      for (const fs::path& file : files_of(text, fs::path(experiment.file).parent_path())) files.insert(file.string());
  }
  return {files.begin(), files.end()};
}

void add_experiment(const std::string& name, const experiment::Experiment& experiment, v1::Provenance& provenance) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(experiment.message, &text);
  if (provenance.experiment().find(dashboards::history::kExperimentSection) == std::string::npos)
    provenance.set_seed(experiment.message.seed());
  *provenance.mutable_experiment() += fmt::format("{}{}\n{}", dashboards::history::kExperimentSection, name, text);
  add_inputs_of(experiment, provenance);
}

std::string build_identity() {
  return fmt::format("{} {}{} {}", kVersion, build::kCommit, build::kDirty ? "+" : "", hash_of("/proc/self/exe"));
}

std::string fingerprint(std::span<const experiment::Experiment> experiments, std::string_view more) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  add_to_hash(more, *state);
  // Points of a study name the same files, which may be large.
  std::set<std::pair<std::string, std::string>> named;
  for (const experiment::Experiment& experiment : experiments) {
    std::string text;
    google::protobuf::TextFormat::PrintToString(experiment.message, &text);
    add_to_hash(text, *state);
    std::set<std::string> texts;
    collect_texts(experiment.message, texts);
    for (const std::string& file : texts) named.emplace(fs::path(experiment.file).parent_path(), file);
  }
  v1::Provenance inputs;
  for (const auto& [folder, text] : named)
    for (const fs::path& file : files_of(text, folder)) add_hash(file, inputs);
  for (const v1::HashedFile& input : inputs.inputs()) {
    add_to_hash(input.path(), *state);
    add_to_hash(input.xxh128(), *state);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

run::metrics::RunIdentity run_identity() {
  // All that is told of the run has the same.
  static const run::metrics::RunIdentity identity = [] {
    const v1::Provenance here = make_provenance();
    std::string run = here.date();
    std::erase_if(run, [](char c) { return c == '-' || c == ':'; });
    // Processes of several machines, or of containers that share a name, may have begun in the same second.
    constexpr unsigned kDigits = 0xffffff;
    return run::metrics::RunIdentity{fmt::format("{}-{}-{:06x}", run, getpid(), std::random_device()() & kDigits),
                                     kVersion, here.commit() + (here.dirty() ? "+" : ""), here.host()};
  }();
  return identity;
}

std::string with_provenance(std::string_view json, const v1::Provenance& provenance) {
  return with_fields(json, {{"provenance", report::message_object(provenance)}});
}

std::string as_partial(std::string_view json, std::string_view reason) {
  return with_fields(json, {{"complete", false}, {"reason", reason}});
}

}  // namespace fabrictwin::cli::support
