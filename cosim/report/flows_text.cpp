// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/flows_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cosim/report/report_text.h"
#include "cosim/report/text_table.h"

namespace fabrictwin::report {
namespace {

constexpr int kMostRows = 20;

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.4g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.4g} MB", bytes / 1e6);
  if (bytes >= 1e3) return fmt::format("{:.4g} kB", bytes / 1e3);
  return fmt::format("{:.4g} B", bytes);
}

std::string bin_name(const v1::FlowBin& bin) {
  const bool open = bin.up_to_bytes() == std::numeric_limits<uint64_t>::max();
  if (bin.above_bytes() == 0 && open) return "all";
  const auto bound = [](uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  if (open) return fmt::format("above {}", bound(bin.above_bytes()));
  return fmt::format("up to {}", bound(bin.up_to_bytes()));
}

void add_each(const v1::Report& report, std::string& text) {
  const bool fair = report.flow_summary().has_min_over_max_min();
  std::vector<std::string> header = {"flow", "bytes", "start", "FCT", "slowdown", "Gbit/s"};
  const bool signs = report.flows_size() > 0 && report.flows(0).has_marks();
  if (fair) header.emplace_back("max-min");
  if (signs) header.insert(header.end(), {"marks", "notices"});
  TextTable table(header);
  for (int i = 0; i < report.flows_size(); ++i) {
    const v1::FlowReport& flow = report.flows(i);
    std::vector<std::string> row = {
        fmt::format("{}->{}", flow.source(), flow.destination()),
        bytes_text(static_cast<double>(flow.bytes() == 0 ? flow.bytes_received() : flow.bytes())),
        seconds_text(flow.start_seconds()),
        flow.has_fct_seconds() ? seconds_text(flow.fct_seconds()) : "-",
        flow.has_slowdown() ? fmt::format("{:.3f}", flow.slowdown()) : "-",
        fmt::format("{:.3f}", flow.goodput_gbps())};
    if (fair) row.push_back(fmt::format("{:.3f}", flow.max_min_gbps()));
    if (signs) row.insert(row.end(), {fmt::format("{}", flow.marks()), fmt::format("{}", flow.notices())});
    table.add(std::move(row));
  }
  text += table.text();
}

void add_bins(const v1::FlowSummary& summary, std::string& text) {
  TextTable table({"size", "flows", "FCT p50", "FCT p99", "slowdown p50", "p95", "p99"});
  for (const v1::FlowBin& bin : summary.bins()) {
    const bool slowdown = bin.slowdown_mean() > 0;
    const auto number = [slowdown](double value) { return slowdown ? fmt::format("{:.3f}", value) : std::string("-"); };
    table.add({bin_name(bin), fmt::format("{}", bin.flows()), seconds_text(bin.fct_p50_seconds()),
               seconds_text(bin.fct_p99_seconds()), number(bin.slowdown_p50()), number(bin.slowdown_p95()),
               number(bin.slowdown_p99())});
  }
  text += table.text();
}

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

}  // namespace

void add_flows(const v1::Report& report, std::string& text) {
  if (!report.has_flow_summary()) return;
  const v1::FlowSummary& summary = report.flow_summary();
  text += fmt::format("\nflows: {} of {} have ended, Jain index of goodputs {:.4f}\n", summary.finished(),
                      summary.flows(), summary.jain_index());
  if (summary.has_min_over_max_min())
    text += fmt::format("  least of goodput over max-min fair rate {:.3f}\n", summary.min_over_max_min());
  if (summary.has_jain_over_max_min())
    text += fmt::format("  Jain index of goodputs over max-min fair rates {:.4f}\n", summary.jain_over_max_min());
  if (summary.has_no_max_min())
    text += fmt::format("  no max-min fair rates and false marks: {}\n", summary.no_max_min());
  if (summary.has_convergence_seconds())
    text +=
        fmt::format("  fair within 10 % {} after the last start or end\n", seconds_text(summary.convergence_seconds()));
  if (report.flows_size() <= kMostRows) add_each(report, text);
  if (summary.bins_size() > 0) add_bins(summary, text);
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
  TextTable table({"link", "from", "until", "rate", "longest queue", "empty again after"});
  for (const v1::FaultReport& fault : report.faults()) {
    table.add({fault.link(), seconds_text(fault.at_seconds()),
               fault.has_until_seconds() ? seconds_text(fault.until_seconds()) : "the end",
               fault.rate() == 0 ? "fails" : fmt::format("{:.4g}", fault.rate()),
               bytes_text(static_cast<double>(fault.queue_bytes())),
               fault.has_recovery_seconds() ? seconds_text(fault.recovery_seconds()) : "-"});
  }
  text += table.text();
}

void add_congestion(const v1::Report& report, std::string& text) {
  if (report.has_queues()) {
    const v1::QueuesReport& queues = report.queues();
    // Routers of the model INPUT_QUEUED report set-aside queues only.
    if (queues.max_bytes() > 0 || !queues.has_set_aside_most()) {
      text += "\nqueues of outputs\n";
      text += fmt::format("  longest {}{}\n", bytes_text(static_cast<double>(queues.max_bytes())),
                          queues.max_port().empty() ? "" : " at " + queues.max_port());
      if (!queues.mean_port().empty()) {
        text += fmt::format("  largest mean {} at {}, p50 {}, p99 {}\n", bytes_text(queues.mean_bytes()),
                            queues.mean_port(), bytes_text(static_cast<double>(queues.p50_bytes())),
                            bytes_text(static_cast<double>(queues.p99_bytes())));
      }
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

std::string flows_csv(const v1::Report& report) {
  std::string text =
      "source,destination,bytes,start_seconds,fct_seconds,slowdown,goodput_gbps,bytes_received,marks,notices\n";
  const auto cell = [](bool known, auto value) { return known ? fmt::format("{}", value) : std::string(); };
  for (const v1::FlowReport& flow : report.flows()) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", flow.source(), flow.destination(),
                        cell(flow.bytes() > 0, flow.bytes()), flow.start_seconds(),
                        cell(flow.has_fct_seconds(), flow.fct_seconds()), cell(flow.has_slowdown(), flow.slowdown()),
                        flow.goodput_gbps(), flow.bytes_received(), cell(flow.has_marks(), flow.marks()),
                        cell(flow.has_notices(), flow.notices()));
  }
  return text;
}

}  // namespace fabrictwin::report
