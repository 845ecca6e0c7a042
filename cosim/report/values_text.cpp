// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/values_text.h"

#include <cmath>

namespace fabrictwin::report {

std::string seconds_text(double seconds) {
  struct Unit {
    double scale;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  if (seconds == 0) return "0 s";
  for (const Unit& unit : kUnits) {
    if (std::abs(seconds) >= unit.scale) return fmt::format("{:.4g} {}", seconds / unit.scale, unit.name);
  }
  return fmt::format("{:.4g} ps", seconds * 1e12);
}

std::string percent_text(double share) { return fmt::format("{:.2f} %", share * 100); }

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.4g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.4g} MB", bytes / 1e6);
  if (bytes >= 1e3) return fmt::format("{:.4g} kB", bytes / 1e3);
  return fmt::format("{:.4g} B", bytes);
}

}  // namespace fabrictwin::report
