// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is generated from the table of registers, so that RTL, C++ and documentation agree.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rtl/control/register_map.h"

namespace fabrictwin::rtl::control {

/// A table of registers and where what is generated from it goes, as paths from the project's root.
struct RegisterTable {
  std::string_view path;
  std::string_view package;     ///< The package for the RTL; its name is that of the file.
  std::string_view header;      ///< The constants for C++.
  std::string_view page;        ///< The page of the documentation.
  std::string_view name_space;  ///< The namespace of the constants, within fabrictwin.
  std::string_view device;      ///< "the Target Controller".
  std::string_view behaviour;   ///< The page that says how the registers behave, beside `page`.
  std::string_view decider;     ///< Who decides a value after reset that the table does not say.
};

inline constexpr std::array kRegisterTables{RegisterTable{.path = "rtl/control/registers.csv",
                                                          .package = "rtl/control/target_registers_pkg.sv",
                                                          .header = "rtl/control/target_registers.h",
                                                          .page = "docs/models/target-registers.md",
                                                          .name_space = "rtl::control::target_registers",
                                                          .device = "the Target Controller",
                                                          .behaviour = "target-controller.md",
                                                          .decider = "the network IP"},
                                            RegisterTable{.path = "rtl/control/switch_registers.csv",
                                                          .package = "rtl/control/switch_registers_pkg.sv",
                                                          .header = "rtl/control/switch_registers.h",
                                                          .page = "docs/models/switch-registers.md",
                                                          .name_space = "rtl::control::switch_registers",
                                                          .device = "a plain FPGA's switch controller",
                                                          .behaviour = "target-controller.md",
                                                          .decider = "the FPGA"},
                                            RegisterTable{.path = "rtl/shell/registers.csv",
                                                          .package = "rtl/shell/shell_registers_pkg.sv",
                                                          .header = "rtl/shell/shell_registers.h",
                                                          .page = "docs/models/shell-registers.md",
                                                          .name_space = "rtl::shell::registers",
                                                          .device = "a board's shell",
                                                          .behaviour = "shell.md",
                                                          .decider = "the shell"},
                                            RegisterTable{.path = "rtl/accel/gemm/registers.csv",
                                                          .package = "rtl/accel/gemm/gemm_registers_pkg.sv",
                                                          .header = "rtl/accel/gemm/gemm_registers.h",
                                                          .page = "docs/models/gemm-registers.md",
                                                          .name_space = "rtl::accel::gemm::registers",
                                                          .device = "the matrix-multiply accelerator",
                                                          .behaviour = "gemm-engine.md",
                                                          .decider = "the accelerator"},
                                            RegisterTable{.path = "rtl/nanet/registers.csv",
                                                          .package = "rtl/nanet/nanet_registers_pkg.sv",
                                                          .header = "rtl/nanet/nanet_registers.h",
                                                          .page = "docs/models/nanet-registers.md",
                                                          .name_space = "rtl::nanet::registers",
                                                          .device = "a NaNet-10",
                                                          .behaviour = "nanet.md",
                                                          .decider = "the device"}};

struct GeneratedFile {
  std::string path;   ///< From the project's root.
  std::string table;  ///< Path of the table from which it comes.
  std::string text;
};

/// Package for the RTL, constants for C++ and table for the documentation.
std::vector<GeneratedFile> generate_register_files(const RegisterTable& table, const RegisterMap& map);

/// For people: the first line in which a file on disk differs from what is generated, and what to do. Empty if they
/// agree.
std::string difference_of(const GeneratedFile& generated, const std::string& on_disk);

}  // namespace fabrictwin::rtl::control
