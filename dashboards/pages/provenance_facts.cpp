// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/provenance_facts.h"

#include <fmt/format.h>

#include "dashboards/history/result.h"

namespace fabrictwin::dashboards::pages {

std::vector<std::pair<std::string, std::string>> provenance_facts(const v1::Provenance& from) {
  const std::string commit = from.commit().empty() ? "" : ", commit " + history::commit_name(from);
  return {{"Command", from.command()},
          {"Program", fmt::format("{}{}, {}", from.version(), commit, from.compiler())},
          {"Machine", fmt::format("{}, {} core(s), {}", history::machine_name(from), from.cores(), from.system())},
          {"Date", from.date()}};
}

}  // namespace fabrictwin::dashboards::pages
