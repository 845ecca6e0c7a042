// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <optional>
#include <string>

namespace fabrictwin {

/// All that a stream still has; nothing if it cannot be read to its end, as the stream of a folder, which can be opened
/// and of which iterators throw.
std::optional<std::string> read_stream(std::istream& stream);

}  // namespace fabrictwin
