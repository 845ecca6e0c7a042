// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/results_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cosim/observe/latency_report.h"
#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::traffic {
namespace {

using report::percent_text;
using report::percentiles_text;
using report::seconds_text;
using report::TextTable;
using report::wrapped_list;

void add_traffic(const v1::TrafficReport& traffic, std::string& text) {
  text += "\ntraffic\n";
  TextTable table({"offered", "accepted", "sent", "received", "mean latency", "max latency"});
  // Without packets there is no latency.
  const auto latency_text = [](double seconds) { return seconds > 0 ? seconds_text(seconds) : "-"; };
  table.add({percent_text(traffic.offered_load()),
             observe::has_accepted_load(traffic) ? percent_text(traffic.accepted_load()) : "-",
             fmt::format("{}", traffic.packets_sent()), fmt::format("{}", traffic.packets_received()),
             latency_text(traffic.mean_latency_seconds()), latency_text(traffic.max_latency_seconds())});
  text += table.text();
  if (traffic.has_latency_seconds() && !observe::is_sampled(traffic))
    text += wrapped_list("  latency", 10, percentiles_text(traffic.latency_seconds(), seconds_text));
  if (traffic.has_jain_index()) text += fmt::format("  Jain index of the hosts {:.4f}\n", traffic.jain_index());
  if (!traffic.has_latency_cycles() || !observe::is_sampled(traffic)) return;
  const v1::LatencyCycles& latency = traffic.latency_cycles();
  text += fmt::format("  measured {} packets in {} router cycles{}\n", traffic.measured_packets(),
                      traffic.measured_cycles(), traffic.saturated() ? "; the network is saturated" : "");
  TextTable cycles({"latency in cycles", "least", "most", "in the network", "routers", "least accepted by a host"});
  cycles.add({fmt::format("{:.2f}", latency.mean()), fmt::format("{:.0f}", latency.min()),
              fmt::format("{:.0f}", latency.max()),
              latency.has_network_mean() ? fmt::format("{:.2f}", latency.network_mean()) : "-",
              traffic.has_mean_hops() ? fmt::format("{:.3f}", traffic.mean_hops()) : "-",
              traffic.has_accepted_load_min_node() ? percent_text(traffic.accepted_load_min_node()) : "-"});
  text += cycles.text();
  text += wrapped_list("  latency in cycles", 20,
                       percentiles_text(latency, [](double v) { return fmt::format("{:.0f}", v); }));
  if (latency.has_confidence() && traffic.has_accepted_load_confidence()) {
    text += fmt::format("  95 % confidence: latency +/- {:.2f} cycles, accepted load +/- {}\n", latency.confidence(),
                        percent_text(traffic.accepted_load_confidence()));
  }
}

void add_classes(const v1::Report& report, std::string& text) {
  if (report.classes_size() == 0) return;
  const bool cycles = observe::is_sampled(report.traffic());
  const bool measured = observe::has_accepted_load(report.traffic());
  text += "\nclasses of traffic\n";
  std::vector<std::string> header = {"class", "offered", "accepted", "sent", "received", "", "p99", "Jain index"};
  header[5] = cycles ? "mean cycles" : "mean latency";
  const bool window = report.has_goodput_window();
  if (window) header.emplace_back("Gbit/s in window");
  TextTable table(std::move(header));
  for (const v1::ClassReport& of_class : report.classes()) {
    std::string mean = "-";
    std::string p99 = "-";
    if (of_class.has_latency()) {
      mean = cycles ? fmt::format("{:.2f}", of_class.latency_cycles().mean()) : seconds_text(of_class.latency().mean());
      p99 = cycles ? fmt::format("{:.0f}", of_class.latency_cycles().p99()) : seconds_text(of_class.latency().p99());
    }
    std::vector<std::string> row = {of_class.name(),
                                    of_class.offered_load() > 0 ? percent_text(of_class.offered_load()) : "-",
                                    measured ? percent_text(of_class.accepted_load()) : "-",
                                    fmt::format("{}", of_class.packets_sent()),
                                    fmt::format("{}", of_class.packets_received()),
                                    mean,
                                    p99,
                                    of_class.has_jain_index() ? fmt::format("{:.4f}", of_class.jain_index()) : "-"};
    if (window) row.push_back(fmt::format("{:.3f}", of_class.window_goodput_gbps()));
    table.add(std::move(row));
  }
  text += table.text();
  for (const v1::ClassReport& of_class : report.classes()) {
    if (!of_class.has_goodput_recovery_seconds()) continue;
    text += fmt::format("  95 % of the goodput before {} again {} after its stop\n", of_class.name(),
                        seconds_text(of_class.goodput_recovery_seconds()));
  }
}

}  // namespace

void add_results(const v1::Report& report, std::string& text) {
  if (report.has_traffic()) add_traffic(report.traffic(), text);
  add_classes(report, text);
}

}  // namespace fabrictwin::traffic
