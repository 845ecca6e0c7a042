// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the dashboards of a folder from what a Prometheus answers to the queries of their panels.
// usage: dashboard_pictures DASHBOARDS_FOLDER PROMETHEUS_URL OUT_FOLDER VIEWS
//   VIEWS: a JSON file with the view of each dashboard by its name, {"live": {"start": ...}, ...} (read_view())
// Writes OUT_FOLDER/dashboard-NAME.svg for each DASHBOARDS_FOLDER/NAME.json.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/text.h"
#include "dashboards/metrics/endpoint.h"
#include "tests/dashboards/grafana/answer.h"
#include "tests/dashboards/grafana/dashboard_drawing.h"
#include "tests/dashboards/grafana/panel_query.h"

namespace fabrictwin::test {
namespace {

/// Pictures are for pages, which should not take long to load.
constexpr size_t kLargestPicture = 400'000;

absl::StatusOr<nlohmann::json> read_json(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(fmt::format("{} cannot be read", path.string()));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return absl::InvalidArgumentError(fmt::format("{} is no JSON", path.string()));
  return json;
}

AskPrometheus asking(const std::string& url, const TimeAxis& axis) {
  return [url, axis](const std::string& query, bool instant) -> absl::StatusOr<std::vector<AnswerSeries>> {
    const std::string when = instant
                                 ? fmt::format("time={:.3f}", axis.end)
                                 : fmt::format("start={:.3f}&end={:.3f}&step={:g}", axis.start, axis.end, axis.step);
    const absl::StatusOr<std::string> answer = dashboards::metrics::fetch_page(
        fmt::format("{}/api/v1/{}?query={}&{}", url, instant ? "query" : "query_range", url_encoded(query), when), {});
    if (!answer.ok()) return answer.status();
    return read_answer(*answer);
  };
}

absl::Status draw(const std::filesystem::path& source, const nlohmann::json& views, const std::string& url,
                  const std::filesystem::path& out) {
  const std::string name = source.stem().string();
  if (!views.is_object() || !views.contains(name)) return absl::NotFoundError("there is no view of it");
  const absl::StatusOr<nlohmann::json> dashboard = read_json(source);
  if (!dashboard.ok()) return dashboard.status();
  const absl::StatusOr<DashboardView> view = read_view(views.at(name));
  if (!view.ok()) return view.status();
  const absl::StatusOr<std::string> picture = draw_dashboard(*dashboard, *view, asking(url, view->axis));
  if (!picture.ok()) return picture.status();
  if (picture->size() > kLargestPicture) {
    return absl::ResourceExhaustedError(
        fmt::format("the picture has {} bytes, more than {}; take a larger step", picture->size(), kLargestPicture));
  }
  const std::filesystem::path target = out / fmt::format("dashboard-{}.svg", name);
  std::ofstream file(target, std::ios::binary);
  file << *picture;
  file.close();
  if (!file) return absl::UnavailableError(fmt::format("{} cannot be written", target.string()));
  fmt::print(stderr, "dashboard_pictures: wrote {} ({} bytes)\n", target.string(), picture->size());
  return absl::OkStatus();
}

int draw_all(const std::string& dashboards, std::string url, const std::string& out, const std::string& views_file) {
  while (url.ends_with('/')) url.pop_back();
  const absl::StatusOr<nlohmann::json> views = read_json(views_file);
  if (!views.ok()) {
    fmt::print(stderr, "dashboard_pictures: {}\n", message_of(views.status()));
    return 2;
  }
  std::error_code code;
  std::map<std::string, std::filesystem::path> sources;
  for (const auto& entry : std::filesystem::directory_iterator(dashboards, code)) {
    if (entry.path().extension() == ".json") sources[entry.path().filename().string()] = entry.path();
  }
  if (sources.empty()) {
    fmt::print(stderr, "dashboard_pictures: there are no dashboards in {}\n", dashboards);
    return 2;
  }
  int failed = 0;
  for (const auto& [name, source] : sources) {
    const absl::Status drawn = draw(source, *views, url, out);
    if (drawn.ok()) continue;
    fmt::print(stderr, "dashboard_pictures: {}: {}\n", name, message_of(drawn));
    failed = 1;
  }
  return failed;
}

}  // namespace
}  // namespace fabrictwin::test

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: dashboard_pictures DASHBOARDS_FOLDER PROMETHEUS_URL OUT_FOLDER VIEWS\n");
    return 2;
  }
  return fabrictwin::test::draw_all(argv[1], argv[2], argv[3], argv[4]);
}
