// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "cosim/base/percentile.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/html.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/cli/support/run_to_end.h"
#include "cosim/study/baseline.h"
#include "cosim/study/reproduction/reproduction.h"
#include "dashboards/pages/result_page.h"

namespace fabrictwin::cli {
namespace {

namespace fs = std::filesystem;

const char* const kFolder = "workloads/experiments/reproduce";
/// Paths from the program to its sources, and to its share folder in an installation.
constexpr const char* kFromProgram[] = {"../../..", "../share/fabrictwin"};

struct ReproduceArguments {
  std::vector<std::string> names;
  std::string folder;
  std::string html;
  options::RecordArguments record;
  options::MetricsArguments metrics;
  bool all = false;
  bool json = false;
  bool markdown = false;
  bool list = false;
  bool quiet = false;
};

std::vector<study::reproduction::Reproduction> reproductions() {
  std::vector<study::reproduction::Reproduction> all = study::reproduction::tofu_reproductions();
  all.insert(all.begin(), study::reproduction::exanest_reproduction());
  all.push_back(study::reproduction::allreduce_reproduction());
  all.push_back(study::reproduction::congestion_reproduction());
  all.push_back(study::reproduction::nanet_reproduction());
  return all;
}

/// The machines that were asked for, or all.
absl::StatusOr<std::vector<study::reproduction::Reproduction>> chosen(const std::vector<std::string>& names) {
  std::vector<study::reproduction::Reproduction> all = reproductions();
  if (names.empty()) return all;
  std::vector<std::string_view> known;
  for (const study::reproduction::Reproduction& machine : all) known.push_back(machine.name);
  std::vector<study::reproduction::Reproduction> some;
  for (const std::string& name : names) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const study::reproduction::Reproduction& machine) { return machine.name == name; });
    if (found == all.end()) {
      return absl::InvalidArgumentError(fmt::format("nothing is reproduced of \"{}\"{}; there are {}", name,
                                                    did_you_mean(name, known), comma_list(known)));
    }
    // A machine that is named twice runs once.
    const auto again = [&](const study::reproduction::Reproduction& machine) { return machine.name == name; };
    if (std::none_of(some.begin(), some.end(), again)) some.push_back(*found);
  }
  return some;
}

/// The folder of the experiments: as given, in the working directory, or beside the program.
absl::StatusOr<fs::path> experiments(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) {
    if (fs::is_directory(folder, error)) return fs::path(folder);
    return absl::NotFoundError(fmt::format("--experiments: there is no folder {}", folder));
  }
  if (fs::is_directory(kFolder, error)) return fs::path(kFolder);
  for (const char* from : kFromProgram) {
    const fs::path candidate = fs::path(support::executable()).parent_path() / from / kFolder;
    if (fs::is_directory(candidate, error)) return candidate.lexically_normal();
  }
  return absl::NotFoundError(
      fmt::format("there is no folder {} here or beside the program; name it with --experiments DIR", kFolder));
}

/// What has been reproduced so far.
struct Reproduced {
  std::vector<study::reproduction::ReproducedFigure> figures;
  v1::Provenance provenance = support::make_provenance();
};

/// Adds the figures of a run to the others. There is a report for each seed.
void add_figures(const study::reproduction::Run& run, std::span<const v1::Report> reports,
                 study::reproduction::Predictions& predictions,
                 std::vector<study::reproduction::ReproducedFigure>& figures) {
  for (const study::reproduction::PublishedFigure& figure : run.figures) {
    std::vector<double> values;
    for (const v1::Report& report : reports) values.push_back(figure.predicted(report, predictions));
    std::sort(values.begin(), values.end());
    const double predicted = percentile(values, 0.5);
    predictions[figure.id] = predicted;
    if (!figure.shown) continue;
    study::reproduction::ReproducedFigure& result = figures.emplace_back();
    result.id = figure.id;
    result.what = figure.what;
    result.unit = figure.unit;
    result.paper = figure.equation ? figure.equation(predictions) : figure.paper;
    result.predicted = predicted;
    result.calibrated = figure.calibrated;
  }
}

/// The seeds that a run is done with; none: that of its experiment.
std::vector<std::optional<uint64_t>> seeds_of(const study::reproduction::Run& run) {
  if (run.seeds.empty()) return {std::nullopt};
  return {run.seeds.begin(), run.seeds.end()};
}

/// Does one run with one seed.
absl::StatusOr<v1::Report> run_once(const study::reproduction::Run& run, std::optional<uint64_t> seed,
                                    const fs::path& folder, run::metrics::StudyMetrics* seen,
                                    v1::Provenance& provenance) {
  experiment::Overrides overrides;
  overrides.sets = run.sets;
  overrides.seed = seed;
  const absl::StatusOr<experiment::Experiment> experiment = support::load({(folder / run.file).string(), overrides});
  if (!experiment.ok()) return experiment.status();
  std::string name = run.file;
  for (const std::string& set : run.sets) name += " --set " + shell_word(set);
  if (seed.has_value()) name += fmt::format(" --seed {}", *seed);
  support::add_experiment(name, *experiment, provenance);
  study::RunToEndOptions options;
  options.quiet = true;
  const auto run_alone = [&](const experiment::Experiment& of) {
    return support::run_to_end(of, support::all_parts(), options, nullptr, seen);
  };
  const absl::StatusOr<std::vector<v1::Report>> baselines = study::run_baselines(*experiment, run_alone);
  if (!baselines.ok()) return baselines.status();
  absl::StatusOr<v1::Report> report =
      support::counted_run_to_end(*experiment, support::all_parts(), options, nullptr, seen);
  if (report.ok()) study::add_baselines(*experiment, *baselines, *report);
  return report;
}

/// Does one run, with each of its seeds, and reads all its figures.
absl::Status reproduce(const study::reproduction::Run& run, const fs::path& folder,
                       study::reproduction::Predictions& predictions, run::metrics::StudyMetrics* seen,
                       Reproduced& reproduced) {
  std::vector<study::reproduction::ReproducedFigure>& figures = reproduced.figures;
  if (run.measure) {
    // Runs have a handler of their own.
    const support::Interrupt interrupt;
    absl::StatusOr<study::reproduction::Predictions> measured = run.measure(interrupt.token());
    if (!measured.ok()) return measured.status();
    predictions.merge(*measured);
    add_figures(run, std::vector<v1::Report>(1), predictions, figures);
    return absl::OkStatus();
  }
  std::vector<v1::Report> reports;
  for (const std::optional<uint64_t> seed : seeds_of(run)) {
    absl::StatusOr<v1::Report> report = run_once(run, seed, folder, seen, reproduced.provenance);
    if (!report.ok()) return report.status();
    reports.push_back(*std::move(report));
  }
  add_figures(run, reports, predictions, figures);
  return absl::OkStatus();
}

/// The line with the command that repeats a run.
std::string command_of(const study::reproduction::Run& run, std::optional<uint64_t> seed, const fs::path& folder) {
  std::string command = fmt::format("fabrictwin run {}", (folder / run.file).string());
  for (const std::string& set : run.sets) command += fmt::format(" --set '{}'", set);
  if (seed.has_value()) command += fmt::format(" --seed {}", *seed);
  return command + "\n";
}

std::string commands_text(const std::vector<study::reproduction::Reproduction>& machines, const fs::path& folder,
                          bool all) {
  std::string text;
  for (const study::reproduction::Reproduction& machine : machines) {
    text += fmt::format("# {}: {}\n", machine.name, machine.about);
    for (const study::reproduction::Run& run : machine.runs) {
      if (run.slow && !all) continue;
      for (const study::reproduction::PublishedFigure& figure : run.figures)
        if (figure.shown) text += fmt::format("# {}: {}\n", figure.id, figure.what);
      if (run.measure) {
        text += "# fabrictwin reproduce " + machine.name + "\n";
        continue;
      }
      for (const std::optional<uint64_t> seed : seeds_of(run)) text += command_of(run, seed, folder);
    }
  }
  return text;
}

absl::Status write_page(const std::string& file, const Reproduced& made, bool interrupted, const std::string& text) {
  if (file.empty()) return absl::OkStatus();
  dashboards::html::Table table{"Figures", {"figure", "what", "unit", "published", "predicted", "error [%]"}, {}};
  for (const study::reproduction::ReproducedFigure& figure : made.figures) {
    const double error = figure.paper == 0 ? 0 : (figure.predicted / figure.paper - 1) * 100;
    table.rows.push_back({figure.id, figure.what, figure.unit, fmt::format("{:.5g}", figure.paper),
                          fmt::format("{:.5g}", figure.predicted), fmt::format("{:+.1f}", error)});
  }
  return options::write_html(
      file, dashboards::pages::result_page({.title = "Published figures and predictions",
                                            .alert = interrupted ? "Interrupted; the result is partial." : "",
                                            .provenance = made.provenance,
                                            .tables = {table},
                                            .text = text}));
}

/// How many runs are done: without those that are left out.
size_t runs_of(const std::vector<study::reproduction::Reproduction>& machines, bool all) {
  size_t runs = 0;
  for (const study::reproduction::Reproduction& machine : machines) {
    for (const study::reproduction::Run& run : machine.runs) runs += all || !run.slow ? seeds_of(run).size() : 0;
  }
  return runs;
}

/// Does the runs of all machines, slow ones only if `all`.
absl::Status reproduce_all(const std::vector<study::reproduction::Reproduction>& machines, const fs::path& folder,
                           bool all, run::metrics::StudyMetrics* seen, Reproduced& reproduced) {
  study::reproduction::Predictions predictions;
  size_t left_out = 0;
  for (const study::reproduction::Reproduction& machine : machines) {
    for (const study::reproduction::Run& run : machine.runs) {
      if (run.slow && !all) {
        left_out += run.figures.size();
        continue;
      }
      spdlog::info("{}: {}", machine.name, run.figures.front().what);
      if (absl::Status status = reproduce(run, folder, predictions, seen, reproduced); !status.ok()) return status;
    }
  }
  if (left_out > 0) spdlog::info("{} figures whose runs take minutes are left out; --all has them", left_out);
  return absl::OkStatus();
}

/// Prints and writes the figures that were reproduced of `machines`.
support::ExitCode tell(const ReproduceArguments& arguments,
                       const std::vector<study::reproduction::Reproduction>& machines, const Reproduced& made,
                       bool interrupted) {
  std::vector<study::reproduction::MissingFigure> missing;
  for (const study::reproduction::Reproduction& machine : machines)
    missing.insert(missing.end(), machine.missing.begin(), machine.missing.end());
  std::string json = support::with_provenance(study::reproduction::to_json(made.figures), made.provenance);
  if (interrupted) json = support::as_partial(json, "interrupted");
  const std::string text = study::reproduction::to_text(made.figures, missing);
  const absl::Status shown = write_page(arguments.html, made, interrupted, text);
  if (!shown.ok()) return fail(support::ExitCode::kRunFailed, message_of(shown));
  if (interrupted && arguments.record.record) spdlog::warn("the result is partial, and is not recorded");
  if (absl::Status status = interrupted ? absl::OkStatus() : options::record(arguments.record, json); !status.ok())
    return fail(support::ExitCode::kRunFailed, message_of(status));
  const absl::Status printed =
      support::print_data(arguments.json       ? json
                          : arguments.markdown ? study::reproduction::to_markdown(made.figures, missing)
                                               : text);
  if (!printed.ok()) return fail(support::ExitCode::kRunFailed, message_of(printed));
  return interrupted ? fail(support::ExitCode::kInterrupted, "interrupted; figures that were not reached are missing")
                     : support::ExitCode::kOk;
}

/// Does the runs and tells of them.
support::ExitCode reproduce_machines(const ReproduceArguments& arguments,
                                     const std::vector<study::reproduction::Reproduction>& machines,
                                     const fs::path& folder) {
  absl::StatusOr<options::ServedStudy> metrics = options::ServedStudy::create(arguments.metrics, "reproduce");
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  metrics->expect(runs_of(machines, arguments.all));
  Reproduced made;
  // What is compared with other results: figures of the same machines.
  for (const study::reproduction::Reproduction& machine : machines)
    *made.provenance.mutable_experiment() += "# " + machine.name + "\n";
  if (arguments.all) *made.provenance.mutable_experiment() += "# --all\n";
  const absl::Status reproduced = reproduce_all(machines, folder, arguments.all, metrics->study(), made);
  const bool interrupted = absl::IsCancelled(reproduced);
  const bool some = reproduced.ok() || (interrupted && !made.figures.empty());
  const support::ExitCode code = some ? tell(arguments, machines, made, interrupted)
                                      : fail(support::exit_code_of_input(reproduced), message_of(reproduced));
  metrics->end(code, reproduced.ok(), interrupted);
  return code;
}

/// InvalidArgument for an output that cannot be written, or that would replace what the runs read.
absl::Status check_outputs(const ReproduceArguments& arguments,
                           const std::vector<study::reproduction::Reproduction>& machines, const fs::path& folder) {
  if (absl::Status status = options::check_html(arguments.html); !status.ok()) return status;
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  if (arguments.html.empty() && !arguments.record.record) return absl::OkStatus();
  std::vector<support::NamedFile> read;
  for (const study::reproduction::Reproduction& machine : machines) {
    for (const study::reproduction::Run& run : machine.runs) {
      if (run.measure || (run.slow && !arguments.all)) continue;
      experiment::Overrides overrides;
      overrides.sets = run.sets;
      const std::string file = (folder / run.file).string();
      read.push_back({"an experiment", file});
      // Mistakes of an experiment are told when it is run.
      const absl::StatusOr<experiment::Experiment> experiment = support::load({file, overrides});
      if (experiment.ok()) support::add_files_read(support::input_files({&*experiment, 1}), read);
    }
  }
  return support::check_distinct({{"--html", arguments.html}, options::recorded_file(arguments.record)}, read);
}

support::ExitCode execute(const ReproduceArguments& arguments) {
  if (absl::Status status = options::check_metrics(arguments.metrics); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  const absl::StatusOr<std::vector<study::reproduction::Reproduction>> machines = chosen(arguments.names);
  if (!machines.ok()) return fail(support::ExitCode::kUsage, message_of(machines.status()));
  const absl::StatusOr<fs::path> folder = experiments(arguments.folder);
  if (!folder.ok()) return fail(support::ExitCode::kUsage, message_of(folder.status()));
  if (absl::Status status = check_outputs(arguments, *machines, *folder); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  if (!arguments.list) return reproduce_machines(arguments, *machines, *folder);
  const absl::Status printed = support::print_data(commands_text(*machines, *folder, arguments.all));
  return printed.ok() ? support::ExitCode::kOk : fail(support::ExitCode::kRunFailed, message_of(printed));
}

}  // namespace

void add_reproduce_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Run published experiments and print paper, prediction and error of each figure");
  auto arguments = std::make_shared<ReproduceArguments>();
  command->add_option("MACHINE", arguments->names,
                      "exanest, tofu, tofu2, tofud, allreduce, congestion or nanet (default: all)");
  command->add_flag("--all", arguments->all, "Also figures whose runs take minutes each");
  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON object");
  CLI::Option* markdown =
      command->add_flag("--markdown", arguments->markdown, "Print a table for documents")->excludes(json);
  CLI::Option* list =
      command->add_flag("--list", arguments->list, "Only print the commands that run each experiment by itself")
          ->excludes(json, markdown);
  command->add_flag("--quiet", arguments->quiet, "No progress, only warnings and errors");
  options::add_html_option(*command, arguments->html);
  options::add_record_option(*command, arguments->record);
  options::add_metrics_options(*command, arguments->metrics);
  // Nothing runs, so there is nothing to show, record or measure.
  for (const char* name :
       {"--html", "--record", "--metrics", "--metrics-links", "--metrics-partitions", "--metrics-push"})
    list->excludes(command->get_option(name));
  command
      ->add_option("--experiments", arguments->folder,
                   "Folder of the experiments (default: workloads/experiments/reproduce here or beside the program)")
      ->type_name("DIR");
  command->callback([arguments, &exit_code] {
    if (arguments->quiet) spdlog::set_level(spdlog::level::warn);
    exit_code = execute(*arguments);
  });
}

}  // namespace fabrictwin::cli
