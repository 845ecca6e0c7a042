// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/flow_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/flows/csv_table.h"

namespace fabrictwin::flows {
namespace {

constexpr size_t kNone = ~size_t{0};

/// The unit of a column of times: femtoseconds of one.
std::optional<double> time_unit(std::string_view name) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"s", 1e15}, {"ms", 1e12}, {"us", 1e9},
                                                                   {"ns", 1e6}, {"ps", 1e3},  {"fs", 1}};
  for (const auto& [unit, fs] : kUnits) {
    if (unit == name) return fs;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(CsvTable table, int32_t hosts, bool endless) : table_(std::move(table)), hosts_(hosts), endless_(endless) {}

  absl::StatusOr<FlowList> read() {
    if (absl::Status status = read_names(); !status.ok()) return status;
    size_t row = 1;
    if (table_.has_units(columns_[kSource].index)) {
      if (absl::Status status = read_units(table_.rows()[row]); !status.ok()) return status;
      ++row;
    }
    FlowList flows;
    for (; row < table_.rows().size(); ++row) {
      absl::StatusOr<Flow> flow = read_flow(table_.rows()[row]);
      if (!flow.ok()) return flow.status();
      flows.push_back(*flow);
    }
    if (flows.empty()) return table_.wrong(table_.rows()[0], 0, "there are no flows; write a line for each");
    return flows;
  }

 private:
  struct Column {
    std::string_view name;
    std::string_view other_name;
    size_t index = kNone;
    double unit = 1e15;       ///< Femtoseconds of a unit, if the column has times.
    bool named_unit = false;  ///< The name of the column has it: "start_ns".
  };
  enum Name : size_t { kSource, kDestination, kBytes, kStart, kStop };

  absl::Status read_names() {
    const CsvTable::Row& names = table_.rows()[0];
    for (size_t cell = 0; cell < names.cells.size(); ++cell) {
      const std::string_view text = names.cells[cell].text;
      const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) {
        return text == column.name || text == column.other_name || is_time(column, text);
      });
      if (found == columns_.end()) {
        return table_.wrong(names, cell,
                            fmt::format("unknown column \"{}\"; write source, destination, bytes, start or stop",
                                        CsvTable::shown(names, cell)));
      }
      if (found->index != kNone)
        return table_.wrong(names, cell, fmt::format("the column {} is there twice; leave one out", found->name));
      found->index = cell;
      found->named_unit = is_time(*found, text);
      if (found->named_unit) found->unit = *time_unit(text.substr(found->name.size() + 1));
    }
    for (const Name name : {kSource, kDestination}) {
      if (columns_[name].index == kNone)
        return table_.wrong(names, 0, fmt::format("there is no column {}; write it", columns_[name].name));
    }
    if (columns_[kBytes].index == kNone && columns_[kStop].index == kNone && !endless_)
      return table_.wrong(names, 0, "there is neither a column bytes nor a column stop; write how long flows are");
    return absl::OkStatus();
  }

  /// Whether a column of times is named with its unit: "start_ns".
  static bool is_time(const Column& column, std::string_view text) {
    const std::string prefix = std::string(column.name) + "_";
    return (column.name == "start" || column.name == "stop") && text.starts_with(prefix) &&
           time_unit(text.substr(prefix.size())).has_value();
  }

  absl::Status read_units(const CsvTable::Row& row) {
    for (const Name name : {kSource, kDestination}) {
      const size_t cell = columns_[name].index;
      const std::string_view text = row.cells[cell].text;
      if (!text.empty() && text != "host") {
        return table_.wrong(
            row, cell,
            fmt::format("\"{}\" is neither the number of a host nor \"host\", as in a line of units; write "
                        "one of them",
                        CsvTable::shown(row, cell)));
      }
    }
    for (const Name name : {kStart, kStop}) {
      Column& column = columns_[name];
      if (column.index == kNone || row.cells[column.index].text.empty()) continue;
      const std::optional<double> unit = time_unit(row.cells[column.index].text);
      if (!unit.has_value()) {
        return table_.wrong(row, column.index,
                            fmt::format("\"{}\" is no unit of time; write s, ms, us, ns, ps or fs",
                                        CsvTable::shown(row, column.index)));
      }
      if (column.named_unit && *unit != column.unit) {
        return table_.wrong(row, column.index,
                            fmt::format("the name of this column has another unit than \"{}\"; write one of them",
                                        CsvTable::shown(row, column.index)));
      }
      column.unit = *unit;
    }
    const Column& bytes = columns_[kBytes];
    if (bytes.index == kNone) return absl::OkStatus();
    const absl::StatusOr<double> unit = table_.unit_of_bytes(row, bytes.index);
    if (!unit.ok()) return unit.status();
    bytes_unit_ = *unit;
    return absl::OkStatus();
  }

  absl::StatusOr<int32_t> read_host(const CsvTable::Row& row, size_t cell) const {
    int32_t host = -1;
    if (!parse_number(row.cells[cell].text, host) || host < 0 || host >= hosts_) {
      return table_.wrong(
          row, cell,
          fmt::format("\"{}\" is not the number of a host; write 0 to {}", CsvTable::shown(row, cell), hosts_ - 1));
    }
    return host;
  }

  absl::StatusOr<Time> read_time(const CsvTable::Row& row, Name name, Time fallback) const {
    const Column& column = columns_[name];
    if (column.index == kNone || row.cells[column.index].text.empty()) return fallback;
    double value = 0;
    const bool number = parse_number(row.cells[column.index].text, value);
    const double fs = value * column.unit;
    if (number && fs >= static_cast<double>(kLastTime.fs())) {
      return table_.wrong(
          row, column.index,
          fmt::format("{} \"{}\" is too large: simulated time ends before {:.0f} s; write an earlier one", column.name,
                      CsvTable::shown(row, column.index), kLatestSeconds));
    }
    if (!number || !(fs >= 0)) {
      return table_.wrong(row, column.index,
                          fmt::format("{} \"{}\" is no time from 0 on; write a number that is not "
                                      "negative, such as 0.001",
                                      column.name, CsvTable::shown(row, column.index)));
    }
    const int64_t rounded = std::llround(fs);
    if (fs > 0 && rounded == 0) {
      return table_.wrong(row, column.index,
                          fmt::format("{} \"{}\" would be 0, as times are rounded to femtoseconds; write 0, or at "
                                      "least 1 fs",
                                      column.name, CsvTable::shown(row, column.index)));
    }
    return Time::from_fs(rounded);
  }

  absl::StatusOr<uint64_t> read_bytes(const CsvTable::Row& row) const {
    const size_t cell = columns_[kBytes].index;
    if (cell == kNone || row.cells[cell].text.empty()) return 0;
    double value = 0;
    const bool number = parse_number(row.cells[cell].text, value);
    const double bytes = value * bytes_unit_;
    if (!number || !(bytes >= 1) || bytes > static_cast<double>(kMaxFlowBytes)) {
      return table_.wrong(row, cell,
                          fmt::format("bytes \"{}\": write a number without a unit, 1 to 2^40 bytes (the second line "
                                      "may have units), or nothing and a stop",
                                      CsvTable::shown(row, cell)));
    }
    const double whole = std::round(bytes);
    if (bytes_unit_ == 1 && bytes != whole) {
      return table_.wrong(
          row, cell, fmt::format("bytes \"{}\" is no whole number of bytes; write one", CsvTable::shown(row, cell)));
    }
    return static_cast<uint64_t>(whole);
  }

  absl::StatusOr<Flow> read_flow(const CsvTable::Row& row) const {
    const absl::StatusOr<int32_t> source = read_host(row, columns_[kSource].index);
    if (!source.ok()) return source.status();
    const absl::StatusOr<int32_t> destination = read_host(row, columns_[kDestination].index);
    if (!destination.ok()) return destination.status();
    if (*source == *destination) {
      return table_.wrong(row, columns_[kDestination].index,
                          fmt::format("a flow from host {} to itself does not use the network; write another "
                                      "destination",
                                      *source));
    }
    const absl::StatusOr<uint64_t> bytes = read_bytes(row);
    if (!bytes.ok()) return bytes.status();
    const absl::StatusOr<Time> start = read_time(row, kStart, Time::zero());
    if (!start.ok()) return start.status();
    const absl::StatusOr<Time> stop = read_time(row, kStop, Time::never());
    if (!stop.ok()) return stop.status();
    if (*bytes == 0 && stop->is_never() && !endless_)
      return table_.wrong(row, 0, "a flow has bytes, or sends until its stop; write one of them");
    if (*stop <= *start) {
      return table_.wrong(
          row, columns_[kStop].index,
          fmt::format("stop {} is not after the start, {}; write a later one", to_string(*stop), to_string(*start)));
    }
    return Flow{*source, *destination, *bytes, *start, *stop};
  }

  CsvTable table_;
  int32_t hosts_;
  bool endless_;
  std::array<Column, 5> columns_ = {Column{"source", "src"}, Column{"destination", "dst"}, Column{"bytes", "size"},
                                    Column{"start", "start"}, Column{"stop", "stop"}};
  double bytes_unit_ = 1;
};

}  // namespace

absl::StatusOr<FlowList> read_flows(const std::string& file, int32_t hosts, bool endless) {
  absl::StatusOr<CsvTable> table = CsvTable::read(file, "the flow list");
  if (!table.ok()) return table.status();
  return Reader(*std::move(table), hosts, endless).read();
}

}  // namespace fabrictwin::flows
