// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of assets/, which CMake makes constants of (embed.cmake).
#pragma once

#include <string_view>

namespace fabrictwin::dashboards::html {

extern const std::string_view kPageCss;
/// Defines what page.js uses, so it comes before it.
extern const std::string_view kActivityJs;
extern const std::string_view kPageJs;
/// uPlot, https://github.com/leeoniya/uPlot.
extern const std::string_view kUplotCss;
extern const std::string_view kUplotJs;
extern const std::string_view kUplotLicense;

}  // namespace fabrictwin::dashboards::html
