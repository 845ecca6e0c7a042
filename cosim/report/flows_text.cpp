// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/flows_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

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
  TextTable table({"flow", "bytes", "start", "FCT", "slowdown", "Gbit/s"});
  for (int i = 0; i < report.flows_size(); ++i) {
    const v1::FlowReport& flow = report.flows(i);
    table.add({fmt::format("{}->{}", flow.source(), flow.destination()),
               bytes_text(static_cast<double>(flow.bytes() == 0 ? flow.bytes_received() : flow.bytes())),
               seconds_text(flow.start_seconds()), flow.has_fct_seconds() ? seconds_text(flow.fct_seconds()) : "-",
               flow.has_slowdown() ? fmt::format("{:.3f}", flow.slowdown()) : "-",
               fmt::format("{:.3f}", flow.goodput_gbps())});
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

}  // namespace

void add_flows(const v1::Report& report, std::string& text) {
  if (!report.has_flow_summary()) return;
  const v1::FlowSummary& summary = report.flow_summary();
  text += fmt::format("\nflows: {} of {} have ended, Jain index of goodputs {:.4f}\n", summary.finished(),
                      summary.flows(), summary.jain_index());
  if (report.flows_size() <= kMostRows) add_each(report, text);
  if (summary.bins_size() > 0) add_bins(summary, text);
}

void add_congestion(const v1::Report& report, std::string& text) {
  if (report.has_queues()) {
    const v1::QueuesReport& queues = report.queues();
    // Routers of the model INPUT_QUEUED report set-aside queues only.
    if (queues.max_bytes() > 0 || !queues.has_set_aside_most()) {
      text += "\nqueues of outputs\n";
      text += fmt::format("  longest {}{}\n", bytes_text(static_cast<double>(queues.max_bytes())),
                          queues.max_port().empty() ? "" : " at " + queues.max_port());
      if (!queues.mean_port().empty())
        text += fmt::format("  largest mean {} at {}\n", bytes_text(queues.mean_bytes()), queues.mean_port());
    }
    if (queues.has_set_aside_most()) {
      text += fmt::format("\nqueues set aside: {} at most, {} at the end", queues.set_aside_most(),
                          queues.set_aside_at_end());
      text += queues.has_set_aside_released_seconds()
                  ? fmt::format(", the last released at {:.4g} us\n", queues.set_aside_released_seconds() * 1e6)
                  : "\n";
    }
  }
  if (report.has_pauses()) text += fmt::format("  pauses {}\n", report.pauses());
  if (!report.has_control()) return;
  const v1::ControlReport& control = report.control();
  text += fmt::format("\ncontrol: {} marks, {} acknowledgements, {} notices, {}\n", control.marks(),
                      control.acknowledgements(), control.notices(), bytes_text(static_cast<double>(control.bytes())));
}

}  // namespace fabrictwin::report
