// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a page for a browser holds.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fabrictwin {

/// The data of a page; a null value if there is no data that is JSON.
inline nlohmann::json page_data(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const size_t from = html.find(begin);
  if (from == std::string::npos) return nullptr;
  const size_t to = html.find("</script>", from);
  if (to == std::string::npos) return nullptr;
  const nlohmann::json data =
      nlohmann::json::parse(html.substr(from + begin.size(), to - from - begin.size()), nullptr, false);
  return data.is_discarded() ? nlohmann::json() : data;
}

/// The titles of the sections of a page, in order.
inline std::vector<std::string> page_titles(const nlohmann::json& data) {
  std::vector<std::string> titles;
  for (const nlohmann::json& section : data["sections"]) titles.push_back(section["title"]);
  return titles;
}

/// The section of a page with this title; a null value if there is none.
inline nlohmann::json page_section(const nlohmann::json& data, const std::string& title) {
  for (const nlohmann::json& section : data["sections"]) {
    if (section["title"] == title) return section;
  }
  return nullptr;
}

}  // namespace fabrictwin
