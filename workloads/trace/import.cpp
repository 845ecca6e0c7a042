// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/import.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "fmt/format.h"
#include "workloads/trace/dumpi/import.h"
#include "workloads/trace/goal/import.h"
#include "workloads/trace/otf2/import.h"
#include "workloads/trace/ti/import.h"

namespace fabrictwin::trace {
namespace {

struct Importer {
  std::string_view name;
  absl::Status (*import)(const std::string& path, const std::string& out);
};
constexpr std::array<Importer, 4> kImporters = {
    {{"ti", ti::import_ti}, {"goal", goal::import_goal}, {"otf2", otf2::import_otf2}, {"dumpi", dumpi::import_dumpi}}};

}  // namespace

std::vector<std::string> import_formats() {
  std::vector<std::string> names;
  for (const Importer& importer : kImporters) names.emplace_back(importer.name);
  return names;
}

absl::Status import_trace(std::string_view format, const std::string& path, const std::string& out) {
  for (const Importer& importer : kImporters) {
    if (importer.name == format) return importer.import(path, out);
  }
  return absl::InvalidArgumentError(
      fmt::format("'{}' is not a format of traces: {}", format, fmt::join(import_formats(), ", ")));
}

std::string format_of_trace(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path file(path);
  if (fs::is_directory(file, code)) {
    if (fs::exists(file / "trace.goal", code)) return "goal";
    return fs::exists(file / "trace.index", code) ? "ti" : "dumpi";
  }
  if (file.extension() == ".goal") return "goal";
  if (file.extension() == ".otf2") return "otf2";
  return file.extension() == ".index" ? "ti" : "fttrace";
}

}  // namespace fabrictwin::trace
