// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A history as a folder of pages for a browser.
#pragma once

#include <string>
#include <vector>

#include "dashboards/history/check.h"
#include "dashboards/history/trend.h"

namespace fabrictwin::dashboards::pages {

struct SitePage {
  std::string file;  ///< Its name in the folder.
  std::string html;
};

/// "index.html" with what the check of the newest commit has found, and a page for each series: its measured metrics
/// over its results with their change points, and its exact metrics where they have changed. `trends` of one series
/// stand together.
std::vector<SitePage> history_site(const std::vector<history::Trend>& trends, const history::CheckResult& check);

}  // namespace fabrictwin::dashboards::pages
