// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mutants/schemata.h"

#include <map>

namespace fabrictwin::mutants {
namespace {

std::string statement(const std::string& original, const std::vector<std::pair<int, const Mutation*>>& mutations) {
  std::string text = "begin ";
  for (const auto& [number, mutation] : mutations) {
    text += "if (mutation_pkg::active == " + std::to_string(number) + ") " + mutation->text + " else ";
  }
  return text + original + " end";
}

std::string expression(const std::string& original, const std::vector<std::pair<int, const Mutation*>>& mutations) {
  std::string text = "(";
  for (const auto& [number, mutation] : mutations) {
    text += "mutation_pkg::active == " + std::to_string(number) + " ? (" + mutation->text + ") : ";
  }
  return text + "(" + original + "))";
}

}  // namespace

std::string instrument(const Source& source, const Numbered& mutations) {
  std::map<size_t, std::vector<std::pair<int, const Mutation*>>> by_region;
  for (const auto& [number, mutation] : mutations) by_region[mutation.region].emplace_back(number, &mutation);
  std::string text;
  size_t at = 0;
  for (const auto& [number, here] : by_region) {
    const Region& region = source.regions[number];
    const size_t begin = source.begin(region), end = source.end(region);
    const std::string original(source.text.substr(begin, end - begin));
    text += source.text.substr(at, begin - at);
    text += region.kind == Region::kStatement ? statement(original, here) : expression(original, here);
    at = end;
  }
  return text.append(source.text.substr(at));
}

std::string mutation_package() {
  return "// Which mistake the simulation makes.\n"
         "package mutation_pkg;\n"
         "  import \"DPI-C\" function int fabrictwin_mutant();\n"
         "  int active = fabrictwin_mutant();\n"
         "endpackage\n";
}

}  // namespace fabrictwin::mutants
