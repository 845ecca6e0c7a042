// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The manual page and completion scripts, made from the command line itself so that they cannot be out of date.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fabrictwin::cli {

/// The manual page of section 1, with all subcommands and options that are not hidden.
std::string man_page(const CLI::App& app, const std::string& version);

/// Scripts that complete subcommands, options and names of files.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace fabrictwin::cli
