// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of shared libraries.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "rtl/external/router.h"

namespace fabrictwin::rtl::external {

/// Makes a router of the library in `file`, which stays loaded. InvalidArgument if it cannot be loaded, is of another
/// interface, or refuses `setup`.
absl::StatusOr<std::unique_ptr<Router>> make_router(const std::string& file, const Setup& setup);

}  // namespace fabrictwin::rtl::external
