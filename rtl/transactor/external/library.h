// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers and shells of shared libraries.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "rtl/external/router.h"
#include "rtl/external/shell.h"

namespace fabrictwin::rtl::external {

/// Makes a router of the library in `file`, which stays loaded. InvalidArgument if it cannot be loaded, is of another
/// interface, or refuses `setup`.
absl::StatusOr<std::unique_ptr<Router>> make_router(const std::string& file, const Setup& setup);

/// Makes the shell of the library in `file`, likewise.
absl::StatusOr<std::unique_ptr<Shell>> make_shell(const std::string& file);

}  // namespace fabrictwin::rtl::external
