// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/trace_commands.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "workloads/trace/import.h"
#include "workloads/trace/tools/stats.h"

namespace fabrictwin::cli {
namespace {

struct TraceArguments {
  std::string from = "ti";
  std::string source;
  std::string out;
  std::string file;
  bool json = false;
};

std::string stats_text(const v1::TraceStats& stats) {
  std::string text;
  text += fmt::format("application     {}\n", stats.application());
  text += fmt::format("source          {}\n", stats.source());
  text += fmt::format("ranks           {}\n", stats.ranks());
  text += fmt::format("events          {}\n", stats.events());
  text += fmt::format("file            {} bytes\n", stats.file_bytes());
  text += fmt::format("point-to-point  {} messages, {} bytes, {} pairs\n", stats.point_to_point().messages(),
                      stats.point_to_point().bytes(), stats.point_to_point().directed_pairs());
  text += fmt::format("compute         {:.6g} s in all, {:.6g} to {:.6g} s a rank\n", stats.compute().seconds(),
                      stats.compute().min_rank_seconds(), stats.compute().max_rank_seconds());
  report::TextTable actions({"action", "events"});
  for (const v1::ActionTotal& action : stats.actions())
    actions.add({action.action(), fmt::format("{}", action.count())});
  if (!actions.empty()) text += "\nactions\n" + actions.text();
  if (stats.collectives_size() == 0) return text;
  text += "\ncollectives\n";
  report::TextTable collectives({"collective", "bytes", "calls"});
  for (const v1::CollectiveTotal& total : stats.collectives()) {
    collectives.add({total.action(), fmt::format("{}", total.bytes()), fmt::format("{}", total.calls())});
  }
  return text + collectives.text();
}

absl::Status print_stats(const TraceArguments& arguments) {
  const absl::StatusOr<v1::TraceStats> stats = trace::tools::trace_stats(arguments.file);
  if (!stats.ok()) return stats.status();
  return support::print_data(arguments.json ? report::message_json(*stats) + "\n" : stats_text(*stats));
}

}  // namespace

support::ExitCode finish_trace_command(const absl::Status& status) {
  if (!status.ok()) support::print_error(message_of(status));
  return support::exit_code_of_input(status);
}

void add_trace_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("trace", "Import, generate, examine and change traces of MPI runs");
  command->require_subcommand(1);
  auto arguments = std::make_shared<TraceArguments>();

  CLI::App* importer = command->add_subcommand("import", "Convert a recorded run into a trace file");
  importer
      ->add_option("--from", arguments->from,
                   "Format: ti, a time-independent trace of SimGrid; goal, a schedule of LogGOPSim; otf2, an archive "
                   "of Score-P or EZTrace; "
                   "dumpi, text of dumpi2ascii")
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember(trace::import_formats()));
  importer
      ->add_option("SOURCE", arguments->source, "Folder of the trace, or its file (ti: the index; otf2: the anchor)")
      ->required();
  importer->add_option("--out", arguments->out, "The .fttrace file to write")
      ->type_name("FILE")
      ->required()
      ->check(options::not_empty(options::kFileWanted));
  importer->callback([arguments, &exit_code] {
    exit_code = finish_trace_command(trace::import_trace(arguments->from, arguments->source, arguments->out));
  });

  CLI::App* stats = command->add_subcommand("stats", "Print what a trace file holds");
  stats->add_option("FILE", arguments->file, "Trace file")->required();
  stats->add_flag("--json", arguments->json, "Print one JSON object");
  stats->callback([arguments, &exit_code] { exit_code = finish_trace_command(print_stats(*arguments)); });
  add_trace_assemble_command(*command, exit_code);
  add_trace_generate_command(*command, exit_code);
  add_trace_tool_commands(*command, exit_code);
}

}  // namespace fabrictwin::cli
