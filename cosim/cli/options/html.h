// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The option --html of commands that have results.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::cli::options {

void add_html_option(CLI::App& command, std::string& file);
/// OK if no file was named or it can be written, also into `out`, the folder of --out, which is made before; to be
/// asked before there is something to write. InvalidArgument says why not.
absl::Status check_html(const std::string& file, const std::string& out = {});
/// Asks for what the page of a run shows and its report has only on demand (see Statistics), as far as the workload has
/// it and it costs little.
void observe_for_drawing(experiment::Experiment& experiment, const system::Plan& plan);
/// The report without what observe_for_drawing() asked for and the experiment itself did not, and without what was
/// watched for the page, so that reports are the same with a page and without.
v1::Report without_drawn_statistics(const experiment::Experiment& experiment, v1::Report report);
/// Writes a page, as made by dashboards::pages. OK, and nothing is written, if no file was named.
absl::Status write_html(const std::string& file, std::string_view page);

}  // namespace fabrictwin::cli::options
