// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of a device, as a table says them: rtl/control/registers.csv explains the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::rtl::control {

enum class RegisterAccess { kReadOnly, kReadWrite, kWriteOneToClear };
enum class RegisterCopies { kOne, kPorts, kLinks };

/// An access as the table writes it: "RO", "RW", "W1C".
std::string_view name_of(RegisterAccess access);

inline constexpr uint32_t kRegisterSpace = 0x1000;  ///< Bytes of address space.

/// How often a register stands in the address space.
constexpr uint32_t positions_of(RegisterCopies copies) {
  return copies == RegisterCopies::kPorts ? 16 : copies == RegisterCopies::kLinks ? 8 : 1;
}

struct RegisterField {
  std::string name;
  int low = 0;
  int width = 0;
  std::optional<uint32_t> reset;  ///< Absent if hardware decides.
  std::string description;
  uint32_t mask() const { return (width == 32 ? ~0u : (1u << width) - 1) << low; }
};

struct RegisterEntry {
  std::string name;
  uint32_t offset = 0;
  RegisterCopies copies = RegisterCopies::kOne;
  RegisterAccess access = RegisterAccess::kReadOnly;
  std::string description;
  std::vector<RegisterField> fields;
  /// Bits that a field has.
  uint32_t mask() const;
  /// Value after reset; fields that hardware decides are zero.
  uint32_t reset() const;
};

struct RegisterMap {
  std::vector<RegisterEntry> registers;  ///< By offset.
};

/// Reads the table. InvalidArgument with all mistakes, one "path:line: error: ..." each on a line; `path` is only for
/// these.
absl::StatusOr<RegisterMap> parse_registers(std::string_view text, std::string_view path);

}  // namespace fabrictwin::rtl::control
