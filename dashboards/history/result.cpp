// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/result.h"

#include <fmt/format.h>
#include <fnmatch.h>

namespace fabrictwin::dashboards::history {

std::string_view better_name(Better better) {
  switch (better) {
    case Better::kExact:
      return "exact";
    case Better::kLower:
      return "lower";
    case Better::kHigher:
      return "higher";
  }
  return "";
}

std::string short_commit(const std::string& commit) {
  constexpr size_t kDigits = 12;
  const bool hash = commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  return hash ? commit.substr(0, kDigits) : commit;
}

std::string commit_name(const v1::Provenance& provenance) {
  if (provenance.commit().empty()) return std::string(kNoCommit);
  return short_commit(provenance.commit()) + (provenance.dirty() ? "+" : "");
}

std::string machine_name(const v1::Provenance& provenance) {
  if (provenance.cpu().empty()) return provenance.host();
  return fmt::format("{} ({})", provenance.host(), provenance.cpu());
}

bool matches(const std::string& pattern, const std::string& text) {
  return pattern.empty() || pattern == text || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace fabrictwin::dashboards::history
