// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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
/// A page of a result with charts before its pictures.
std::string charts_page(std::string_view title, std::string_view alert, const std::vector<html::Chart>& charts,
                        const std::vector<ResultPicture>& pictures, std::string_view text);

/// Results of others to compare with: sizes in bytes, and values in the unit of the benchmark.
struct OsuReference {
  std::string label;
  std::vector<std::pair<uint64_t, double>> points;
};
/// The results of an OSU benchmark as a page.
std::string osu_page(std::string_view title, std::string_view alert, const v1::OsuReport& osu,
                     const std::vector<OsuReference>& references, std::string_view text);
/// The curve of an OSU benchmark: its value over the size of messages, with a band from the fastest to the slowest rank
/// of collectives, and references as points.
html::Chart osu_chart(const v1::OsuReport& osu, const std::vector<OsuReference>& references = {});

}  // namespace fabrictwin::dashboards::pages
