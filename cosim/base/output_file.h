// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are written beside their place and then renamed.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin {

/// OK if a new file may take the place of `path`: there is a regular file, or nothing. InvalidArgument if there is
/// something else: a rename would put a file in the place of a device or a pipe. From any thread.
absl::Status check_replaceable(const std::string& path);

}  // namespace fabrictwin
