// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dashboards of the tree.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace fabrictwin {

/// All dashboards by the name of their file, as from the root of the tree.
inline std::map<std::string, nlohmann::json> all_dashboards() {
  std::map<std::string, nlohmann::json> dashboards;
  for (const auto& entry : std::filesystem::directory_iterator("dashboards/grafana/dashboards")) {
    std::ifstream file(entry.path());
    dashboards[entry.path().filename().string()] = nlohmann::json::parse(file, nullptr, false);
  }
  return dashboards;
}

/// All panels of a dashboard that have queries.
inline nlohmann::json panels_of(const nlohmann::json& dashboard) {
  nlohmann::json panels = nlohmann::json::array();
  for (const auto& panel : dashboard.at("panels"))
    if (panel.at("type") != "row") panels.push_back(panel);
  return panels;
}

}  // namespace fabrictwin
