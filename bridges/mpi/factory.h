// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the library for an MPI exports.
#pragma once

#include <string>

#include "bridges/mpi/world.h"

namespace fabrictwin::bridges::mpi {

/// Starts MPI and makes its world, which the caller owns and destroys before the process ends; once in a process.
/// `version` is that of the caller. Null, with the reason in `error`, if that does not work.
using WorldFactory = World* (*)(const char* version, std::string* error);

/// The name of the function.
inline constexpr const char* kWorldFactory = "fabrictwin_make_mpi_world";

}  // namespace fabrictwin::bridges::mpi
