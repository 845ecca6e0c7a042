// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes what is generated from the tables of registers.
// usage: generate_registers [ROOT]      ROOT: the project's root (default: the working directory)
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "rtl/control/register_writer.h"

namespace {

using fabrictwin::rtl::control::GeneratedFile;
using fabrictwin::rtl::control::RegisterTable;

/// Writes what is generated from `table`; false, with a message, if that is not possible.
bool generate(const std::filesystem::path& root, const RegisterTable& table) {
  const std::string path = (root / table.path).string();
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    fmt::print(stderr, "{}: error: cannot be read\n", path);
    return false;
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const absl::StatusOr<fabrictwin::rtl::control::RegisterMap> map =
      fabrictwin::rtl::control::parse_registers(text, path);
  if (!map.ok()) {
    fmt::print(stderr, "{}\n", std::string(map.status().message()));
    return false;
  }
  for (const GeneratedFile& file : fabrictwin::rtl::control::generate_register_files(table, *map)) {
    std::ofstream out(root / file.path, std::ios::binary);
    out << file.text;
    out.close();
    if (!out) {
      fmt::print(stderr, "{}: error: cannot be written\n", (root / file.path).string());
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "usage: generate_registers [ROOT]\n");
    return 2;
  }
  const std::filesystem::path root = argc == 2 ? argv[1] : ".";
  for (const RegisterTable& table : fabrictwin::rtl::control::kRegisterTables) {
    if (!generate(root, table)) return 1;
  }
  return 0;
}
