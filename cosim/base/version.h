// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fabrictwin {

/// Version of the software, as `fabrictwin --version` prints it and workers exchange it.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace fabrictwin
