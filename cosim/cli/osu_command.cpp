// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/console.h"
#include "cosim/cli/osu_request.h"
#include "cosim/cli/parts.h"
#include "cosim/cli/run_choices.h"
#include "cosim/cli/run_to_end.h"
#include "cosim/run/message_json.h"
#include "cosim/run/placement_check.h"
#include "workloads/osu/osu_report.h"

namespace fabrictwin {
namespace {

constexpr int32_t kMaxNumber = 1 << 24;

struct OsuArguments {
  OsuRequest request;
  RunToEndOptions options;
  std::string watchdog = "30s";
  bool json = false;
};

ExitCode execute(OsuArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return fail(ExitCode::kUsage, message_of(watchdog.status()));
  arguments.options.watchdog = *watchdog;
  const absl::StatusOr<Experiment> experiment = load_osu_experiment(arguments.request);
  if (!experiment.ok()) return fail(exit_code_of_input(experiment.status()), message_of(experiment.status()));
  arguments.request.experiment.tell_overrides();
  const absl::StatusOr<v1::Report> report = run_to_end(*experiment, all_parts(), arguments.options);
  if (!report.ok()) return fail(exit_code_of_input(report.status()), message_of(report.status()));
  const absl::Status printed =
      print_data(arguments.json ? message_json(report->osu()) + "\n" : osu_text(report->osu()));
  if (!printed.ok()) return fail(ExitCode::kRunFailed, message_of(printed));
  if (!report->complete()) {
    return fail(
        ExitCode::kRunFailed,
        fmt::format("the benchmark has not come to its end: {}; the sizes before are printed", report->reason()));
  }
  return ExitCode::kOk;
}

}  // namespace

void add_osu_command(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("osu", "Run an OSU micro-benchmark on the network of an experiment");
  auto arguments = std::make_shared<OsuArguments>();
  OsuRequest& request = arguments->request;
  command
      ->add_option("BENCHMARK", request.benchmark,
                   "latency, bw, bibw, mbw_mr, one_way_lat, barrier, bcast, allreduce, alltoall, reduce, allgather, "
                   "gather, scatter or reduce_scatter")
      ->required();
  request.experiment.add_to(*command);
  command
      ->add_option("--place", request.place,
                   "Hosts in the order of ranks, as in 'mpsoc[0],mpsoc[5]' (default: the first ones)")
      ->type_name("SELECT,...")
      ->check([](const std::string& text) { return text.empty() ? "name hosts, as in 'mpsoc[0],mpsoc[5]'" : ""; });
  command->add_option("--sizes", request.sizes, "Message sizes, as in 0,64,4MiB (default: those of the suite)")
      ->type_name("SIZE,...");
  const auto number = [&](const char* name, std::optional<int32_t>& value, const char* what, int32_t least,
                          int32_t most = kMaxNumber) {
    command->add_option(name, value, what)->type_name("N")->check(CLI::Range(least, most));
  };
  number("--ranks", request.ranks, "Ranks of a collective or mbw_mr (default: as many as there is room for)", 2);
  number("--ranks-per-host", request.ranks_per_host, "Ranks that share a host (default: 1)", 1, kMaxRanksPerHost);
  number("--iterations", request.iterations, "Measured iterations of each size (default: 20)", 1);
  number("--warmup", request.warmup, "Iterations before those (default: 2)", 0);
  number("--window", request.window, "Messages of bw, bibw and mbw_mr that are on their way (default: 64)", 1);
  command
      ->add_option("--threads", arguments->options.threads,
                   "Threads of this process (default: as many as its partitions can use)")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads));
  command->add_option("--watchdog", arguments->watchdog, "End a run in which nothing moves for this long (0s: never)")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->add_flag("--quiet", arguments->options.quiet, "No progress, only warnings and errors");
  command->callback([arguments, &exit_code] {
    if (arguments->options.quiet) spdlog::set_level(spdlog::level::warn);
    exit_code = execute(*arguments);
  });
}

}  // namespace fabrictwin
