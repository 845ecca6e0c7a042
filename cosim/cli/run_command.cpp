// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bridges/grpc_connector.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/describe_text.h"
#include "cosim/cli/interrupt.h"
#include "cosim/cli/option_checks.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/progress_line.h"
#include "cosim/cli/run_arguments.h"
#include "cosim/cli/run_choices.h"
#include "cosim/cli/wave_option.h"
#include "cosim/run/message_json.h"
#include "cosim/run/packet_trace_json.h"
#include "cosim/run/report_text.h"
#include "cosim/run/run.h"
#include "dashboards/metrics_server.h"

namespace fabrictwin {
namespace {

constexpr double kLeastPrecision = 1e-4;
constexpr double kMostPrecision = 0.5;

absl::Status write_reports(const std::string& folder, const Run& run, const std::string& json,
                           const std::string& text) {
  if (absl::Status status = make_folder(folder); !status.ok()) return status;
  if (absl::Status status = write_file(folder + "/report.json", json); !status.ok()) return status;
  if (absl::Status status = write_file(folder + "/report.txt", text); !status.ok()) return status;
  if (run.packet_trace() == nullptr) return absl::OkStatus();
  return write_file(fmt::format("{}/{}", folder, run.experiment().statistics.packet_trace->file),
                    packet_trace_json(*run.packet_trace(), run.plan().graph));
}

/// Prints and writes the report of a run that ended as `status` says.
ExitCode tell(const RunArguments& arguments, const Run& run, const absl::Status& status, bool interrupted) {
  const std::string json = message_json(run.report()) + "\n";
  const std::string text = report_text(run.report());
  const absl::Status printed = print_data(arguments.json ? json : text);
  const absl::Status written = arguments.out.empty() ? absl::OkStatus() : write_reports(arguments.out, run, json, text);

  for (const absl::Status& output : {printed, written}) {
    if (!output.ok()) print_error(message_of(output));
  }
  if (interrupted && !status.ok()) return fail(ExitCode::kInterrupted, "interrupted; the report is partial");
  if (!status.ok()) {
    const ExitCode code = status.code() == absl::StatusCode::kInternal ? ExitCode::kInternal : ExitCode::kRunFailed;
    return fail(code, message_of(status));
  }
  return printed.ok() && written.ok() ? ExitCode::kOk : ExitCode::kRunFailed;
}

ExitCode execute(const RunArguments& arguments) {
  if (arguments.jobs > 1)
    return fail(ExitCode::kUsage, "--jobs is for --sweep and --saturation; a single run takes --threads");
  const absl::StatusOr<Experiment> experiment = arguments.experiment.load();
  if (!experiment.ok()) return fail(ExitCode::kUsage, message_of(experiment.status()));
  absl::StatusOr<RunOptions> made = run_options(arguments);
  if (!made.ok()) return fail(ExitCode::kUsage, message_of(made.status()));
  RunOptions& options = *made;
  for (const std::string& wave : arguments.waves) {
    absl::StatusOr<WaveRequest> request = parse_wave(wave);
    if (!request.ok()) return fail(ExitCode::kUsage, message_of(request.status()));
    options.waves.push_back(*std::move(request));
  }

  const absl::StatusOr<Plan> plan = plan_experiment(*experiment);
  if (!plan.ok()) return fail(ExitCode::kUsage, message_of(plan.status()));
  arguments.experiment.tell_overrides();
  tell_plan(*experiment, *plan);
  for (size_t i = 0; i < options.waves.size(); ++i) {
    const absl::Status status = check_wave(arguments.waves[i], options.waves[i], *plan);
    if (!status.ok()) return fail(ExitCode::kUsage, message_of(status));
  }
  options.threads = arguments.threads > 0 ? arguments.threads : choose_threads(*plan);
  if (experiment->statistics.packet_trace.has_value() && arguments.out.empty() && !arguments.dry_run) {
    return fail(ExitCode::kUsage,
                format_diagnostic(experiment->packet_trace_place,
                                  "packets are followed into a file, and no folder is named for it; add --out DIR"));
  }
  if (arguments.dry_run) {
    const absl::Status workload = check_workload(*experiment, plan->graph);
    if (!workload.ok()) return fail(exit_code_of_input(workload), message_of(workload));
    const absl::Status printed =
        print_data(arguments.json ? describe_json(*experiment, *plan) : describe_text(*experiment, *plan));
    return printed.ok() ? ExitCode::kOk : fail(ExitCode::kRunFailed, message_of(printed));
  }

  if (!arguments.out.empty()) {
    if (absl::Status status = check_folder(arguments.out, "report.json"); !status.ok())
      return fail(ExitCode::kUsage, message_of(status));
  }
  absl::StatusOr<std::unique_ptr<Run>> run = Run::create(*experiment, all_parts(), make_grpc_connector, options);
  if (!run.ok()) return fail(exit_code_of_input(run.status()), message_of(run.status()));

  std::unique_ptr<MetricsServer> metrics;
  if (!arguments.metrics.empty()) {
    absl::StatusOr<std::unique_ptr<MetricsServer>> server = MetricsServer::create(arguments.metrics, **run);
    if (!server.ok())
      return fail(exit_code_of_input(server.status()), fmt::format("--metrics: {}", message_of(server.status())));
    metrics = *std::move(server);
    spdlog::info("serving metrics at {}", metrics->url());
  }

  absl::Status status;
  bool interrupted = false;
  {
    const Interrupt interrupt;
    std::optional<ProgressLine> progress;
    if (!arguments.quiet) progress.emplace([&] { return (*run)->progress(); }, stderr, stderr_is_terminal());
    status = (*run)->execute(interrupt.token());
    interrupted = interrupt.requested();
  }
  metrics.reset();
  // Nothing was simulated, so there is nothing to tell of it.
  if (!interrupted && (*run)->refused()) return fail(exit_code_of_input(status), message_of(status));
  tell_threads(arguments.threads, (*run)->report());
  return tell(arguments, **run, status, interrupted);
}

}  // namespace

void add_run_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run an experiment and print its report");
  auto arguments = std::make_shared<RunArguments>();
  arguments->experiment.add_to(*command);
  command
      ->add_option("--threads", arguments->threads,
                   "Threads of this process (default: as many as its partitions can use)")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads));
  command
      ->add_option("--out", arguments->out, "Write report.json and report.txt (and the packet trace) into this folder")
      ->type_name("DIR")
      ->check(not_empty(kFolderWanted));
  command->add_flag("--json", arguments->json, "Print the report as one JSON object");
  command->add_option("--metrics", arguments->metrics, "Serve Prometheus metrics, as at 127.0.0.1:9464")
      ->type_name("ADDR:PORT");
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
      ->check(real_range(kLeastPrecision, kMostPrecision))
      ->needs(saturation);
  command->add_option("--jobs", arguments->jobs, "Runs of a sweep at a time")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads));
  command->callback([arguments, &exit_code] {
    if (arguments->quiet) spdlog::set_level(spdlog::level::warn);
    exit_code = arguments->is_sweep() ? run_sweep(*arguments) : execute(*arguments);
  });
}

}  // namespace fabrictwin
