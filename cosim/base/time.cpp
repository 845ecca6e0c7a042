// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/time.h"

#include "cosim/base/decimal.h"

namespace fabrictwin {

std::string to_string(Time time) {
  if (time.is_never()) return "never";
  static constexpr DecimalUnit kUnits[] = {{"s", 1'000'000'000'000'000},
                                           {"ms", 1'000'000'000'000},
                                           {"us", 1'000'000'000},
                                           {"ns", 1'000'000},
                                           {"ps", 1'000},
                                           {"fs", 1}};
  return format_decimal(time.fs(), kUnits);
}

}  // namespace fabrictwin
