// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What this program was built from, and how.
#pragma once

namespace fabrictwin::cli::build {

extern const char* const kCommit;    ///< The commit of its sources; empty if they were in no repository.
extern const bool kDirty;            ///< Whether the sources differed from the commit.
extern const char* const kCompiler;  ///< "Clang 14.0.6, Release".

}  // namespace fabrictwin::cli::build
