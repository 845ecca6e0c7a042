// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// A file of CSV.
struct CsvFile {
  std::string_view name;
  std::string text;
};

/// The names of all files that csv_files() may make.
std::vector<std::string_view> csv_file_names();

/// What a report tells of traffic classes, jobs, GPCNeT, queues and pauses, control packets, faults and trees of
/// congestion: a file for each that it has, with a line for each class, job, test, ... Columns are the fields of the
/// report that are one value, and the values of its distributions of latencies (latency_p99_seconds,
/// latency_cycles_p99); units are those of the report. What the report does not have is empty.
std::vector<CsvFile> csv_files(const v1::Report& report);

}  // namespace fabrictwin::report
