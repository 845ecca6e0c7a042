// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/control/register_writer.h"

#include <fmt/format.h>

#include <sstream>

namespace fabrictwin::rtl::control {
namespace {

constexpr size_t kColumnLimit = 120;

std::string notice(const RegisterTable& table) {
  return fmt::format("Generated from {} by generate_registers; change that.", table.path);
}

/// The name of a file without its folder and ending.
std::string_view stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.find('.'));
}

std::string license(std::string_view before, std::string_view after) {
  return fmt::format(
      "{0}SPDX-FileCopyrightText: The FabricTwin authors{1}\n{0}SPDX-License-Identifier: Apache-2.0{1}\n", before,
      after);
}

std::string camel(std::string_view name) {
  std::string out;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
  }
  return out;
}

/// A comment whose lines fit the column limit.
std::string comment(std::string_view before, std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string out;
  std::string line(before);
  std::string word;
  while (words >> word) {
    if (line.size() + 1 + word.size() > kColumnLimit) {
      out += line + '\n';
      line = before;
    }
    line += ' ' + word;
  }
  return out + line + '\n';
}

std::string_view copies_of(RegisterCopies copies) {
  return copies == RegisterCopies::kPorts ? "ports" : copies == RegisterCopies::kLinks ? "links" : "";
}

std::string title(const RegisterEntry& entry) {
  const std::string_view copies = copies_of(entry.copies);
  return fmt::format("{}{}. {}", name_of(entry.access), copies.empty() ? "" : fmt::format(", for all {}", copies),
                     entry.description);
}

std::string package_of(const RegisterTable& table, const RegisterMap& map) {
  std::string out = license("// ", "") + fmt::format("// {}\n\n", notice(table));
  out +=
      fmt::format("/// Offsets, field positions and reset values of {}. {} says the same.\n", table.device, table.page);
  out += fmt::format("package {};\n\n", stem(table.package));
  out += "  // All constants are here, whoever uses them.\n  /* verilator lint_off UNUSEDPARAM */\n";
  for (const RegisterEntry& entry : map.registers) {
    const std::string name = camel(entry.name);
    out += '\n' + comment("  ///", title(entry));
    out += fmt::format("  localparam logic [11:0] {}Offset = 12'h{:03X};\n", name, entry.offset);
    out += fmt::format("  localparam logic [31:0] {}Mask = 32'h{:08X};\n", name, entry.mask());
    out += fmt::format("  localparam logic [31:0] {}Reset = 32'h{:08X};\n", name, entry.reset());
    for (const RegisterField& field : entry.fields) {
      out += fmt::format("  localparam int unsigned {}{}Low = {};\n", name, camel(field.name), field.low);
      out += fmt::format("  localparam int unsigned {}{}Width = {};\n", name, camel(field.name), field.width);
    }
  }
  out += "\n  /* verilator lint_on UNUSEDPARAM */\n\nendpackage\n";
  return out;
}

std::string header_of(const RegisterTable& table, const RegisterMap& map) {
  std::string out = license("// ", "") + fmt::format("// {}\n", notice(table));
  out += fmt::format("//\n// Offsets, field positions and reset values of {}; {}.\n", table.device, table.page);
  out += fmt::format("#pragma once\n\n#include <cstdint>\n\nnamespace fabrictwin::{} {{\n\n", table.name_space);
  out += "/// Bytes from a register of a port or of a link to that of the next one.\n";
  out += "inline constexpr uint32_t kStride = 4;\n";
  for (const RegisterEntry& entry : map.registers) {
    const std::string name = camel(entry.name);
    out += '\n' + comment("///", title(entry));
    out += fmt::format("inline constexpr uint32_t k{}Offset = {:#05x};\n", name, entry.offset);
    out += fmt::format("inline constexpr uint32_t k{}Mask = {:#010x};\n", name, entry.mask());
    out += fmt::format("inline constexpr uint32_t k{}Reset = {:#010x};\n", name, entry.reset());
    for (const RegisterField& field : entry.fields) {
      out += fmt::format("inline constexpr int k{}{}Low = {};\n", name, camel(field.name), field.low);
      out += fmt::format("inline constexpr int k{}{}Width = {};\n", name, camel(field.name), field.width);
    }
  }
  out += fmt::format("\n}}  // namespace fabrictwin::{}\n", table.name_space);
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string table_of(const RegisterTable& table, const RegisterMap& map) {
  std::string out = license("<!-- ", " -->") + fmt::format("<!-- {} -->\n", notice(table));
  out += fmt::format("# Registers of {}\n\n", table.device);
  out += fmt::format("How they behave: [{0}]({0}). \"+ 4p\" is a register for each port p, \"+ 4l\" one for each\n",
                     table.behaviour);
  out += fmt::format(
      "link l. A reset value of \"-\" comes from {}. Bits without a field read 0 and ignore what is written.\n\n",
      table.decider);
  out += "| offset | register | access | bits | field | reset | meaning |\n|---|---|---|---|---|---|---|\n";
  for (const RegisterEntry& entry : map.registers) {
    const std::string_view step = entry.copies == RegisterCopies::kPorts   ? " + 4p"
                                  : entry.copies == RegisterCopies::kLinks ? " + 4l"
                                                                           : "";
    out += fmt::format("| {:#05x}{} | **{}** | {} | | | | {} |\n", entry.offset, step, entry.name,
                       name_of(entry.access), escaped(entry.description));
    for (const RegisterField& field : entry.fields) {
      const int high = field.low + field.width - 1;
      out += fmt::format("| | | | {} | {} | {} | {} |\n",
                         field.width == 1 ? fmt::format("{}", high) : fmt::format("{}:{}", high, field.low), field.name,
                         field.reset ? fmt::format("{:#x}", *field.reset) : "-", escaped(field.description));
    }
  }
  return out;
}

}  // namespace

std::vector<GeneratedFile> generate_register_files(const RegisterTable& table, const RegisterMap& map) {
  const std::string from(table.path);
  return {{std::string(table.package), from, package_of(table, map)},
          {std::string(table.header), from, header_of(table, map)},
          {std::string(table.page), from, table_of(table, map)}};
}

std::string difference_of(const GeneratedFile& generated, const std::string& on_disk) {
  if (generated.text == on_disk) return "";
  std::istringstream wanted(generated.text);
  std::istringstream found(on_disk);
  int line = 0;
  std::string want;
  std::string have;
  do {
    want = have = "(end of file)";
    std::getline(wanted, want);
    std::getline(found, have);
    if (!wanted) want = "(end of file)";
    if (!found) have = "(end of file)";
    ++line;
  } while (want == have && wanted && found);
  return fmt::format(
      "{}:{}: differs from {}\n  there: {}\n  wanted: {}\nRun generate_registers in the project's root and commit.",
      generated.path, line, generated.table, have, want);
}

}  // namespace fabrictwin::rtl::control
