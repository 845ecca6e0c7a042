// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/result_page.h"

namespace fabrictwin::dashboards::pages {

std::string result_page(std::string_view title, std::string_view alert, const std::vector<html::Table>& tables,
                        const std::vector<ResultPicture>& pictures, std::string_view text) {
  html::Page page{std::string(title)};
  page.set_alert(std::string(alert));
  for (const html::Table& table : tables) page.add_table(table);
  for (const ResultPicture& picture : pictures) page.add_picture(picture.title, picture.svg);
  page.add_text("The result as text", std::string(text));
  return page.html();
}

std::string osu_page(std::string_view title, std::string_view alert, const v1::OsuReport& osu, std::string_view text) {
  html::Page page{std::string(title)};
  page.set_alert(std::string(alert));
  page.add_chart(osu_chart(osu));
  page.add_text("The result as text", std::string(text));
  return page.html();
}

html::Chart osu_chart(const v1::OsuReport& osu) {
  html::Chart chart{
      "OSU " + osu.benchmark(), {"message", "B", 2}, {osu.benchmark(), osu.unit(), 10}, {}, {{osu.benchmark(), {}}}};
  for (const v1::OsuResult& result : osu.results()) {
    chart.x.push_back(static_cast<double>(result.bytes()));
    chart.curves[0].y.push_back(result.value());
  }
  return chart;
}

}  // namespace fabrictwin::dashboards::pages
