// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/result_page.h"

#include <limits>
#include <map>

#include "dashboards/pages/provenance_facts.h"

namespace fabrictwin::dashboards::pages {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Where a size stands on a logarithmic axis, which has no 0.
double position_of(uint64_t bytes) { return bytes == 0 ? 0.5 : static_cast<double>(bytes); }

}  // namespace

std::string result_page(const ResultContent& content) {
  html::Page page{content.title};
  page.set_alert(content.alert);
  if (!content.provenance.date().empty()) page.add_facts("Summary", provenance_facts(content.provenance));
  for (const html::Table& table : content.tables) page.add_table(table);
  for (const html::Chart& chart : content.charts) page.add_chart(chart);
  for (const ResultPicture& picture : content.pictures) page.add_picture(picture.title, picture.svg);
  page.add_text("The result as text", content.text);
  return page.html();
}

html::Chart osu_chart(const v1::OsuReport& osu, const std::vector<OsuReference>& references) {
  html::Chart chart{
      "OSU " + osu.benchmark(), {"message", "B", 2}, {osu.benchmark(), osu.unit(), 10}, {}, {{osu.benchmark(), {}}}};
  std::map<double, size_t> indices;  // Positions of sizes.
  for (const v1::OsuResult& result : osu.results()) indices[position_of(result.bytes())];
  for (const OsuReference& reference : references) {
    for (const auto& [bytes, value] : reference.points) indices[position_of(bytes)];
    chart.curves.push_back({reference.label, {}, true});
  }
  for (auto& [x, index] : indices) {
    index = chart.x.size();
    chart.x.push_back(x);
  }
  if (!indices.empty() && indices.begin()->first < 1) chart.note = "0 B stands at 0.5 B.";
  for (html::Chart::Curve& curve : chart.curves) curve.y.assign(indices.size(), kNoValue);
  html::Chart::Curve& own = chart.curves[0];
  for (const v1::OsuResult& result : osu.results()) {
    const size_t index = indices[position_of(result.bytes())];
    own.y[index] = result.value();
    if (!result.has_min() || !result.has_max()) continue;
    own.low.resize(indices.size(), kNoValue);
    own.high.resize(indices.size(), kNoValue);
    own.low[index] = result.min();
    own.high[index] = result.max();
  }
  for (size_t i = 0; i < references.size(); ++i) {
    for (const auto& [bytes, value] : references[i].points) chart.curves[i + 1].y[indices[position_of(bytes)]] = value;
  }
  return chart;
}

}  // namespace fabrictwin::dashboards::pages
