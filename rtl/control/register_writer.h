// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is generated from the table of registers, so that RTL, C++ and documentation agree.
#pragma once

#include <string>
#include <vector>

#include "rtl/control/register_map.h"

namespace fabrictwin::rtl::control {

inline constexpr char kRegisterTablePath[] = "rtl/control/registers.csv";

struct GeneratedFile {
  std::string path;  ///< From the project's root.
  std::string text;
};

/// Package for the RTL, constants for C++ and table for the documentation.
std::vector<GeneratedFile> generate_register_files(const RegisterMap& map);

/// For people: the first line in which a file on disk differs from what is generated, and what to do. Empty if they
/// agree.
std::string difference_of(const GeneratedFile& generated, const std::string& on_disk);

}  // namespace fabrictwin::rtl::control
