// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fabrictwin {

/// Takes all members of this name out of a value.
inline void leave_out(nlohmann::json& json, const std::string& name) {
  if (json.is_object()) json.erase(name);
  for (nlohmann::json& each : json) {
    if (each.is_structured()) leave_out(each, name);
  }
}

/// The JSON of a study without what differs from one machine, or one call, to another.
inline nlohmann::json results_in(const std::string& text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  leave_out(json, "provenance");
  leave_out(json, "wall_seconds");
  return json;
}

}  // namespace fabrictwin
