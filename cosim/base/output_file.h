// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are written beside their place and then renamed.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace fabrictwin {

/// Where to rename a new file that is to be `path`: `path`, or the file that it links to, as a rename would replace the
/// link. InvalidArgument if there is something else than a regular file or nothing (a rename would put a file in the
/// place of a device or a pipe), or if a link leads to no file. From any thread.
absl::StatusOr<std::string> replaceable_file(const std::string& path);

}  // namespace fabrictwin
