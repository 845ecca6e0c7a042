// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the network stack costs on the processors of host profiles.
#pragma once

#include <string_view>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::ip {

/// The costs of the network stack of a host profile; docs/models/host-profiles.md gives the sources of the numbers.
struct HostProfile {
  std::string_view name;  ///< Also that of its MpiOverheads.
  Time passage;
  Bandwidth copy_rate{};  ///< If zero, copies take no time.
  Time wake_up;
};

/// The profile of that name; that of "none" if there is no such.
const HostProfile& find_host_profile(std::string_view name);

}  // namespace fabrictwin::ip
