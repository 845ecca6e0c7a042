// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/capabilities.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace fabrictwin::experiment {
namespace {

template <typename Declared, typename Kind>
const Declared& find(const std::vector<const Declared*>& list, Kind Declared::*kind, Kind wanted) {
  static const Declared nothing;
  const auto found = std::ranges::find_if(list, [&](const Declared* one) { return one->*kind == wanted; });
  if (found != list.end()) return **found;
  return list.empty() ? nothing : *list.front();
}

}  // namespace

const RouterCapabilities& Capabilities::of(v1::RouterModel model) const {
  return find(routers, &RouterCapabilities::model, model);
}

const NicCapabilities& Capabilities::of(v1::Host::Nic nic) const { return find(nics, &NicCapabilities::nic, nic); }

std::string Capabilities::models_with(bool RouterCapabilities::*capability) const {
  std::vector<std::string_view> names;
  for (const RouterCapabilities* model : routers) {
    if (model->*capability) names.push_back(v1::RouterModel_Name(model->model));
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string Capabilities::nics_with(const std::function<bool(const NicCapabilities&)>& capability) const {
  std::vector<std::string_view> names;
  for (const NicCapabilities* nic : nics) {
    if (capability(*nic)) names.push_back(v1::Host::Nic_Name(nic->nic));
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace fabrictwin::experiment
