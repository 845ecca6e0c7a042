// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Values in the units of panels.
#pragma once

#include <string>
#include <string_view>

namespace fabrictwin::test {

/// How values of one size are shown: times `factor`, in `name` ("KiB", "%"; empty if there is no unit).
struct ShownUnit {
  double factor = 1;
  std::string name;
};

/// How values of about this size are shown whose unit Grafana calls `unit`: none, percentunit, s, bytes, bps, Bps, ops
/// or pps. Any other one is shown by its own name.
ShownUnit shown_unit(std::string_view unit, double size);

/// A value with its unit, in three digits or so: "1.43 KiB". NaN and infinities are "NaN", "+Inf" and "-Inf".
std::string value_text(double value, std::string_view unit);

}  // namespace fabrictwin::test
