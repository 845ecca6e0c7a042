// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/reproduction/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"

namespace fabrictwin::study::reproduction {
namespace {

/// The text of a number with four digits, more than papers have.
std::string number(double value) { return fmt::format("{:.4g}", value); }
std::string percent(double share) { return fmt::format("{:+.1f} %", share * 100); }

/// The names of job.proto and of the suite differ in case.
bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, absl::ascii_tolower, absl::ascii_tolower);
}

/// The figures of a run as points of one curve; its name is what the first of them says after the name of the benchmark
/// and the size.
PublishedOsu points_of(const Run& run) {
  PublishedOsu curve;
  for (const PublishedFigure& figure : run.figures) {
    if (!figure.osu.has_value() || figure.equation || !figure.shown) continue;
    const size_t comma = figure.what.find(", ");
    if (curve.points.empty()) curve.what = comma == std::string::npos ? figure.what : figure.what.substr(comma + 2);
    curve.points.emplace_back(figure.osu->bytes, figure.paper * figure.osu->scale);
  }
  std::ranges::sort(curve.points);
  return curve;
}

}  // namespace

std::string to_json(const std::vector<ReproducedFigure>& figures) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ReproducedFigure& figure : figures) {
    all.push_back({{"id", figure.id},
                   {"unit", figure.unit},
                   {"paper", figure.paper},
                   {"predicted", figure.predicted},
                   {"error", figure.error()},
                   {"calibrated", figure.calibrated}});
  }
  return report::json_text({{"figures", std::move(all)}}, 2) + "\n";
}

std::string to_text(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing) {
  report::TextTable table({"figure", "", "unit", "paper", "predicted", "error", ""});
  table.align_left(1);
  table.align_left(2);
  table.align_left(6);
  for (const ReproducedFigure& figure : figures) {
    table.add({figure.id, figure.what, figure.unit, number(figure.paper), number(figure.predicted),
               percent(figure.error()), figure.calibrated ? "calibrated" : ""});
  }
  std::string text = table.text();
  if (missing.empty()) return text;
  text += "\nnot expressible\n";
  for (const MissingFigure& figure : missing) text += fmt::format("  {}: {}\n", figure.what, figure.why);
  return text;
}

std::string to_markdown(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing) {
  std::string text = "| figure | what | unit | paper | predicted | error | |\n|---|---|---|---|---|---|---|\n";
  for (const ReproducedFigure& figure : figures) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", figure.id, figure.what, figure.unit,
                        number(figure.paper), number(figure.predicted), percent(figure.error()),
                        figure.calibrated ? "**calibrated**" : "");
  }
  if (missing.empty()) return text;
  text += "\n| not expressible | why |\n|---|---|\n";
  for (const MissingFigure& figure : missing) text += fmt::format("| {} | {} |\n", figure.what, figure.why);
  return text;
}

std::vector<PublishedOsu> published_osu(v1::Topology::KindCase topology, std::string_view benchmark) {
  std::vector<PublishedOsu> published;
  if (topology != v1::Topology::kExanest) return published;
  static constexpr std::string_view kBenchmark = "workload.osu.benchmark=";
  for (const Run& run : exanest_reproduction().runs) {
    const bool same = std::ranges::any_of(run.sets, [&](std::string_view set) {
      return set.starts_with(kBenchmark) && same_name(set.substr(kBenchmark.size()), benchmark);
    });
    if (!same) continue;
    PublishedOsu curve = points_of(run);
    if (!curve.points.empty()) published.push_back(std::move(curve));
  }
  return published;
}

}  // namespace fabrictwin::study::reproduction
