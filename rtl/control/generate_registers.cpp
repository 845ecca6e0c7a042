// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes what is generated from rtl/control/registers.csv.
// usage: generate_registers [ROOT]      ROOT: the project's root (default: the working directory)
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "rtl/control/register_writer.h"

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "usage: generate_registers [ROOT]\n");
    return 2;
  }
  const std::filesystem::path root = argc == 2 ? argv[1] : ".";
  const std::string path = (root / fabrictwin::rtl::control::kRegisterTablePath).string();
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    fmt::print(stderr, "{}: error: cannot be read\n", path);
    return 1;
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const absl::StatusOr<fabrictwin::rtl::control::RegisterMap> map =
      fabrictwin::rtl::control::parse_registers(text, path);
  if (!map.ok()) {
    fmt::print(stderr, "{}\n", std::string(map.status().message()));
    return 1;
  }
  for (const fabrictwin::rtl::control::GeneratedFile& file : fabrictwin::rtl::control::generate_register_files(*map)) {
    std::ofstream out(root / file.path, std::ios::binary);
    out << file.text;
    out.close();
    if (!out) {
      fmt::print(stderr, "{}: error: cannot be written\n", (root / file.path).string());
      return 1;
    }
  }
  return 0;
}
