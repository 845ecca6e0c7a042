// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/congestion_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::report {
namespace {

/// Congested outputs below those that they wait for. Each has at most one, so a cycle of them is reached from no root:
/// its ports come last.
void add_branch(const v1::TreeSnapshot& tree, int port, int depth, std::vector<bool>& told, std::string& text) {
  if (told[static_cast<size_t>(port)]) return;
  told[static_cast<size_t>(port)] = true;
  text += fmt::format("  {:{}}{} {}\n", "", 2 * depth, tree.ports(port).port(),
                      bytes_text(static_cast<double>(tree.ports(port).bytes())));
  for (int other = 0; other < tree.ports_size(); ++other) {
    if (tree.ports(other).has_next() && tree.ports(other).next() == port)
      add_branch(tree, other, depth + 1, told, text);
  }
}

void add_tree(const v1::TreeSnapshot& tree, std::string& text) {
  text += fmt::format("\ncongested outputs at {}, below each those that wait for it\n", seconds_text(tree.seconds()));
  if (tree.ports_size() == 0) text += "  none\n";
  std::vector<bool> told(static_cast<size_t>(tree.ports_size()));
  for (const bool roots : {true, false}) {
    for (int port = 0; port < tree.ports_size(); ++port) {
      if (!roots || !tree.ports(port).has_next()) add_branch(tree, port, 0, told, text);
    }
  }
}

/// What faults of links that carry words have done.
struct WordFaultColumn {
  const char* title;
  uint64_t (v1::FaultReport::*count)() const;
};
constexpr WordFaultColumn kWordFaultColumns[] = {
    {"wrong bits", &v1::FaultReport::wrong_bits},           {"corrected headers", &v1::FaultReport::corrected_headers},
    {"damaged packets", &v1::FaultReport::damaged_packets}, {"lost packets", &v1::FaultReport::lost_packets},
    {"late credits", &v1::FaultReport::late_credits},       {"held words", &v1::FaultReport::held_words},
};

/// Only columns that have something to say.
void add_word_faults(const v1::Report& report, std::string& text) {
  std::vector<std::string> titles{"link", "from", "until", "bit errors"};
  std::vector<WordFaultColumn> columns;
  for (const WordFaultColumn& column : kWordFaultColumns) {
    if (std::none_of(report.faults().begin(), report.faults().end(),
                     [&](const v1::FaultReport& fault) { return (fault.*column.count)() > 0; }))
      continue;
    columns.push_back(column);
    titles.emplace_back(column.title);
  }
  TextTable table(titles);
  for (const v1::FaultReport& fault : report.faults()) {
    std::vector<std::string> row{fault.link(), seconds_text(fault.at_seconds()),
                                 fault.has_until_seconds() ? seconds_text(fault.until_seconds()) : "the end",
                                 fault.bit_error_rate() == 0 ? "fails" : fmt::format("{:.4g}", fault.bit_error_rate())};
    for (const WordFaultColumn& column : columns) row.push_back(std::to_string((fault.*column.count)()));
    table.add(row);
  }
  text += table.text();
}

void add_faults(const v1::Report& report, std::string& text) {
  if (report.faults_size() == 0) return;
  text += "\nfaults\n";
  if (report.faults(0).has_bit_error_rate()) return add_word_faults(report, text);
  TextTable table({"link", "from", "until", "rate", "longest queue", "empty again after", "95 % of goodput after"});
  for (const v1::FaultReport& fault : report.faults()) {
    table.add({fault.link(), seconds_text(fault.at_seconds()),
               fault.has_until_seconds() ? seconds_text(fault.until_seconds()) : "the end",
               fault.rate() == 0 ? "fails" : fmt::format("{:.4g}", fault.rate()),
               bytes_text(static_cast<double>(fault.queue_bytes())),
               fault.has_recovery_seconds() ? seconds_text(fault.recovery_seconds()) : "-",
               fault.has_goodput_recovery_seconds() ? seconds_text(fault.goodput_recovery_seconds()) : "-"});
  }
  text += table.text();
}

}  // namespace

void add_congestion(const v1::Report& report, std::string& text) {
  if (report.has_queues()) {
    const v1::QueuesReport& queues = report.queues();
    text += queues.at_inputs() ? "\nqueues of inputs\n" : "\nqueues of outputs\n";
    text += fmt::format("  longest {}{}\n", bytes_text(static_cast<double>(queues.max_bytes())),
                        queues.max_port().empty() ? "" : " at " + queues.max_port());
    if (!queues.mean_port().empty()) {
      text += fmt::format("  largest mean {} at {}, p50 {}, p99 {}\n", bytes_text(queues.mean_bytes()),
                          queues.mean_port(), bytes_text(static_cast<double>(queues.p50_bytes())),
                          bytes_text(static_cast<double>(queues.p99_bytes())));
    }
    if (queues.has_set_aside_most()) {
      text += fmt::format("\nqueues set aside: {} at most, {} at the end", queues.set_aside_most(),
                          queues.set_aside_at_end());
      text += queues.has_set_aside_released_seconds()
                  ? fmt::format(", the last released at {:.4g} us\n", queues.set_aside_released_seconds() * 1e6)
                  : "\n";
    }
  }
  if (report.has_pauses()) {
    text += fmt::format("  pauses {}{}\n", report.pauses(),
                        report.pauses() > 0 ? ", together " + seconds_text(report.queues().paused_seconds()) : "");
  }
  for (const v1::TreeSnapshot& tree : report.trees()) add_tree(tree, text);
  add_faults(report, text);
  if (!report.has_control()) return;
  const v1::ControlReport& control = report.control();
  text += fmt::format("\ncontrol: {} marks{}, {} acknowledgements, {} notices, {}\n", control.marks(),
                      control.false_marks() > 0 ? fmt::format(" ({} false)", control.false_marks()) : "",
                      control.acknowledgements(), control.notices(), bytes_text(static_cast<double>(control.bytes())));
}

}  // namespace fabrictwin::report
