// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/experiment_key.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string_view>

#include "absl/strings/escaping.h"

namespace fabrictwin::dashboards::history {
namespace {

/// The text of an experiment with short names instead of paths.
std::string comparable_experiment(const v1::Provenance& provenance) {
  namespace fs = std::filesystem;
  // Texts in an experiment are escaped. A folder that it names is there with each of its files.
  std::map<std::string, std::string, std::less<>> names;
  for (const v1::HashedFile& input : provenance.inputs()) {
    for (fs::path path = input.path(); path.has_filename(); path = path.parent_path()) {
      const std::string name = (path.parent_path().filename() / path.filename()).string();
      names.try_emplace(absl::CEscape(path.string()), absl::CEscape(name));
    }
  }
  const std::string& text = provenance.experiment();
  std::string made;
  size_t begin = 0;  // What has not been taken begins here.
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      const std::string_view part = std::string_view(text).substr(begin, at - begin);
      const auto name = quoted ? names.find(part) : names.end();
      made += name == names.end() ? part : std::string_view(name->second);
      made += '"';
      begin = at + 1;
      quoted = !quoted;
    }
  }
  return made + text.substr(std::min(begin, text.size()));
}

}  // namespace

std::string experiment_key(const v1::Provenance& provenance) {
  const std::string text = comparable_experiment(provenance);
  return text.empty() ? std::string() : fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace fabrictwin::dashboards::history
