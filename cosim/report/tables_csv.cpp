// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/tables_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "fabrictwin/v1/distribution.pb.h"

namespace fabrictwin::report {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using nlohmann::ordered_json;

constexpr std::string_view kClasses = "classes.csv";
constexpr std::string_view kJobs = "jobs.csv";
constexpr std::string_view kGpcnet = "gpcnet.csv";
constexpr std::string_view kQueues = "queues.csv";
constexpr std::string_view kControl = "control.csv";
constexpr std::string_view kFaults = "faults.csv";
constexpr std::string_view kTrees = "trees.csv";

using Cells = std::vector<std::string>;

std::string value_cell(const ordered_json& value) {
  if (value.is_string()) return csv_cell(value.get<std::string>());
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

/// Whether the values of a message are columns of what has it.
bool is_distribution(const Descriptor& type) {
  return &type == v1::LatencySeconds::descriptor() || &type == v1::LatencyCycles::descriptor();
}

/// Adds the columns of a message, with `prefix` before their names and behind that of a time `unit`.
void add_columns(const Descriptor& type, const std::string& prefix, std::string_view unit, Cells& columns) {
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.is_repeated()) continue;
    const std::string name = prefix + std::string(field.name());
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      const bool time = field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
      columns.push_back(time ? fmt::format("{}{}", name, unit) : name);
    } else if (is_distribution(*field.message_type())) {
      const bool seconds = field.message_type() == v1::LatencySeconds::descriptor();
      add_columns(*field.message_type(), name + "_", seconds ? "_seconds" : "", columns);
    }
  }
}

/// Adds a cell for each of these columns. `object` is that of message_object(), null where there is no message.
void add_cells(const Descriptor& type, const ordered_json& object, Cells& cells) {
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.is_repeated()) continue;
    const std::string name(field.name());
    const ordered_json value = object.contains(name) ? object.at(name) : ordered_json();
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      cells.push_back(value.is_null() ? std::string() : value_cell(value));
    } else if (is_distribution(*field.message_type())) {
      add_cells(*field.message_type(), value, cells);
    }
  }
}

/// A table with a row for each message.
struct Table {
  Cells columns;
  std::vector<Cells> rows;

  template <typename Message>
  void add(const Message& message) {
    if (columns.empty()) add_columns(*Message::descriptor(), "", "", columns);
    add_cells(*Message::descriptor(), message_object(message), rows.emplace_back());
  }
  std::string text() const {
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const Cells& row : rows) text += fmt::format("{}\n", fmt::join(row, ","));
    return text;
  }
};

template <typename Messages>
void add_list(std::string_view name, const Messages& messages, std::vector<CsvFile>& files) {
  if (messages.empty()) return;
  Table table;
  for (const auto& message : messages) table.add(message);
  files.push_back({name, table.text()});
}

void add_queues(const v1::Report& report, std::vector<CsvFile>& files) {
  if (!report.has_queues() && !report.has_pauses()) return;
  Table table;
  table.add(report.queues());
  table.columns.emplace_back("pauses");
  table.rows[0].push_back(report.has_pauses() ? std::to_string(report.pauses()) : std::string());
  files.push_back({kQueues, table.text()});
}

void add_trees(const v1::Report& report, std::vector<CsvFile>& files) {
  if (report.trees_size() == 0) return;
  Table table{{"seconds", "port", "bytes", "waits_for"}, {}};
  for (const v1::TreeSnapshot& tree : report.trees()) {
    for (const v1::TreePort& port : tree.ports()) {
      table.rows.push_back({fmt::format("{}", tree.seconds()), csv_cell(port.port()), std::to_string(port.bytes()),
                            port.has_next() ? csv_cell(tree.ports(port.next()).port()) : std::string()});
    }
  }
  files.push_back({kTrees, table.text()});
}

}  // namespace

std::vector<std::string_view> csv_file_names() {
  return {kClasses, kJobs, kGpcnet, kQueues, kControl, kFaults, kTrees};
}

std::vector<CsvFile> csv_files(const v1::Report& report) {
  std::vector<CsvFile> files;
  add_list(kClasses, report.classes(), files);
  add_list(kJobs, report.jobs(), files);
  add_list(kGpcnet, report.gpcnet().rows(), files);
  add_queues(report, files);
  if (report.has_control()) {
    Table table;
    table.add(report.control());
    files.push_back({kControl, table.text()});
  }
  add_list(kFaults, report.faults(), files);
  add_trees(report, files);
  return files;
}

}  // namespace fabrictwin::report
