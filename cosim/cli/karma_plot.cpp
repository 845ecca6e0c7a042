// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/karma_plot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "dashboards/report/line_plot.h"

namespace fabrictwin::cli {

std::string counted(uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

const std::vector<int>& karma_plot_sizes() {
  static const std::vector<int> sizes = {32, 64, 128, 256, 512};
  return sizes;
}

absl::StatusOr<std::vector<KarmaCurve>> measure_karma_curves(uint32_t packets) {
  std::vector<KarmaCurve> curves = {
      {"router, 1 sender", {.top = rtl::karma::TopKind::kRouter, .senders = 1}, 0.76, {}},
      {"router, 2 senders to one port", {.top = rtl::karma::TopKind::kRouter, .senders = 2}, 0.895, {}},
      {"link", {.top = rtl::karma::TopKind::kLink, .senders = 1}, 0.9, {}}};
  for (KarmaCurve& curve : curves) {
    curve.options.packets = packets;
    for (const int size : karma_plot_sizes()) {
      rtl::karma::Options options = curve.options;
      options.payload_bytes = size;
      const absl::StatusOr<rtl::karma::Result> result = rtl::karma::run_karma(options);
      if (!result.ok()) return result.status();
      curve.results.push_back(*result);
    }
  }
  return curves;
}

absl::StatusOr<std::string> karma_svg(const std::vector<KarmaCurve>& curves) {
  dashboards::report::LinePlot plot("Bandwidth of the ExaNet RTL",
                                    {.title = "payload of a packet", .unit = "B", .log = true},
                                    {.title = "payload efficiency", .unit = "%", .from = 0, .to = 100});
  std::vector<size_t> numbers;
  for (const KarmaCurve& curve : curves) {
    std::vector<dashboards::report::PlotPoint> points;
    for (size_t i = 0; i < curve.results.size(); ++i)
      points.push_back({static_cast<double>(karma_plot_sizes()[i]), curve.results[i].efficiency * 100});
    numbers.push_back(plot.add_line(curve.label, std::move(points)));
  }
  for (size_t i = 0; i < curves.size(); ++i)
    plot.add_points("published: " + curves[i].label, {{rtl::karma::kKarmaMaxPayload, curves[i].published * 100}},
                    numbers[i]);
  return plot.svg();
}

std::string karma_table(const std::vector<KarmaCurve>& curves) {
  std::vector<std::string> header = {"payload efficiency"};
  for (const int size : karma_plot_sizes()) header.push_back(fmt::format("{} B", size));
  header.push_back(fmt::format("published at {} B", rtl::karma::kKarmaMaxPayload));
  report::TextTable table(std::move(header));
  for (const KarmaCurve& curve : curves) {
    std::vector<std::string> row = {curve.label};
    for (const rtl::karma::Result& result : curve.results)
      row.push_back(fmt::format("{:.2f} %", result.efficiency * 100));
    row.push_back(fmt::format("{:.1f} %", curve.published * 100));
    table.add(std::move(row));
  }
  return table.text(0);
}

std::string karma_points_json(const std::vector<KarmaCurve>& curves, uint32_t packets) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const KarmaCurve& curve : curves) {
    const auto senders = static_cast<uint64_t>(curve.options.senders);
    for (size_t i = 0; i < curve.results.size(); ++i) {
      points.push_back(
          {{"name", fmt::format("{} {} B {}", curve.options.top == rtl::karma::TopKind::kLink ? "link" : "router",
                                karma_plot_sizes()[i], counted(senders, "sender"))},
           {"top", curve.options.top == rtl::karma::TopKind::kLink ? "link" : "router"},
           {"packet_bytes", karma_plot_sizes()[i]},
           {"senders", curve.options.senders},
           {"efficiency", curve.results[i].efficiency},
           {"payload_gbps", curve.results[i].payload_gbps},
           {"packets", curve.results[i].packets},
           {"errors", curve.results[i].errors}});
    }
  }
  return report::json_text(
             nlohmann::ordered_json{{"name", fmt::format("karma plot, {} packets", packets)}, {"points", points}}, 2) +
         "\n";
}

}  // namespace fabrictwin::cli
