// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::dashboards::pages {

/// A validation as a page for a browser: its pairs of runs, how large the errors of messages are, the worst of them,
/// and `text`, the report as a terminal shows it. `alert` says what is wrong with it, and is empty otherwise.
std::string validation_page(const v1::ValidationReport& report, std::string_view alert, std::string_view text);

}  // namespace fabrictwin::dashboards::pages
