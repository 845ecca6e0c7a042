// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gpcnet/results_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace fabrictwin::gpcnet {
namespace {

// Lines and widths of the tool.
constexpr std::string_view kOuter =
    "+------------------------------------------------------------------------------+\n";
constexpr std::string_view kInner =
    "+---------------------------------+--------------+--------------+--------------+\n";
constexpr std::string_view kKey = "+---------------------------------+----------------------+---------------------+\n";
constexpr int kTitleWidth = 76;
constexpr std::string_view kNoNumber = "-";

void add_title(std::string_view title, std::string_view below, std::string& text) {
  text += fmt::format("\n{}| {:^{}} |\n{}", kOuter, title, kTitleWidth, below);
}

std::string number(double value) { return value > 0 ? fmt::format("{:.1f}", value) : std::string(kNoNumber); }
std::string factor(double value) { return value > 0 ? fmt::format("{:.1f}X", value) : std::string(kNoNumber); }

template <double (v1::GpcnetRow::*mean)() const, double (v1::GpcnetRow::*p99)() const>
void add_part(std::string_view title, const v1::GpcnetReport& gpcnet, std::string& text) {
  add_title(title, kInner, text);
  text += fmt::format("| {:>31} | {:>12} | {:>12} | {:>12} |\n{}", "Name", "Avg", "99%", "Units", kInner);
  for (const v1::GpcnetRow& row : gpcnet.rows()) {
    text += fmt::format("| {:>31} | {:>12} | {:>12} | {:>12} |\n{}", row.test(), number((row.*mean)()),
                        number((row.*p99)()), row.unit() == "us" ? "usec" : row.unit(), kInner);
  }
}

}  // namespace

void add_results(const v1::Report& report, std::string& text) {
  if (!report.has_gpcnet()) return;
  const v1::GpcnetReport& gpcnet = report.gpcnet();
  text += fmt::format(
      "\nNetworkLoad Tests\n  Test with {} MPI ranks ({} nodes)\n  {} nodes running Network Tests\n  {} nodes running "
      "Congestion Tests\n",
      gpcnet.ranks(), gpcnet.hosts(), gpcnet.victim_hosts(), gpcnet.congestor_hosts());
  add_part<&v1::GpcnetRow::isolated_mean, &v1::GpcnetRow::isolated_p99>("Isolated Network Tests", gpcnet, text);
  add_part<&v1::GpcnetRow::congested_mean, &v1::GpcnetRow::congested_p99>("Network Tests running with Congestion Tests",
                                                                          gpcnet, text);
  add_title("Network Tests running with Congestion Tests - Key Results", kKey, text);
  text += fmt::format("| {:>31} | {:>42} |\n{}| {:>31} | {:>20} | {:>19} |\n{}", "Name", "Congestion Impact Factor",
                      kKey, "", "Avg", "99%", kKey);
  for (const v1::GpcnetRow& row : gpcnet.rows()) {
    text += fmt::format("| {:>31} | {:>20} | {:>19} |\n{}", row.test(), factor(row.cif_mean()), factor(row.cif_p99()),
                        kKey);
  }
}

}  // namespace fabrictwin::gpcnet
