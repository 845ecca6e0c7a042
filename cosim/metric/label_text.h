// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fabrictwin::metric {

/// A label as the text formats of Prometheus and of OpenMetrics have it: `name="value"`, with escapes for quotes,
/// backslashes and line ends of the value.
std::string label_text(std::string_view name, std::string_view value);

}  // namespace fabrictwin::metric
