// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/options/html.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/slurm/launcher_options.h"
#include "cosim/cli/slurm/slurm_study.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/many_runs.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/study/comparison/comparison.h"
#include "cosim/study/sweep/axis.h"
#include "dashboards/pages/result_page.h"

namespace fabrictwin::cli {
namespace {

struct CompareArguments {
  study::comparison::Request request;
  std::vector<std::string> seeds;  ///< As written; `request` has the numbers.
  std::string out;
  std::string html;
  options::SecurityArguments security;
  options::RecordArguments record;
  options::MetricsArguments metrics;
  options::LauncherArguments launcher;
  std::string watchdog = "30s";
  bool json = false;
  bool quiet = false;
};

absl::Status write_results(const std::string& folder, const study::comparison::Comparison& comparison,
                           const std::string& json) {
  const std::vector<study::comparison::Cell>& cells = comparison.cells();
  if (absl::Status status = support::make_folder(folder); !status.ok()) return status;
  absl::Status status = support::write_file(folder + "/compare.json", json);
  if (status.ok()) status = support::write_file(folder + "/compare.txt", study::comparison::to_table(cells));
  if (status.ok()) status = support::write_file(folder + "/compare.csv", study::comparison::to_csv(cells));
  if (status.ok()) {
    const absl::StatusOr<std::string> page = study::comparison::to_page(cells);
    status = page.ok() ? support::write_file(folder + "/report.html", *page) : page.status();
  }
  std::set<std::string> files;
  for (const study::comparison::Cell& cell : cells) {
    if (!status.ok()) return status;
    if (!files.insert(cell.file).second) continue;
    const absl::StatusOr<std::optional<std::string>> svg = study::comparison::to_svg(cells, cell.file);
    if (!svg.ok()) return svg.status();
    const std::string name = std::filesystem::path(cell.file).stem().string();
    if (svg->has_value()) status = support::write_file(fmt::format("{}/{}.svg", folder, name), **svg);
    const std::string csv = study::comparison::plot_csv(cells, cell.file);
    if (status.ok() && !csv.empty()) status = support::write_file(fmt::format("{}/{}.csv", folder, name), csv);
  }
  return status;
}

/// The metrics of each scheme in an experiment, those that tables have.
dashboards::html::Table metrics_table(const std::vector<study::comparison::Cell>& cells, const std::string& file) {
  dashboards::html::Table table{std::filesystem::path(file).stem().string(), {"scheme"}, {}};
  std::vector<study::comparison::Metric> metrics = study::comparison::metrics_of(cells, file);
  std::erase_if(metrics, [](const study::comparison::Metric& metric) { return !metric.in_table; });
  for (const study::comparison::Metric& metric : metrics) table.columns.push_back(metric.title);
  for (const study::comparison::Cell& cell : cells) {
    if (cell.file != file) continue;
    std::vector<std::string> row{cell.refusal.empty() ? cell.scheme : cell.scheme + ": " + cell.refusal};
    for (const study::comparison::Metric& metric : metrics) {
      const std::optional<study::comparison::Cell::Value> value = cell.value(metric);
      row.push_back(!value.has_value() ? "-"
                    : value->confidence.has_value()
                        ? fmt::format("{:.{}f} +/- {:.{}f}", value->mean * metric.scale, metric.decimals,
                                      *value->confidence * metric.scale, metric.decimals)
                        : fmt::format("{:.{}f}", value->mean * metric.scale, metric.decimals));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

absl::Status write_page(const std::string& file, const study::comparison::Comparison& comparison,
                        const v1::Provenance& provenance, bool interrupted) {
  if (file.empty()) return absl::OkStatus();
  const std::vector<study::comparison::Cell>& cells = comparison.cells();
  std::vector<dashboards::pages::ResultPicture> pictures;
  std::vector<dashboards::html::Table> tables;
  std::set<std::string> files;
  for (const study::comparison::Cell& cell : cells) {
    if (!files.insert(cell.file).second) continue;
    absl::StatusOr<std::optional<std::string>> svg = study::comparison::to_svg(cells, cell.file);
    if (!svg.ok()) return svg.status();
    tables.push_back(metrics_table(cells, cell.file));
    if (svg->has_value()) pictures.push_back({std::filesystem::path(cell.file).stem().string(), **std::move(svg)});
  }
  const std::string alert = interrupted ? "Interrupted; the result is partial." : "";
  return options::write_html(file, dashboards::pages::result_page({.title = "FabricTwin comparison of schemes",
                                                                   .alert = alert,
                                                                   .provenance = provenance,
                                                                   .tables = std::move(tables),
                                                                   .pictures = std::move(pictures),
                                                                   .text = study::comparison::to_table(cells)}));
}

/// The provenance of a comparison, which has several experiments.
v1::Provenance provenance_of(const study::comparison::Request& request,
                             const study::comparison::Comparison& comparison) {
  v1::Provenance made = support::make_provenance(request.files);
  made.set_experiment(fmt::format("# --schemes {}\n# --seeds {}\n# --set {}\n", fmt::join(request.schemes, ","),
                                  fmt::join(request.seeds, ","), fmt::join(request.sets, " ")));
  // Each file with its first scheme and seed.
  std::set<std::string> files;
  for (const experiment::Experiment& experiment : comparison.experiments()) {
    if (files.insert(experiment.file).second)
      support::add_experiment(std::filesystem::path(experiment.file).filename().string(), experiment, made);
  }
  return made;
}

/// Checks all options before anything is loaded.
absl::StatusOr<run::RunOptions> check_options(const CompareArguments& arguments) {
  options::RunArguments run_arguments;
  run_arguments.watchdog = arguments.watchdog;
  run_arguments.quiet = true;
  run_arguments.security = arguments.security;
  absl::StatusOr<run::RunOptions> options = options::run_options(run_arguments);
  if (!options.ok()) return options.status();
  if (absl::Status status = options::check_metrics(arguments.metrics); !status.ok()) return status;
  if (absl::Status status = slurm::check_launcher(arguments.launcher, arguments.request.jobs); !status.ok())
    return status;
  return options;
}

/// InvalidArgument for an output that cannot be written, before there is something to write.
absl::Status check_outputs(const CompareArguments& arguments, std::span<const experiment::Experiment> experiments) {
  if (!arguments.out.empty()) {
    if (absl::Status status = support::check_folder(arguments.out, "compare.json"); !status.ok()) return status;
  }
  if (absl::Status status = options::check_html(arguments.html, arguments.out); !status.ok()) return status;
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  std::vector<support::NamedFile> read;
  for (const std::string& file : arguments.request.files) read.push_back({"an experiment", file});
  support::add_files_read(support::input_files(experiments), read);
  std::vector<support::NamedFile> written{{"--html", arguments.html}, options::recorded_file(arguments.record)};
  std::vector<std::string> results{"compare.json", "compare.txt", "compare.csv", "report.html"};
  for (const std::string& file : arguments.request.files) {
    const std::string stem = std::filesystem::path(file).stem().string();
    if (!arguments.out.empty() && stem == "compare") {
      return absl::InvalidArgumentError(
          fmt::format("{}: compare.csv of --out is the table of all experiments; give this one another name", file));
    }
    results.insert(results.end(), {stem + ".svg", stem + ".csv"});
  }
  support::add_files_of_out(arguments.out, results, written);
  return support::check_distinct(written, read);
}

/// Does all runs here or by Slurm, until they have ended or the user interrupts; whether that was so. An error: nothing
/// was run.
absl::StatusOr<bool> do_runs(const CompareArguments& arguments, study::comparison::Comparison& comparison,
                             run::metrics::StudyMetrics* metrics) {
  std::atomic<size_t> ended{0};
  const auto tell_ended = [&](size_t index) {
    spdlog::info("{} of {} done: {}", ++ended, comparison.runs(), comparison.run_name(index));
  };
  const support::Interrupt interrupt;
  if (!arguments.launcher.is_slurm()) {
    comparison.run(interrupt.token(), tell_ended);
    return ended < comparison.runs();
  }
  slurm::StudyRequest request;
  request.experiments = comparison.experiments();
  request.name = [&](size_t index) { return comparison.run_name(index); };
  request.settings.whole_reports = true;
  request.settings.watchdog = arguments.watchdog;
  request.settings.security = arguments.security;
  request.out = arguments.out;
  request.fallback = "compare.slurm";
  const absl::Status launched = slurm::run_by_slurm(request, arguments.launcher, interrupt.token(), metrics,
                                                    [&](size_t index, study::point::Outcome outcome) {
                                                      comparison.take(index, std::move(outcome));
                                                      tell_ended(index);
                                                    });
  if (!launched.ok()) return launched;
  return ended < comparison.runs();
}

/// Prints and writes the result.
support::ExitCode tell(const CompareArguments& arguments, const study::comparison::Comparison& comparison,
                       bool interrupted) {
  const v1::Provenance provenance = provenance_of(arguments.request, comparison);
  std::string json = support::with_provenance(study::comparison::to_json(comparison.cells()), provenance);
  if (interrupted) json = support::as_partial(json, "interrupted");
  const absl::Status printed =
      support::print_data(arguments.json ? json : study::comparison::to_table(comparison.cells()));
  const absl::Status written =
      arguments.out.empty() ? absl::OkStatus() : write_results(arguments.out, comparison, json);
  const absl::Status shown = write_page(arguments.html, comparison, provenance, interrupted);
  for (const absl::Status& output : {printed, written, shown}) {
    if (!output.ok()) return fail(support::ExitCode::kRunFailed, message_of(output));
  }
  if (interrupted) {
    return fail(support::ExitCode::kInterrupted, arguments.record.record
                                                     ? "interrupted; the result is partial, and is not recorded"
                                                     : "interrupted; the result is partial");
  }
  for (const study::comparison::Cell& cell : comparison.cells()) {
    for (const study::comparison::Cell::Run& run : cell.runs) {
      if (!run.status.ok()) return fail(support::ExitCode::kRunFailed, "not all runs have succeeded; see above");
    }
  }
  if (absl::Status status = options::record(arguments.record, json); !status.ok())
    return fail(support::ExitCode::kRunFailed, message_of(status));
  return support::ExitCode::kOk;
}

support::ExitCode execute(const CompareArguments& arguments) {
  const absl::StatusOr<run::RunOptions> options = check_options(arguments);
  if (!options.ok()) return fail(support::ExitCode::kUsage, message_of(options.status()));
  support::PlanCheck plans(options->security, !arguments.launcher.is_slurm());
  run::metrics::StudyMetrics* seen = nullptr;
  study::comparison::Parts parts;
  parts.check = [&plans](const experiment::Experiment& experiment) { return plans.check(experiment); };
  parts.tenants = support::all_parts().tenants;
  parts.run = [&options, &seen](const experiment::Experiment& experiment, const std::stop_token& stop) {
    return support::run_once(experiment, *options, 1, stop, seen);
  };
  absl::StatusOr<study::comparison::Comparison> comparison =
      study::comparison::Comparison::create(arguments.request, std::move(parts));
  if (!comparison.ok()) return fail(support::exit_code_of_input(comparison.status()), message_of(comparison.status()));
  if (absl::Status status = check_outputs(arguments, comparison->experiments()); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  absl::StatusOr<options::ServedStudy> metrics = options::ServedStudy::create(arguments.metrics, "compare");
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  seen = metrics->study();
  metrics->expect(comparison->runs());
  const absl::StatusOr<bool> interrupted = do_runs(arguments, *comparison, seen);
  const bool early = !interrupted.ok() || *interrupted;
  const support::ExitCode code =
      interrupted.ok() ? tell(arguments, *comparison, *interrupted)
                       : fail(support::exit_code_of_input(interrupted.status()), message_of(interrupted.status()));
  metrics->end(code, !early, early);
  return code;
}

}  // namespace

void add_compare_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("compare", "Run experiments with several schemes of congestion management");
  auto arguments = std::make_shared<CompareArguments>();
  study::comparison::Request& request = arguments->request;
  command->add_option("FILE", request.files, "Experiment files")->required()->type_name("");
  command
      ->add_option(
          "--schemes", request.schemes,
          "Schemes for rates and of queues, as in none,dcqcn,voqnet,dcqcn+voqnet; none is no scheme (fabrictwin "
          "describe --list congestion, queues)")
      ->required()
      ->type_name("NAME,...");
  command
      ->add_option("--seeds", arguments->seeds,
                   "Seeds, as in 1,2,3 or 1:3; means are over them (default: that of the experiment)")
      ->type_name("N[:TO[:STEP]],...");
  command->add_option("--set", request.sets, "Change a field of all experiments, as in workload.incast.bytes=2MB")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--jobs", request.jobs,
                   "Runs at a time (default: as many as there are cores); of routers of the model EXANET one at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--out", arguments->out, "Folder for report.html, compare.txt, .json, .csv and plots")
      ->type_name("DIR");
  options::add_security_options(*command, arguments->security);
  options::add_no_shm_option(*command, arguments->security);
  options::add_html_option(*command, arguments->html);
  options::add_record_option(*command, arguments->record);
  options::add_metrics_options(*command, arguments->metrics);
  slurm::add_launcher_options(*command, arguments->launcher);
  command->add_option("--watchdog", arguments->watchdog, "End a run in which nothing moves for this long (0s: never)")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->add_flag("--quiet", arguments->quiet, "No progress, only warnings and errors");
  command->callback([arguments, &exit_code] {
    if (arguments->quiet) spdlog::set_level(spdlog::level::warn);
    absl::StatusOr<std::vector<uint64_t>> seeds = study::sweep::parse_seeds(arguments->seeds);
    if (!seeds.ok()) {
      exit_code = fail(support::ExitCode::kUsage, message_of(seeds.status()));
      return;
    }
    arguments->request.seeds = *std::move(seeds);
    exit_code = execute(*arguments);
  });
}

}  // namespace fabrictwin::cli
