// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/control/register_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "absl/status/status.h"
#include "rtl/control/register_row.h"

namespace fabrictwin::rtl::control {
namespace {

constexpr std::string_view kHeading = "register,offset,copies,access,field,bits,reset,description";
constexpr size_t kColumns = 8;

/// Decimal, or hexadecimal after 0x.
std::optional<uint32_t> number_of(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto other = [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); };
  return !text.empty() && letter(text.front()) && text.back() != '_' && std::all_of(text.begin(), text.end(), other) &&
         text.find("__") == std::string_view::npos;
}

/// Reads row by row and goes on after a mistake, so that all are reported.
class Parser {
 public:
  explicit Parser(std::string_view path) : path_(path) {}

  void row(int line, std::string_view text) {
    line_ = line;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty() || text.front() == '#') return;
    if (!heading_) {
      heading_ = true;
      if (text != kHeading) error(fmt::format("the heading must be \"{}\"", kHeading));
      return;
    }
    absl::StatusOr<std::vector<std::string>> cells = split_row(text);
    if (!cells.ok()) {
      error(std::string(cells.status().message()));
    } else if (cells->size() != kColumns) {
      error(fmt::format("{} columns instead of {}", cells->size(), kColumns));
    } else if (!(*cells)[0].empty()) {
      begin_register(*cells);
    } else {
      add_field(*cells);
    }
  }

  absl::StatusOr<RegisterMap> finish() {
    if (!heading_) error("there is no heading");
    end_register();
    if (!errors_.empty()) return absl::InvalidArgumentError(errors_);
    std::sort(map_.registers.begin(), map_.registers.end(),
              [](const RegisterEntry& a, const RegisterEntry& b) { return a.offset < b.offset; });
    return std::move(map_);
  }

 private:
  void error(std::string_view what) { error_at(line_, what); }
  void error_at(int line, std::string_view what) {
    if (!errors_.empty()) errors_ += '\n';
    errors_ += fmt::format("{}:{}: error: {}", path_, line, what);
  }

  void end_register() {
    if (!map_.registers.empty() && map_.registers.back().fields.empty()) {
      error_at(register_line_, fmt::format("register {} has no fields", map_.registers.back().name));
    }
  }

  void begin_register(const std::vector<std::string>& cells) {
    end_register();
    register_line_ = line_;
    used_ = 0;
    fields_.clear();
    RegisterEntry entry{.name = cells[0], .description = cells[7]};
    if (!is_name(entry.name)) error(fmt::format("\"{}\" is no name in snake_case", entry.name));
    const auto [known, added] = lines_.emplace(entry.name, line_);
    if (!added) error(fmt::format("register {} is already in line {}", entry.name, known->second));
    if (!cells[4].empty() || !cells[5].empty() || !cells[6].empty()) error("a field needs a row of its own");
    if (entry.description.empty()) error(fmt::format("register {} has no description", entry.name));
    if (cells[2] == "ports") {
      entry.copies = RegisterCopies::kPorts;
    } else if (cells[2] == "links") {
      entry.copies = RegisterCopies::kLinks;
    } else if (!cells[2].empty()) {
      error(fmt::format("unknown copies \"{}\": empty, ports or links", cells[2]));
    }
    if (cells[3] == "RW") {
      entry.access = RegisterAccess::kReadWrite;
    } else if (cells[3] == "W1C") {
      entry.access = RegisterAccess::kWriteOneToClear;
    } else if (cells[3] != "RO") {
      error(fmt::format("unknown access \"{}\": RO, RW or W1C", cells[3]));
    }
    set_offset(cells[1], entry);
    map_.registers.push_back(std::move(entry));
  }

  void set_offset(const std::string& offset, RegisterEntry& entry) {
    const std::optional<uint32_t> value = number_of(offset);
    const uint32_t size = 4 * positions_of(entry.copies);
    if (!value) {
      error(fmt::format("\"{}\" is no offset", offset));
    } else if (*value % size != 0) {
      // An array is aligned to its size, so that some address bits tell the array and others the index in it.
      error(fmt::format("unaligned offset {}: not a multiple of {:#x}", offset, size));
    } else if (*value > kRegisterSpace - size) {
      error(fmt::format("offset {} is beyond the address space of {:#x} bytes", offset, kRegisterSpace));
    } else {
      entry.offset = *value;
      for (const RegisterEntry& other : map_.registers) {
        if (placed_.count(other.name) == 0) continue;
        if (entry.offset < other.offset + 4 * positions_of(other.copies) && other.offset < entry.offset + size) {
          error(fmt::format("register {} overlaps {} of line {}", entry.name, other.name, lines_[other.name]));
        }
      }
      placed_.insert(entry.name);
    }
  }

  void add_field(const std::vector<std::string>& cells) {
    if (map_.registers.empty()) return error("a field before the first register");
    RegisterEntry& entry = map_.registers.back();
    RegisterField field{.name = cells[4], .description = cells[7]};
    if (!is_name(field.name)) error(fmt::format("\"{}\" is no name in snake_case", field.name));
    if (!cells[1].empty() || !cells[2].empty() || !cells[3].empty()) {
      error("offset, copies and access belong to the row of the register");
    }
    if (!fields_.insert(field.name).second) error(fmt::format("{} has a field {} already", entry.name, field.name));
    // `a.b_c` and `a_b.c` are one constant in what is generated.
    const std::string full = fmt::format("{}_{}", entry.name, field.name);
    const auto [known, added] = constants_.emplace(full, fmt::format("{}.{}", entry.name, field.name));
    if (!added && known->second != fmt::format("{}.{}", entry.name, field.name)) {
      error(fmt::format("{}.{} and {} give constants of the same name", entry.name, field.name, known->second));
    }
    if (field.description.empty()) error(fmt::format("field {} has no description", field.name));
    if (!read_bits(cells[5], field)) {
      error(fmt::format("\"{}\" are no bits: high:low, 31 to 0", cells[5]));
    } else {
      if ((used_ & field.mask()) != 0) error(fmt::format("field {} overlaps another field", field.name));
      used_ |= field.mask();
      read_reset(cells[6], entry, field);
    }
    entry.fields.push_back(std::move(field));
  }

  static bool read_bits(std::string_view text, RegisterField& field) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) return false;
    const std::optional<uint32_t> high = number_of(text.substr(0, colon));
    const std::optional<uint32_t> low = number_of(text.substr(colon + 1));
    if (!high || !low || *high > 31 || *low > *high) return false;
    field.low = static_cast<int>(*low);
    field.width = static_cast<int>(*high - *low + 1);
    return true;
  }

  void read_reset(const std::string& text, const RegisterEntry& entry, RegisterField& field) {
    if (text.empty()) {
      if (entry.access != RegisterAccess::kReadOnly) {
        error(fmt::format("field {} can be written and needs a reset value", field.name));
      }
      return;
    }
    field.reset = number_of(text);
    if (!field.reset) {
      error(fmt::format("\"{}\" is no reset value", text));
    } else if ((*field.reset & ~(field.mask() >> field.low)) != 0) {
      error(fmt::format("reset value {} does not fit the {} bits of field {}", text, field.width, field.name));
    }
  }

  std::string path_;
  int line_ = 0;
  bool heading_ = false;
  std::string errors_;
  RegisterMap map_;
  int register_line_ = 0;                         // The line of the last register.
  uint32_t used_ = 0;                             // Its bits that have a field.
  std::set<std::string> fields_;                  // Its fields.
  std::map<std::string, int> lines_;              // By register.
  std::set<std::string> placed_;                  // Registers whose offset is good.
  std::map<std::string, std::string> constants_;  // "register.field" by the name that both make.
};

}  // namespace

std::string_view name_of(RegisterAccess access) {
  switch (access) {
    case RegisterAccess::kReadOnly:
      return "RO";
    case RegisterAccess::kReadWrite:
      return "RW";
    case RegisterAccess::kWriteOneToClear:
      return "W1C";
  }
  return "";
}

uint32_t RegisterEntry::mask() const {
  uint32_t all = 0;
  for (const RegisterField& field : fields) all |= field.mask();
  return all;
}

uint32_t RegisterEntry::reset() const {
  uint32_t all = 0;
  for (const RegisterField& field : fields) all |= field.reset.value_or(0) << field.low;
  return all;
}

absl::StatusOr<RegisterMap> parse_registers(std::string_view text, std::string_view path) {
  Parser parser(path);
  int line = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    parser.row(++line, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parser.finish();
}

}  // namespace fabrictwin::rtl::control
