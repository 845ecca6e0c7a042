// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "cosim/study/reproduction.h"

namespace fabrictwin::study {
namespace {

/// The text of a number with four digits, more than papers have.
std::string number(double value) { return fmt::format("{:.4g}", value); }
std::string percent(double share) { return fmt::format("{:+.1f} %", share * 100); }

}  // namespace

std::string reproduction_json(const std::vector<ReproducedFigure>& figures) {
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

std::string reproduction_text(const std::vector<ReproducedFigure>& figures, const std::vector<MissingFigure>& missing) {
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

std::string reproduction_markdown(const std::vector<ReproducedFigure>& figures,
                                  const std::vector<MissingFigure>& missing) {
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

}  // namespace fabrictwin::study
