// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/results_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"

namespace fabrictwin::flows {
namespace {

using report::bytes_text;
using report::seconds_text;
using report::TextTable;

constexpr int kMostRows = 20;

/// Whether there is no largest size.
bool is_open(const v1::FlowBin& bin) { return bin.up_to_bytes() == std::numeric_limits<uint64_t>::max(); }

std::string bin_name(const v1::FlowBin& bin) {
  const bool open = is_open(bin);
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
  const bool window = report.has_goodput_window();
  if (window) header.emplace_back("in window");
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
    if (window) row.push_back(fmt::format("{:.3f}", flow.window_goodput_gbps()));
    if (signs) row.insert(row.end(), {fmt::format("{}", flow.marks()), fmt::format("{}", flow.notices())});
    table.add(std::move(row));
  }
  text += table.text();
}

void add_window(const v1::Report& report, std::string& text) {
  const v1::GoodputWindowReport& window = report.goodput_window();
  const v1::FlowSummary& summary = report.flow_summary();
  text += fmt::format("  from {} to {}: {:.3f} Gbit/s, least {:.3f}, Jain index {}\n",
                      seconds_text(window.from_seconds()), seconds_text(window.until_seconds()),
                      summary.window_goodput_gbps(), summary.window_least_goodput_gbps(),
                      summary.has_window_jain_index() ? fmt::format("{:.4f}", summary.window_jain_index()) : "-");
}

void add_bins(const v1::FlowSummary& summary, std::string& text) {
  TextTable table({"size", "flows", "FCT p50", "p95", "p99", "slowdown p50", "p95", "p99"});
  for (const v1::FlowBin& bin : summary.bins()) {
    const bool slowdown = bin.slowdown_mean() > 0;
    const auto number = [slowdown](double value) { return slowdown ? fmt::format("{:.3f}", value) : std::string("-"); };
    table.add({bin_name(bin), fmt::format("{}", bin.flows()), seconds_text(bin.fct_p50_seconds()),
               seconds_text(bin.fct_p95_seconds()), seconds_text(bin.fct_p99_seconds()), number(bin.slowdown_p50()),
               number(bin.slowdown_p95()), number(bin.slowdown_p99())});
  }
  text += table.text();
}

}  // namespace

void add_results(const v1::Report& report, std::string& text) {
  if (!report.has_flow_summary()) return;
  const v1::FlowSummary& summary = report.flow_summary();
  text += fmt::format("\nflows: {} of {} have ended, Jain index of goodputs {}\n", summary.finished(), summary.flows(),
                      summary.has_jain_index() ? fmt::format("{:.4f}", summary.jain_index()) : "-");
  if (summary.has_min_over_max_min())
    text += fmt::format("  least of goodput over max-min fair rate {:.3f}\n", summary.min_over_max_min());
  if (summary.has_jain_over_max_min())
    text += fmt::format("  Jain index of goodputs over max-min fair rates {:.4f}\n", summary.jain_over_max_min());
  if (summary.has_no_max_min())
    text += fmt::format("  no max-min fair rates and false marks: {}\n", summary.no_max_min());
  if (summary.has_convergence_seconds())
    text +=
        fmt::format("  fair within 10 % {} after the last start or end\n", seconds_text(summary.convergence_seconds()));
  if (summary.has_window_goodput_gbps()) add_window(report, text);
  if (report.flows_size() <= kMostRows) add_each(report, text);
  if (summary.bins_size() > 0) add_bins(summary, text);
}

std::string flows_csv(const v1::Report& report) {
  std::string text =
      "source,destination,bytes,start_seconds,fct_seconds,slowdown,goodput_gbps,bytes_received,marks,notices,max_min_"
      "gbps";
  const bool jobs = report.jobs_size() > 0;
  if (jobs) text += ",job";
  const bool window = report.has_goodput_window();
  text += window ? ",window_goodput_gbps\n" : "\n";
  const auto cell = [](bool known, auto value) { return known ? fmt::format("{}", value) : std::string(); };
  for (const v1::FlowReport& flow : report.flows()) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}", flow.source(), flow.destination(),
                        cell(flow.bytes() > 0, flow.bytes()), flow.start_seconds(),
                        cell(flow.has_fct_seconds(), flow.fct_seconds()), cell(flow.has_slowdown(), flow.slowdown()),
                        flow.goodput_gbps(), flow.bytes_received(), cell(flow.has_marks(), flow.marks()),
                        cell(flow.has_notices(), flow.notices()), cell(flow.has_max_min_gbps(), flow.max_min_gbps()));
    if (jobs) text += ',' + (flow.job() < report.jobs_size() ? report.jobs(flow.job()).name() : std::string());
    if (window) text += fmt::format(",{}", flow.window_goodput_gbps());
    text += '\n';
  }
  return text;
}

std::string bins_csv(const v1::Report& report) {
  std::string text =
      "above_bytes,up_to_bytes,flows,fct_p50_seconds,fct_p95_seconds,fct_p99_seconds,slowdown_mean,slowdown_p50,"
      "slowdown_p95,slowdown_p99\n";
  for (const v1::FlowBin& bin : report.flow_summary().bins()) {
    const auto slowdown = [&bin](double value) {
      return bin.has_slowdown_mean() ? fmt::format("{}", value) : std::string();
    };
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", bin.above_bytes(),
                    is_open(bin) ? std::string() : fmt::format("{}", bin.up_to_bytes()), bin.flows(),
                    bin.fct_p50_seconds(), bin.fct_p95_seconds(), bin.fct_p99_seconds(), slowdown(bin.slowdown_mean()),
                    slowdown(bin.slowdown_p50()), slowdown(bin.slowdown_p95()), slowdown(bin.slowdown_p99()));
  }
  return text;
}

}  // namespace fabrictwin::flows
