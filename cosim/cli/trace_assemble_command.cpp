// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/trace_commands.h"
#include "workloads/recorder/trace_assembly.h"

namespace fabrictwin::cli {
namespace {

// Thousands of ranks may give the same warning.
constexpr size_t kMaxWarnings = 20;

struct AssembleArguments {
  std::string folder;
  std::string out;
};

absl::Status assemble(const AssembleArguments& arguments) {
  const absl::StatusOr<recorder::TraceAssembly> assembly = recorder::assemble_trace(arguments.folder, arguments.out);
  if (!assembly.ok()) return assembly.status();
  const std::vector<std::string>& warnings = assembly->warnings;
  for (size_t i = 0; i < warnings.size() && i < kMaxWarnings; ++i) spdlog::warn("{}: {}", arguments.out, warnings[i]);
  if (warnings.size() > kMaxWarnings) {
    spdlog::warn("{}: {} more warnings of this kind", arguments.out, warnings.size() - kMaxWarnings);
  }
  return support::print_data(
      fmt::format("{}: {} ranks, {} events\n", arguments.out, assembly->ranks, assembly->events));
}

}  // namespace

void add_trace_assemble_command(CLI::App& trace, support::ExitCode& exit_code) {
  auto arguments = std::make_shared<AssembleArguments>();
  CLI::App* command =
      trace.add_subcommand("assemble", "Put the parts of a recorded run together, even of one that was aborted");
  command->add_option("DIR", arguments->folder, "Folder of the parts (TRACE.parts)")->required();
  command->add_option("--out", arguments->out, "The .fttrace file to write")
      ->type_name("FILE")
      ->required()
      ->check(options::not_empty(options::kFileWanted));
  command->callback([arguments, &exit_code] { exit_code = finish_trace_command(assemble(*arguments)); });
}

}  // namespace fabrictwin::cli
