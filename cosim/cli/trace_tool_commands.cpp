// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/trace_commands.h"
#include "workloads/mpi/expanded_trace.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/file_trace.h"
#include "workloads/trace/goal/export.h"
#include "workloads/trace/import.h"
#include "workloads/trace/ti/export.h"
#include "workloads/trace/tools/compare.h"
#include "workloads/trace/tools/copy.h"
#include "workloads/trace/tools/cut.h"
#include "workloads/trace/tools/merge.h"
#include "workloads/trace/tools/scale.h"

namespace fabrictwin::cli {
namespace {

using SourceOr = absl::StatusOr<std::shared_ptr<const trace::format::Source>>;

struct ToolArguments {
  std::string file;
  std::vector<std::string> files;
  std::string other;
  std::string out;
  std::string to;
  std::string from;
  bool synchronous = false;
  bool messages = false;
  std::string ranks;
  std::string collectives;
  trace::tools::ScaleOptions scale;
};

// Writes `source` to `out` and prints a summary.
absl::Status write_trace(const SourceOr& source, const std::string& out) {
  if (!source.ok()) return source.status();
  const absl::StatusOr<uint64_t> events = trace::tools::copy_trace(**source, out);
  if (!events.ok()) return events.status();
  return support::print_data(fmt::format("{}: {} ranks, {} events\n", out, (*source)->ranks(), *events));
}

support::ExitCode compare(const ToolArguments& arguments) {
  const SourceOr one = trace::format::FileTrace::open(arguments.file);
  if (!one.ok()) return finish_trace_command(one.status());
  const SourceOr other = trace::format::FileTrace::open(arguments.other);
  if (!other.ok()) return finish_trace_command(other.status());
  const absl::StatusOr<trace::tools::TraceDifference> difference = trace::tools::compare_traces(**one, **other);
  if (!difference.ok()) return finish_trace_command(difference.status());
  std::string text;
  text += fmt::format("ranks              {}, {} equal, {} equal but for sizes\n", difference->ranks,
                      difference->equal_ranks, difference->same_shape_ranks - difference->equal_ranks);
  text += fmt::format("events             {} and {}, {} differ (computations not counted)\n", difference->events,
                      difference->other_events, difference->differing_events);
  text += fmt::format("bytes in messages  {} and {}\n", difference->sent_bytes, difference->other_sent_bytes);
  for (const std::string& first : difference->first_differences) text += first + "\n";
  const absl::Status printed = support::print_data(text);
  if (!printed.ok()) return finish_trace_command(printed);
  return difference->equal() ? support::ExitCode::kOk : support::ExitCode::kRegression;
}

// Mistakes go to standard error, because the input is to blame.
absl::Status check(const ToolArguments& arguments) {
  const SourceOr trace = trace::format::FileTrace::open(arguments.file);
  if (!trace.ok()) return trace.status();
  const absl::StatusOr<trace::check::MatchReport> report =
      trace::check::check_matching(**trace, {.synchronous = arguments.synchronous});
  if (!report.ok()) return report.status();
  if (report->ok()) {
    return support::print_data(fmt::format("{}: ok: {} ranks, {} events, {} messages, {} collectives\n", arguments.file,
                                           (*trace)->ranks(), report->events, report->messages, report->collectives));
  }
  std::string text;
  for (const trace::check::TraceFault& fault : report->faults)
    text += fmt::format("{}: error: {}\n", arguments.file, fault.text);
  text += fmt::format("{}: {} faults in all", arguments.file, report->fault_count);
  return absl::InvalidArgumentError(text);
}

absl::Status export_to(const ToolArguments& arguments) {
  const SourceOr trace = trace::format::FileTrace::open(arguments.file);
  if (!trace.ok()) return trace.status();
  if (arguments.to == "goal") return trace::goal::export_goal(*mpi::expand_collectives(*trace), arguments.out);
  return trace::ti::export_ti(arguments.messages ? *mpi::expand_collectives(*trace) : **trace, arguments.out);
}

absl::Status bad_option(std::string_view option, std::string_view text, std::string_view form) {
  return absl::InvalidArgumentError(fmt::format("{}: '{}' is not {}", option, text, form));
}

// Reads a list of ranks such as "0-7,9".
absl::Status read_ranks(const std::string& text, std::vector<uint32_t>& ranks) {
  for (const std::string_view part : split(text, ",")) {
    const size_t dash = std::min(part.find('-'), part.size());
    uint32_t first = 0;
    uint32_t last = 0;
    const bool sound = parse_number(part.substr(0, dash), first) &&
                       parse_number(dash < part.size() ? part.substr(dash + 1) : part, last);
    if (!sound || last < first || last >= trace::format::kMaxRanks)
      return bad_option("--ranks", part, "a rank or a range as in 0-7");
    for (uint32_t rank = first; rank <= last; ++rank) ranks.push_back(rank);
  }
  return absl::OkStatus();
}

// Reads a range such as "10:20"; either end may be left out.
absl::Status read_collectives(const std::string& text, trace::tools::CutOptions& options) {
  const size_t colon = text.find(':');
  const std::string_view all = text;
  const bool sound = colon != std::string::npos &&
                     (colon == 0 || parse_number(all.substr(0, colon), options.first_collective)) &&
                     (colon + 1 == all.size() || parse_number(all.substr(colon + 1), options.end_collective));
  return sound ? absl::OkStatus() : bad_option("--collectives", text, "FROM:TO as in 10:20");
}

SourceOr cut(const ToolArguments& arguments) {
  trace::tools::CutOptions options;
  if (!arguments.ranks.empty()) {
    if (absl::Status status = read_ranks(arguments.ranks, options.ranks); !status.ok()) return status;
  }
  if (!arguments.collectives.empty()) {
    if (absl::Status status = read_collectives(arguments.collectives, options); !status.ok()) return status;
  }
  SourceOr trace = trace::format::FileTrace::open(arguments.file);
  return trace.ok() ? trace::tools::cut_trace(*std::move(trace), options) : trace;
}

SourceOr scale(const ToolArguments& arguments) {
  SourceOr trace = trace::format::FileTrace::open(arguments.file);
  return trace.ok() ? trace::tools::scale_trace(*std::move(trace), arguments.scale) : trace;
}

SourceOr merge(const ToolArguments& arguments) {
  std::vector<std::shared_ptr<const trace::format::Source>> sources;
  for (const std::string& file : arguments.files) {
    SourceOr trace = trace::format::FileTrace::open(file);
    if (!trace.ok()) return trace;
    sources.push_back(*std::move(trace));
  }
  return trace::tools::merge_traces(std::move(sources));
}

absl::Status convert(const ToolArguments& arguments) {
  const std::string from = arguments.from.empty() ? trace::format_of_trace(arguments.file) : arguments.from;
  if (from == "fttrace") return write_trace(trace::format::FileTrace::open(arguments.file), arguments.out);
  return trace::import_trace(from, arguments.file, arguments.out);
}

CLI::App* add_tool(CLI::App& trace, const char* name, const char* description,
                   const std::shared_ptr<ToolArguments>& arguments) {
  CLI::App* tool = trace.add_subcommand(name, description);
  tool->add_option("FILE", arguments->file, "Trace file")->required();
  return tool;
}

void add_out(CLI::App* tool, const std::shared_ptr<ToolArguments>& arguments) {
  tool->add_option("--out", arguments->out, "The .fttrace file to write")
      ->type_name("FILE")
      ->required()
      ->check(options::not_empty(options::kFileWanted));
}

constexpr char kFactor[] = "give a factor, as in 0.5";

void add_changing_commands(CLI::App& trace, const std::shared_ptr<ToolArguments>& arguments,
                           support::ExitCode& exit_code) {
  CLI::App* cutter = add_tool(trace, "cut", "Keep a part of a trace", arguments);
  cutter->add_option("--ranks", arguments->ranks, "Ranks to keep, as in 0-7,9; they are numbered anew from 0")
      ->type_name("RANKS")
      ->check(options::not_empty("name ranks, as in 0-7,9"));
  cutter
      ->add_option("--collectives", arguments->collectives,
                   "Keep what is between two collectives, counted from 0: from FROM, included, to TO, not included")
      ->type_name("FROM:TO")
      ->check(options::not_empty("name collectives, as in 10:20"));
  add_out(cutter, arguments);
  cutter->callback(
      [arguments, &exit_code] { exit_code = finish_trace_command(write_trace(cut(*arguments), arguments->out)); });

  CLI::App* scaler = add_tool(trace, "scale", "Make computations or messages longer or shorter", arguments);
  scaler->add_option("--compute", arguments->scale.compute, "Factor on the time of computations")
      ->type_name("FACTOR")
      ->check(options::not_empty(kFactor));
  scaler->add_option("--sizes", arguments->scale.sizes, "Factor on the sizes of messages and collectives")
      ->type_name("FACTOR")
      ->check(options::not_empty(kFactor));
  add_out(scaler, arguments);
  scaler->callback(
      [arguments, &exit_code] { exit_code = finish_trace_command(write_trace(scale(*arguments), arguments->out)); });

  CLI::App* merger = trace.add_subcommand("merge", "Put traces side by side, as jobs that run at the same time");
  merger->add_option("FILE", arguments->files, "Trace files; the ranks of each follow those of the one before")
      ->required();
  add_out(merger, arguments);
  merger->callback(
      [arguments, &exit_code] { exit_code = finish_trace_command(write_trace(merge(*arguments), arguments->out)); });

  CLI::App* converter = trace.add_subcommand("convert", "Convert any known format into a trace file");
  converter->add_option("SOURCE", arguments->file, "Trace file, folder or schedule")->required();
  std::vector<std::string> formats = trace::import_formats();
  formats.insert(formats.begin(), "fttrace");
  converter->add_option("--from", arguments->from, "Its format; default: what it looks like")
      ->type_name("FORMAT")
      ->check(CLI::IsMember(formats));
  add_out(converter, arguments);
  converter->callback([arguments, &exit_code] { exit_code = finish_trace_command(convert(*arguments)); });
}

}  // namespace

void add_trace_tool_commands(CLI::App& trace, support::ExitCode& exit_code) {
  auto arguments = std::make_shared<ToolArguments>();

  CLI::App* exporter = add_tool(trace, "export", "Write a trace for another simulator", arguments);
  exporter
      ->add_option("--to", arguments->to,
                   "Format: ti, a time-independent trace for SimGrid; goal, a schedule for LogGOPSim")
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember({"ti", "goal"}));
  exporter->add_flag("--messages", arguments->messages,
                     "Write collectives and communicators as the messages of all ranks that a replay makes of them, "
                     "as goal always does");
  exporter->add_option("--out", arguments->out, "Folder to make")
      ->type_name("DIR")
      ->required()
      ->check(options::not_empty(options::kFolderWanted));
  exporter->callback([arguments, &exit_code] { exit_code = finish_trace_command(export_to(*arguments)); });

  CLI::App* checker =
      add_tool(trace, "check", "Find messages and collectives that do not fit, and deadlocks", arguments);
  checker->add_flag("--synchronous", arguments->synchronous,
                    "Sends wait for their receive and collectives for all ranks, as without any buffers");
  checker->callback([arguments, &exit_code] { exit_code = finish_trace_command(check(*arguments)); });

  CLI::App* comparer = add_tool(trace, "compare", "Compare what two traces communicate, event by event", arguments);
  comparer->add_option("OTHER", arguments->other, "Trace file")->required();
  comparer->callback([arguments, &exit_code] { exit_code = compare(*arguments); });

  add_changing_commands(trace, arguments, exit_code);
}

}  // namespace fabrictwin::cli
