// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/congestion_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fabrictwin::dashboards::pages {
namespace {

std::string fault_time(double seconds) { return fmt::format("{:.6g}", seconds * 1e6); }

std::string fault_rate(const v1::FaultReport& fault) {
  if (fault.rate() == 0 && fault.bit_error_rate() == 0) return "fails";
  return fault.has_bit_error_rate() ? "" : fmt::format("{:.4g}", fault.rate());
}

/// A counter of links that carry words.
template <bool (v1::FaultReport::*kHas)() const, uint64_t (v1::FaultReport::*kCount)() const>
std::string fault_count(const v1::FaultReport& fault) {
  return (fault.*kHas)() ? std::to_string((fault.*kCount)()) : std::string();
}

/// What a table tells of a fault; empty if it has no such thing.
struct FaultColumn {
  const char* title;
  std::string (*text)(const v1::FaultReport&);
};

using Fault = v1::FaultReport;
constexpr FaultColumn kFaultColumns[] = {
    {"link", [](const Fault& fault) { return fault.link(); }},
    {"from [us]", [](const Fault& fault) { return fault_time(fault.at_seconds()); }},
    {"until [us]",
     [](const Fault& fault) {
       return fault.has_until_seconds() ? fault_time(fault.until_seconds()) : std::string("the end");
     }},
    {"rate left", fault_rate},
    {"bit errors",
     [](const Fault& fault) {
       return fault.bit_error_rate() > 0 ? fmt::format("{:.4g}", fault.bit_error_rate()) : std::string();
     }},
    {"longest queue [kB]",
     [](const Fault& fault) {
       return fault.has_bit_error_rate() ? std::string()
                                         : fmt::format("{:.4g}", static_cast<double>(fault.queue_bytes()) / 1e3);
     }},
    {"empty again after [us]",
     [](const Fault& fault) {
       return fault.has_recovery_seconds() ? fault_time(fault.recovery_seconds()) : std::string();
     }},
    {"95 % of goodput after [us]",
     [](const Fault& fault) {
       return fault.has_goodput_recovery_seconds() ? fault_time(fault.goodput_recovery_seconds()) : std::string();
     }},
    {"wrong bits", fault_count<&Fault::has_wrong_bits, &Fault::wrong_bits>},
    {"corrected headers", fault_count<&Fault::has_corrected_headers, &Fault::corrected_headers>},
    {"damaged packets", fault_count<&Fault::has_damaged_packets, &Fault::damaged_packets>},
    {"lost packets", fault_count<&Fault::has_lost_packets, &Fault::lost_packets>},
    {"lost words", fault_count<&Fault::has_lost_words, &Fault::lost_words>},
    {"late credits", fault_count<&Fault::has_late_credits, &Fault::late_credits>},
    {"held words", fault_count<&Fault::has_held_words, &Fault::held_words>},
};

}  // namespace

void add_gpcnet(const v1::Report& report, html::Page& page) {
  const v1::GpcnetReport& gpcnet = report.gpcnet();
  if (gpcnet.rows_size() == 0) return;
  html::Chart chart{"Congestion impact factors", {"test", ""}, {"factor", ""}, {}, {{"mean", {}}, {"99 %", {}}}, true};
  html::Table table{
      "GPCNeT",
      {"test", "unit", "alone, mean", "alone, 99 %", "congested, mean", "congested, 99 %", "CIF", "CIF 99 %"},
      {}};
  for (const v1::GpcnetRow& row : gpcnet.rows()) {
    chart.x.push_back(static_cast<double>(chart.x.size() + 1));
    chart.x_labels.push_back(row.test());
    chart.curves[0].y.push_back(row.cif_mean());
    chart.curves[1].y.push_back(row.cif_p99());
    chart.note += fmt::format("{}{}: {}", chart.note.empty() ? "" : "; ", chart.x.size(), row.test());
    std::vector<std::string> cells{row.test(), row.unit()};
    for (const double value : {row.isolated_mean(), row.isolated_p99(), row.congested_mean(), row.congested_p99(),
                               row.cif_mean(), row.cif_p99()})
      cells.push_back(fmt::format("{:.5g}", value));
    table.rows.push_back(std::move(cells));
  }
  table.note = fmt::format("{} victim and {} congestor hosts of {}, {} ranks.", gpcnet.victim_hosts(),
                           gpcnet.congestor_hosts(), gpcnet.hosts(), gpcnet.ranks());
  page.add_chart(std::move(chart));
  page.add_table(std::move(table));
}

void add_faults(const v1::Report& report, html::Page& page) {
  if (report.faults_size() == 0) return;
  html::Table table{"Faults", {}, std::vector<std::vector<std::string>>(static_cast<size_t>(report.faults_size()))};
  for (const FaultColumn& column : kFaultColumns) {
    std::vector<std::string> cells;
    for (const v1::FaultReport& fault : report.faults()) cells.push_back(column.text(fault));
    if (std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty(); })) continue;
    table.columns.emplace_back(column.title);
    for (size_t row = 0; row < cells.size(); ++row) table.rows[row].push_back(std::move(cells[row]));
  }
  page.add_table(std::move(table));
}

void add_control(const v1::Report& report, html::Page& page) {
  if (!report.has_control()) return;
  const v1::ControlReport& control = report.control();
  std::vector<std::pair<std::string, std::string>> facts = {{"Marked packets", std::to_string(control.marks())}};
  if (control.has_false_marks()) facts.emplace_back("False marks", std::to_string(control.false_marks()));
  facts.emplace_back("Acknowledgements", std::to_string(control.acknowledgements()));
  facts.emplace_back("Notices", std::to_string(control.notices()));
  facts.emplace_back("Bytes of both", std::to_string(control.bytes()));
  page.add_facts("Congestion control", std::move(facts));
}

}  // namespace fabrictwin::dashboards::pages
