// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bridges/caller/check_places.h"
#include "bridges/mpi/launch.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/describe_text.h"
#include "cosim/cli/mpi_run.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/options/html.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/metrics_file.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/options/wave.h"
#include "cosim/cli/slurm/launcher_options.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/many_runs.h"
#include "cosim/cli/support/memory_need.h"
#include "cosim/cli/support/partition_watch.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/progress_line.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/cli/tree_plot.h"
#include "cosim/report/message_json.h"
#include "cosim/report/packet_trace_json.h"
#include "cosim/report/report_text.h"
#include "cosim/report/run_trace_json.h"
#include "cosim/report/series_csv.h"
#include "cosim/report/tables_csv.h"
#include "cosim/run/run.h"
#include "cosim/study/baseline.h"
#include "cosim/study/sweep/result.h"
#include "dashboards/pages/run_page.h"
#include "workloads/flows/results_text.h"
#include "workloads/tenants.h"

namespace fabrictwin::cli {
namespace {

constexpr double kLeastPrecision = 1e-4;
constexpr double kMostPrecision = 0.5;

/// Writes a report, and what it tells as JSON and text, into a folder.
absl::Status write_reports(const std::string& folder, const run::Run& run, const v1::Report& report,
                           const std::string& json, const std::string& text) {
  if (absl::Status status = support::make_folder(folder); !status.ok()) return status;
  if (absl::Status status = support::write_file(folder + "/report.json", json); !status.ok()) return status;
  if (absl::Status status = support::write_file(folder + "/report.txt", text); !status.ok()) return status;
  if (report.trees_size() > 0) {
    const absl::StatusOr<std::string> svg = trees_svg(report);
    if (!svg.ok()) return svg.status();
    if (absl::Status status = support::write_file(folder + "/trees.svg", *svg); !status.ok()) return status;
  }
  if (report.flows_size() > 0) {
    const absl::Status status = support::write_file(folder + "/flows.csv", flows::flows_csv(report));
    if (!status.ok()) return status;
  }
  if (report.flow_summary().bins_size() > 0) {
    const absl::Status status = support::write_file(folder + "/flow_bins.csv", flows::bins_csv(report));
    if (!status.ok()) return status;
  }
  if (report.series().points_size() > 0) {
    const absl::Status status = support::write_file(folder + "/series.csv", report::series_csv(report));
    if (!status.ok()) return status;
  }
  for (const report::CsvFile& file : report::csv_files(report)) {
    const absl::Status status = support::write_file(fmt::format("{}/{}", folder, file.name), file.text);
    if (!status.ok()) return status;
  }
  if (run.packet_trace() == nullptr) return absl::OkStatus();
  return support::write_file(fmt::format("{}/{}", folder, run.experiment().statistics.packet_trace->file),
                             report::packet_trace_json(*run.packet_trace(), run.plan().graph));
}

/// Records what remains of a report without its long lists.
absl::Status record_report(const options::RunArguments& arguments, const v1::Report& report) {
  if (!arguments.record.record) return absl::OkStatus();
  return options::record(arguments.record, report::message_json(study::sweep::without_lists(report)));
}

/// Prints and writes the report of a run. False, with an error for each, if some of it could not be written. `watch` is
/// null if nobody watched.
bool keep_report(const options::RunArguments& arguments, const run::Run& run, support::PartitionWatch* watch,
                 std::span<const v1::Report> baselines) {
  v1::Report whole = run.report();
  if (watch != nullptr) *whole.mutable_partition_timeline() = watch->finish(run.plan());
  study::add_baselines(run.experiment(), baselines, whole);
  *whole.mutable_provenance() = support::make_provenance(run.experiment());
  const v1::Report report = options::without_drawn_statistics(run.experiment(), whole);
  const std::string json = report::message_json(report) + "\n";
  const std::string text = report::report_text(report, workloads::results_text(report));

  std::vector<absl::Status> outputs;
  // Files come first: a launcher of MPI that has lost a rank reads no output any more.
  if (!arguments.out.empty()) outputs.push_back(write_reports(arguments.out, run, report, json, text));
  outputs.push_back(support::print_data(arguments.json ? json : text));
  if (!arguments.html.empty())
    outputs.push_back(options::write_html(arguments.html, dashboards::pages::run_page(run.plan().graph, whole, text)));
  if (!arguments.perfetto.empty())
    outputs.push_back(
        support::write_file(arguments.perfetto, report::run_trace_json(whole, run.plan().graph, run.packet_trace())));
  outputs.push_back(record_report(arguments, report));
  std::erase_if(outputs, [](const absl::Status& status) { return status.ok(); });
  for (const absl::Status& failed : outputs) support::print_error(message_of(failed));
  return outputs.empty();
}

/// How a run ended, with `status`; `kept` says whether all of its report was written.
support::ExitCode code_of(const absl::Status& status, bool interrupted, bool kept) {
  if (interrupted && !status.ok()) return support::ExitCode::kInterrupted;
  if (absl::IsInternal(status)) return support::ExitCode::kInternal;
  return status.ok() && kept ? support::ExitCode::kOk : support::ExitCode::kRunFailed;
}

/// Tells of a run that ended so, unless it did as it should.
support::ExitCode tell_end(const absl::Status& status, bool interrupted, bool kept) {
  const support::ExitCode code = code_of(status, interrupted, kept);
  if (status.ok()) return code;
  return fail(code, code == support::ExitCode::kInterrupted ? "interrupted; the report is partial"
                                                            : std::string(message_of(status)));
}

/// Does the runs that come before that of the experiment.
absl::StatusOr<std::vector<v1::Report>> run_baselines(const experiment::Experiment& experiment, run::RunOptions options,
                                                      const Ranks& ranks) {
  options.waves.clear();
  options.name.clear();
  const support::Interrupt interrupt;
  return study::run_baselines(experiment, [&](const experiment::Experiment& baseline) {
    spdlog::info("a run with less load comes first, to compare with");
    return support::run_once(baseline, options, options.threads, interrupt.token(), nullptr, ranks.connector);
  });
}

/// A run of which all has been checked that can be before it begins.
struct CheckedRun {
  experiment::Experiment experiment;
  system::Plan plan;
  run::RunOptions options;
};

/// Reads the options of the run with its waveforms. InvalidArgument for mistakes in the arguments.
absl::StatusOr<run::RunOptions> read_options(const options::RunArguments& arguments) {
  absl::StatusOr<run::RunOptions> options = options::run_options(arguments);
  if (!options.ok()) return options.status();
  // Metrics of workers have the name that those of the run have.
  options->name = support::run_identity().run;
  for (const std::string& wave : arguments.waves) {
    absl::StatusOr<run::WaveRequest> request = options::parse_wave(wave);
    if (!request.ok()) return request.status();
    options->waves.push_back(*std::move(request));
  }
  return options;
}

/// Reads the experiment and plans its run. Each error is a mistake of the user.
absl::StatusOr<CheckedRun> check(const options::RunArguments& arguments, const Ranks& ranks) {
  if (arguments.jobs.value_or(1) > 1)
    return absl::InvalidArgumentError("--jobs is for --sweep and --saturation; a single run takes --threads");
  if (absl::Status status = slurm::check_no_launcher(arguments.launcher); !status.ok()) return status;
  if (absl::Status status = options::check_metrics(arguments.metrics, arguments.metrics_file); !status.ok())
    return status;
  absl::StatusOr<experiment::Experiment> experiment = support::load(arguments.experiment);
  if (!experiment.ok()) return experiment.status();
  absl::StatusOr<run::RunOptions> options = read_options(arguments);
  if (!options.ok()) return options.status();
  if (!arguments.dry_run) {
    if (absl::Status memory = support::check_memory(*experiment, support::MemoryUse::kRun); !memory.ok()) return memory;
  }
  absl::StatusOr<system::Plan> plan = support::plan_experiment(*experiment);
  if (!plan.ok()) return plan.status();
  if (absl::Status places = bridges::caller::check_places(*experiment, *plan, options->security); !places.ok())
    return places;
  if (absl::Status status = check_ranks(*experiment, *plan, ranks); !status.ok()) return status;
  options::tell_overrides(arguments.experiment);
  support::tell_plan(*experiment, *plan);
  for (size_t i = 0; i < options->waves.size(); ++i) {
    if (absl::Status status = options::check_wave(arguments.waves[i], options->waves[i], *plan); !status.ok())
      return status;
  }
  options->threads = arguments.threads > 0 ? arguments.threads : support::choose_threads(*plan);
  return CheckedRun{*std::move(experiment), *std::move(plan), *std::move(options)};
}

/// InvalidArgument for an output that cannot be written, before there is something to write.
absl::Status check_outputs(const options::RunArguments& arguments, const experiment::Experiment& experiment) {
  if (experiment.statistics.packet_trace.has_value() && arguments.out.empty() && arguments.perfetto.empty()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.packet_trace_location,
        "packets are followed into a file, and none is named; add --out DIR or --perfetto FILE"));
  }
  if (!arguments.out.empty()) {
    if (absl::Status status = support::check_folder(arguments.out, "report.json"); !status.ok()) return status;
  }
  if (absl::Status status = options::check_html(arguments.html, arguments.out); !status.ok()) return status;
  if (!arguments.perfetto.empty()) {
    if (arguments.perfetto == "-")
      return absl::InvalidArgumentError("--perfetto: a trace is a file for a browser; name it, as in run.json");
    if (absl::Status status = support::check_file(arguments.perfetto, arguments.out); !status.ok())
      return absl::InvalidArgumentError(fmt::format("--perfetto: {}", message_of(status)));
  }
  if (absl::Status status = options::MetricsFileOption::check(arguments.metrics_file, arguments.out); !status.ok())
    return status;
  if (absl::Status status = options::check_record(arguments.record); !status.ok()) return status;
  std::vector<support::NamedFile> written{{"--html", arguments.html},
                                          {"--perfetto", arguments.perfetto},
                                          {"--metrics-file", arguments.metrics_file},
                                          options::recorded_file(arguments.record)};
  std::vector<std::string> results{"report.json", "report.txt",    "trees.svg",
                                   "flows.csv",   "flow_bins.csv", "series.csv"};
  for (const std::string_view name : report::csv_file_names()) results.emplace_back(name);
  if (experiment.statistics.packet_trace.has_value()) results.push_back(experiment.statistics.packet_trace->file);
  support::add_files_of_out(arguments.out, results, written);
  std::vector<support::NamedFile> read{{"the experiment", arguments.experiment.file}};
  support::add_files_read(support::input_files({&experiment, 1}), read);
  return support::check_distinct(written, read);
}

support::ExitCode print_plan(const options::RunArguments& arguments, const CheckedRun& checked) {
  const absl::Status workload = support::check_workload(checked.experiment, checked.plan);
  if (!workload.ok()) return fail(support::exit_code_of_input(workload), message_of(workload));
  const absl::Status printed = support::print_data(arguments.json ? describe_json(checked.experiment, checked.plan)
                                                                  : describe_text(checked.experiment, checked.plan));
  return printed.ok() ? support::ExitCode::kOk : fail(support::ExitCode::kRunFailed, message_of(printed));
}

/// Executes the run with its line of progress. `interrupted` becomes true if the user ended it.
absl::Status execute_shown(const options::RunArguments& arguments, run::Run& run, bool& interrupted) {
  const support::Interrupt interrupt;
  std::optional<support::ProgressLine> progress;
  if (!arguments.quiet) progress.emplace([&] { return run.progress(); }, stderr, support::stderr_is_terminal());
  absl::Status status = run.execute(interrupt.token());
  interrupted = interrupt.requested();
  return status;
}

/// Writes the file of --metrics-file, and says why if that is not possible.
absl::Status write_samples(options::MetricsFileOption& file, const run::Run& run, const options::ServedMetrics& metrics,
                           support::ExitCode code) {
  const std::unique_lock<std::mutex> held = metrics.hold();
  absl::Status written = file.write(run, code);
  if (!written.ok()) support::print_error(message_of(written));
  return written;
}

/// Simulates, and tells and writes what came out.
support::ExitCode simulate(const options::RunArguments& arguments, CheckedRun& checked, const Ranks& ranks,
                           std::span<const v1::Report> baselines) {
  const bool drawn = !arguments.html.empty() || !arguments.perfetto.empty();
  if (drawn) options::observe_for_drawing(checked.experiment, checked.plan);
  options::MetricsFileOption metrics_file(arguments.metrics_file);
  checked.options.metrics =
      metrics_file.begin(checked.experiment, checked.plan, options::selected_series(arguments.metrics));
  absl::StatusOr<std::unique_ptr<run::Run>> created =
      run::Run::create(checked.experiment, support::all_parts(), ranks.connector, checked.options);
  if (!created.ok()) return fail(support::exit_code_of_input(created.status()), message_of(created.status()));
  run::Run& run = **created;

  absl::StatusOr<options::ServedMetrics> metrics = options::ServedMetrics::create(arguments.metrics, run);
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  std::optional<support::PartitionWatch> watch;
  // One partition waits for nobody.
  if (drawn && checked.plan.partitions.size() > 1)
    watch.emplace([&run] { return run.look(); }, [&run] { return run.ask(); });
  bool interrupted = false;
  const absl::Status status = execute_shown(arguments, run, interrupted);
  // Only when all is written is it known how the command ends, which is among its last metrics.
  const support::ExitCode code = [&] {
    // Nothing was simulated, so there is nothing to report.
    if (!interrupted && run.refused()) return fail(support::exit_code_of_input(status), message_of(status));
    support::tell_threads(arguments.threads, run.report());
    // And what has become of the run is told before its report.
    const bool first = ranks.count > 1 && !status.ok();
    if (first) tell_end(status, interrupted, true);
    const bool kept = keep_report(arguments, run, watch.has_value() ? &*watch : nullptr, baselines);
    const absl::Status sampled = write_samples(metrics_file, run, *metrics, code_of(status, interrupted, kept));
    return first ? code_of(status, interrupted, kept && sampled.ok())
                 : tell_end(status, interrupted, kept && sampled.ok());
  }();
  metrics->end(code, interrupted);
  return code;
}

support::ExitCode execute(const options::RunArguments& arguments, const Ranks& ranks) {
  absl::StatusOr<CheckedRun> checked = check(arguments, ranks);
  if (!checked.ok()) return fail(support::ExitCode::kUsage, message_of(checked.status()));
  if (arguments.dry_run) return print_plan(arguments, *checked);
  if (absl::Status status = check_outputs(arguments, checked->experiment); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  const absl::StatusOr<std::vector<v1::Report>> baselines = run_baselines(checked->experiment, checked->options, ranks);
  if (absl::IsCancelled(baselines.status())) return fail(support::ExitCode::kInterrupted, "interrupted");
  if (!baselines.ok()) return fail(support::exit_code_of_input(baselines.status()), message_of(baselines.status()));
  return simulate(arguments, *checked, ranks, *baselines);
}

}  // namespace

void add_run_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run an experiment and print its report");
  auto arguments = std::make_shared<options::RunArguments>();
  options::add_experiment_options(*command, arguments->experiment);
  options::add_split_option(*command, arguments->experiment);
  options::add_security_options(*command, arguments->security);
  options::add_no_shm_option(*command, arguments->security);
  command
      ->add_option("--threads", arguments->threads,
                   "Threads of this process (default: as many as its partitions can use)")
      ->type_name("N")
      ->check(CLI::Range(1, support::kMaxThreads));
  command
      ->add_option("--out", arguments->out,
                   "Write report.json and report.txt (and the packet trace, and trees of congestion) into this folder")
      ->type_name("DIR")
      ->check(options::not_empty(options::kFolderWanted));
  options::add_html_option(*command, arguments->html);
  command
      ->add_option("--perfetto", arguments->perfetto,
                   "Write what ranks, links and packets did over time into this file, for ui.perfetto.dev")
      ->type_name("FILE")
      ->check(options::not_empty("name a file, as in --perfetto run.json"));
  options::add_record_option(*command, arguments->record);
  command->add_flag("--json", arguments->json, "Print the report as one JSON object");
  options::add_metrics_options(*command, arguments->metrics);
  options::MetricsFileOption::add_to(*command, arguments->metrics_file);
  command->add_flag("--dry-run", arguments->dry_run, "Check everything and print the plan, but do not run");
  command
      ->add_option("--wave", arguments->waves,
                   "Write a waveform: SELECT=FILE.fst[@FROM:TO], as in 'router[1]=r1.fst@10us:20us'")
      ->type_name("SELECT=FILE")
      ->allow_extra_args(false);
  command->add_option("--watchdog", arguments->watchdog, "End a run in which nothing moves for this long (0s: never)")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--pin", arguments->pin, "Pin each thread to a core");
  command->add_flag("--quiet", arguments->quiet, "No progress, only warnings and errors");
  command
      ->add_option("--sweep", arguments->sweeps,
                   "Run once for each value: PATH=FROM:TO:STEP or PATH=A,B,C, as in load=0.05:0.95:0.05")
      ->type_name("PATH=VALUES")
      ->allow_extra_args(false);
  CLI::Option* saturation =
      command->add_flag("--saturation", arguments->saturation, "Search the load at which the network saturates");
  command->add_option("--precision", arguments->precision, "Step of the loads that --saturation tries (default: 0.01)")
      ->type_name("LOAD")
      ->check(options::real_range(kLeastPrecision, kMostPrecision))
      ->needs(saturation);
  command->add_option("--jobs", arguments->jobs, "Runs of a sweep at a time")
      ->type_name("N")
      ->check(CLI::Range(1, support::kMaxThreads));
  slurm::add_launcher_options(*command, arguments->launcher);
  command->callback([arguments, &exit_code] {
    if (arguments->quiet && !support::muted()) spdlog::set_level(spdlog::level::warn);
    if (bridges::mpi::launch().size > 1) {
      exit_code = run_by_mpi(*arguments, [](const options::RunArguments& by_ranks, const Ranks& ranks) {
        return execute(by_ranks, ranks);
      });
    } else {
      exit_code = arguments->is_sweep() ? run_sweep(*arguments) : execute(*arguments, {});
    }
  });
}

}  // namespace fabrictwin::cli
