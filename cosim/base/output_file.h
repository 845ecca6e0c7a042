// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are written under a temporary name and then renamed.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace fabrictwin {

/// The name to which a new file for `path` is to be renamed: `path`, or the file that it links to, since a rename would
/// replace the link. InvalidArgument if something exists there that is not a regular file (a rename would replace a
/// device or a pipe), or if a link leads to no file. Thread-safe.
absl::StatusOr<std::string> replaceable_file(const std::string& path);

}  // namespace fabrictwin
