// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

struct ResultPicture {
  std::string title;
  std::string svg;  ///< A picture of dashboards::report.
};

/// The result of many runs as a page for a browser: pictures, tables, and `text`, the result as a terminal shows it.
/// `alert` says what is wrong with it, and is empty otherwise.
std::string result_page(std::string_view title, std::string_view alert, const std::vector<html::Table>& tables,
                        const std::vector<ResultPicture>& pictures, std::string_view text);
/// The results of an OSU benchmark as a page.
std::string osu_page(std::string_view title, std::string_view alert, const v1::OsuReport& osu, std::string_view text);
/// The curve of an OSU benchmark: its value over the size of messages.
html::Chart osu_chart(const v1::OsuReport& osu);

}  // namespace fabrictwin::dashboards::pages
