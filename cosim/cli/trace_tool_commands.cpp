// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cosim/base/text.h"
#include "cosim/cli/console.h"
#include "cosim/cli/trace_commands.h"
#include "workloads/trace/file_trace.h"
#include "workloads/trace/trace_compare.h"
#include "workloads/trace/trace_match_check.h"

namespace fabrictwin {
namespace {

struct ToolArguments {
  std::string file;
  std::string other;
  std::string out;
  bool synchronous = false;
};

ExitCode compare(const ToolArguments& arguments) {
  const auto one = FileTrace::open(arguments.file);
  if (!one.ok()) return finish_trace_command(one.status());
  const auto other = FileTrace::open(arguments.other);
  if (!other.ok()) return finish_trace_command(other.status());
  const absl::StatusOr<TraceDifference> difference = compare_traces(**one, **other);
  if (!difference.ok()) return finish_trace_command(difference.status());
  std::string text;
  text += fmt::format("ranks            {}, {} equal, {} equal but for sizes\n", difference->ranks,
                      difference->equal_ranks, difference->same_shape_ranks - difference->equal_ranks);
  text += fmt::format("events           {} and {}, {} differ (computations not counted)\n", difference->events,
                      difference->other_events, difference->differing_events);
  text += fmt::format("bytes in messages  {} and {}\n", difference->sent_bytes, difference->other_sent_bytes);
  for (const std::string& place : difference->places) text += place + "\n";
  const absl::Status printed = print_data(text);
  if (!printed.ok()) return finish_trace_command(printed);
  return difference->equal() ? ExitCode::kOk : ExitCode::kRegression;
}

// What is wrong goes to standard error: the input is to blame.
absl::Status check(const ToolArguments& arguments) {
  const auto trace = FileTrace::open(arguments.file);
  if (!trace.ok()) return trace.status();
  const absl::StatusOr<MatchReport> report = check_matching(**trace, {.synchronous = arguments.synchronous});
  if (!report.ok()) return report.status();
  if (report->ok()) {
    return print_data(fmt::format("{}: ok: {} ranks, {} events, {} messages, {} collectives\n", arguments.file,
                                  (*trace)->ranks(), report->events, report->messages, report->collectives));
  }
  std::string text;
  for (const TraceFault& fault : report->faults) text += fmt::format("{}: error: {}\n", arguments.file, fault.text);
  text += fmt::format("{}: {} faults in all", arguments.file, report->fault_count);
  return absl::InvalidArgumentError(text);
}

}  // namespace

void add_trace_tool_commands(CLI::App& trace, ExitCode& exit_code) {
  auto arguments = std::make_shared<ToolArguments>();
  CLI::App* command = trace.add_subcommand("compare", "Compare what two traces communicate, event by event");
  command->add_option("FILE", arguments->file, "Trace file")->required();
  command->add_option("OTHER", arguments->other, "Trace file")->required();
  command->callback([arguments, &exit_code] { exit_code = compare(*arguments); });

  CLI::App* checker = trace.add_subcommand("check", "Find messages and collectives that do not fit, and deadlocks");
  checker->add_option("FILE", arguments->file, "Trace file")->required();
  checker->add_flag("--synchronous", arguments->synchronous,
                    "Sends wait for their receive and collectives for all ranks, as without any buffers");
  checker->callback([arguments, &exit_code] { exit_code = finish_trace_command(check(*arguments)); });
}

}  // namespace fabrictwin
