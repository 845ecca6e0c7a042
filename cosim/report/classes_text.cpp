// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/classes_text.h"

#include <fmt/format.h>

#include "cosim/observe/latency_report.h"
#include "cosim/report/report_text.h"
#include "cosim/report/text_table.h"

namespace fabrictwin::report {

void add_classes(const v1::Report& report, std::string& text) {
  if (report.classes_size() == 0) return;
  const bool cycles = observe::is_sampled(report.traffic());
  const bool measured = observe::has_accepted_load(report.traffic());
  text += "\nclasses of traffic\n";
  TextTable table({"class", "offered", "accepted", "sent", "received", cycles ? "mean cycles" : "mean latency", "p99",
                   "Jain index"});
  for (const v1::ClassReport& of_class : report.classes()) {
    std::string mean = "-";
    std::string p99 = "-";
    if (of_class.has_latency()) {
      mean = cycles ? fmt::format("{:.2f}", of_class.latency_cycles().mean()) : seconds_text(of_class.latency().mean());
      p99 = cycles ? fmt::format("{:.0f}", of_class.latency_cycles().p99()) : seconds_text(of_class.latency().p99());
    }
    table.add({of_class.name(), of_class.offered_load() > 0 ? percent_text(of_class.offered_load()) : "-",
               measured ? percent_text(of_class.accepted_load()) : "-", fmt::format("{}", of_class.packets_sent()),
               fmt::format("{}", of_class.packets_received()), mean, p99,
               of_class.has_jain_index() ? fmt::format("{:.4f}", of_class.jain_index()) : "-"});
  }
  text += table.text();
}

}  // namespace fabrictwin::report
