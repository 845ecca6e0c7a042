// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

struct ResultPicture {
  std::string title;
  std::string svg;  ///< A picture of dashboards::report.
};

/// The result of many runs.
struct ResultContent {
  std::string title;
  std::string alert;          ///< What is wrong with it; empty if nothing is.
  v1::Provenance provenance;  ///< Without a date it is not shown.
  std::vector<html::Table> tables{};
  std::vector<html::Chart> charts{};
  std::vector<ResultPicture> pictures{};
  std::string text{};  ///< The result as a terminal shows it.
};
/// A page for a browser, with these parts in their order.
std::string result_page(const ResultContent& content);

/// Results of others to compare with: sizes in bytes, and values in the unit of the benchmark.
struct OsuReference {
  std::string label;
  std::vector<std::pair<uint64_t, double>> points;
};
/// The curve of an OSU benchmark: its value over the size of messages, with a band from the fastest to the slowest rank
/// of collectives, and references as points.
html::Chart osu_chart(const v1::OsuReport& osu, const std::vector<OsuReference>& references = {});

}  // namespace fabrictwin::dashboards::pages
