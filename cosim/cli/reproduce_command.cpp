// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/reproduction.h"
#include "cosim/cli/run_choices.h"
#include "cosim/cli/run_to_end.h"

namespace fabrictwin {
namespace {

namespace fs = std::filesystem;

const char* const kFolder = "workloads/experiments/reproduce";
/// From the program to where its sources are, and from it to its share in an installation.
constexpr const char* kFromProgram[] = {"../../..", "../share/fabrictwin"};

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string folder;
  bool all = false;
  bool json = false;
  bool markdown = false;
  bool list = false;
};

std::vector<Reproduction> reproductions() {
  std::vector<Reproduction> all = tofu_reproductions();
  all.insert(all.begin(), exanest_reproduction());
  return all;
}

/// The machines that were asked for, or all.
absl::StatusOr<std::vector<Reproduction>> chosen(const std::vector<std::string>& names) {
  std::vector<Reproduction> all = reproductions();
  if (names.empty()) return all;
  std::vector<std::string_view> known;
  for (const Reproduction& machine : all) known.push_back(machine.name);
  std::vector<Reproduction> some;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Reproduction& machine) { return machine.name == name; });
    if (found == all.end()) {
      return absl::InvalidArgumentError(fmt::format("nothing is reproduced of \"{}\"{}; there are {}", name,
                                                    did_you_mean(name, known), comma_list(known)));
    }
    // A machine that is named twice runs once.
    const auto again = [&](const Reproduction& machine) { return machine.name == name; };
    if (std::none_of(some.begin(), some.end(), again)) some.push_back(*found);
  }
  return some;
}

/// Where the experiments are: as it is said, in the working directory, or beside the program.
absl::StatusOr<fs::path> experiments(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) {
    if (fs::is_directory(folder, error)) return fs::path(folder);
    return absl::NotFoundError(fmt::format("--experiments: there is no folder {}", folder));
  }
  if (fs::is_directory(kFolder, error)) return fs::path(kFolder);
  for (const char* from : kFromProgram) {
    const fs::path candidate = fs::path(executable()).parent_path() / from / kFolder;
    if (fs::is_directory(candidate, error)) return candidate.lexically_normal();
  }
  return absl::NotFoundError(
      fmt::format("there is no folder {} here or beside the program; name it with --experiments DIR", kFolder));
}

/// One run, read in all its figures.
absl::Status reproduce(const ReproductionRun& run, const fs::path& folder, Predictions& predictions,
                       std::vector<ReproducedFigure>& figures) {
  Overrides overrides;
  overrides.sets = run.sets;
  const absl::StatusOr<Experiment> experiment = load_experiment((folder / run.file).string(), overrides);
  if (!experiment.ok()) return experiment.status();
  RunToEndOptions options;
  options.quiet = true;
  const absl::StatusOr<v1::Report> report = run_to_end(*experiment, all_parts(), options);
  if (!report.ok()) return report.status();
  for (const PublishedFigure& figure : run.figures) {
    const double predicted = figure.predicted(*report, predictions);
    predictions[figure.id] = predicted;
    if (!figure.shown) continue;
    ReproducedFigure& result = figures.emplace_back();
    result.id = figure.id;
    result.what = figure.what;
    result.unit = figure.unit;
    result.paper = figure.equation ? figure.equation(predictions) : figure.paper;
    result.predicted = predicted;
    result.calibrated = figure.calibrated;
  }
  return absl::OkStatus();
}

/// The command that does what a run does.
std::string command_of(const ReproductionRun& run, const fs::path& folder) {
  std::string command = fmt::format("fabrictwin run {}", (folder / run.file).string());
  for (const std::string& set : run.sets) command += fmt::format(" --set '{}'", set);
  return command;
}

std::string commands_text(const std::vector<Reproduction>& machines, const fs::path& folder, bool all) {
  std::string text;
  for (const Reproduction& machine : machines) {
    text += fmt::format("# {}: {}\n", machine.name, machine.about);
    for (const ReproductionRun& run : machine.runs) {
      if (run.slow && !all) continue;
      for (const PublishedFigure& figure : run.figures)
        if (figure.shown) text += fmt::format("# {}: {}\n", figure.id, figure.what);
      text += command_of(run, folder) + "\n";
    }
  }
  return text;
}

ExitCode execute(const ReproduceArguments& arguments) {
  const absl::StatusOr<std::vector<Reproduction>> machines = chosen(arguments.names);
  if (!machines.ok()) return fail(ExitCode::kUsage, message_of(machines.status()));
  const absl::StatusOr<fs::path> folder = experiments(arguments.folder);
  if (!folder.ok()) return fail(ExitCode::kUsage, message_of(folder.status()));
  std::vector<ReproducedFigure> figures;
  std::vector<MissingFigure> missing;
  std::string output;
  if (arguments.list) {
    output = commands_text(*machines, *folder, arguments.all);
  } else {
    Predictions predictions;
    size_t left_out = 0;
    for (const Reproduction& machine : *machines) {
      missing.insert(missing.end(), machine.missing.begin(), machine.missing.end());
      for (const ReproductionRun& run : machine.runs) {
        if (run.slow && !arguments.all) {
          left_out += run.figures.size();
          continue;
        }
        spdlog::info("{}: {}", machine.name, run.figures.front().what);
        if (absl::Status status = reproduce(run, *folder, predictions, figures); !status.ok())
          return fail(exit_code_of_input(status), message_of(status));
      }
    }
    if (left_out > 0) spdlog::info("{} figures whose runs take minutes are left out; --all has them", left_out);
    output = arguments.json       ? reproduction_json(figures)
             : arguments.markdown ? reproduction_markdown(figures, missing)
                                  : reproduction_text(figures, missing);
  }
  const absl::Status printed = print_data(output);
  return printed.ok() ? ExitCode::kOk : fail(ExitCode::kRunFailed, message_of(printed));
}

}  // namespace

void add_reproduce_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Run published experiments and print paper, prediction and error of each figure");
  auto arguments = std::make_shared<ReproduceArguments>();
  command->add_option("MACHINE", arguments->names, "exanest, tofu, tofu2 or tofud (default: all)");
  command->add_flag("--all", arguments->all, "Also figures whose runs take minutes each");
  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON array");
  CLI::Option* markdown =
      command->add_flag("--markdown", arguments->markdown, "Print a table for documents")->excludes(json);
  command->add_flag("--list", arguments->list, "Only print the commands that run each experiment by itself")
      ->excludes(json, markdown);
  command
      ->add_option("--experiments", arguments->folder,
                   "Folder of the experiments (default: workloads/experiments/reproduce here or beside the program)")
      ->type_name("DIR");
  command->callback([arguments, &exit_code] { exit_code = execute(*arguments); });
}

}  // namespace fabrictwin
