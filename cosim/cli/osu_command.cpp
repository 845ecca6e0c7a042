// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/experiment.h"
#include "cosim/cli/options/html.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/cli/support/run_to_end.h"
#include "cosim/report/message_json.h"
#include "cosim/study/osu_request.h"
#include "cosim/study/reproduction/reproduction.h"
#include "dashboards/pages/result_page.h"
#include "workloads/osu/report.h"
#include "workloads/placement/check.h"

namespace fabrictwin::cli {
namespace {

constexpr int32_t kMaxNumber = 1 << 24;

struct OsuArguments {
  study::OsuRequest request;
  study::RunToEndOptions options;
  std::string watchdog = "30s";
  std::string html;
  options::SecurityArguments security;
  options::RecordArguments record;
  options::MetricsArguments metrics;
  bool json = false;
};

/// What was published of the benchmark on the machine that the experiment models.
std::vector<dashboards::pages::OsuReference> references_of(const experiment::Experiment& experiment,
                                                           const std::string& benchmark) {
  std::vector<dashboards::pages::OsuReference> references;
  for (study::reproduction::PublishedOsu& published :
       study::reproduction::published_osu(experiment.topology, benchmark))
    references.push_back({fmt::format("published: {}", published.what), std::move(published.points)});
  return references;
}

/// Prints and writes what a run has come to.
support::ExitCode tell(const OsuArguments& arguments, const experiment::Experiment& experiment,
                       const v1::Report& report, bool interrupted) {
  const std::string text = osu::osu_text(report.osu());
  std::string json = support::with_provenance(report::message_json(report.osu()), support::make_provenance(experiment));
  if (!report.complete()) json = support::as_partial(json, interrupted ? "interrupted" : report.reason());
  const absl::Status printed = support::print_data(arguments.json ? json : text);
  if (!printed.ok()) return fail(support::ExitCode::kRunFailed, message_of(printed));
  if (!arguments.html.empty()) {
    const std::string page = dashboards::pages::result_page(
        {.title = report.run().experiment(),
         .alert = report.complete() ? ""
                  : interrupted     ? "Interrupted; the result is partial."
                                    : report.reason(),
         .provenance = support::make_provenance(experiment),
         .charts = {dashboards::pages::osu_chart(report.osu(), references_of(experiment, report.osu().benchmark()))},
         .text = text});
    if (absl::Status status = options::write_html(arguments.html, page); !status.ok())
      return fail(support::ExitCode::kRunFailed, message_of(status));
  }
  if (report.complete()) {
    if (absl::Status status = options::record(arguments.record, json); !status.ok())
      return fail(support::ExitCode::kRunFailed, message_of(status));
  } else if (interrupted) {
    return fail(support::ExitCode::kInterrupted, arguments.record.record
                                                     ? "interrupted; the sizes before are printed, and not recorded"
                                                     : "interrupted; the sizes before are printed");
  } else {
    return fail(
        support::ExitCode::kRunFailed,
        fmt::format("the benchmark has not come to its end: {}; the sizes before are printed", report.reason()));
  }
  return support::ExitCode::kOk;
}

support::ExitCode execute(OsuArguments& arguments) {
  const absl::StatusOr<std::chrono::milliseconds> watchdog = support::parse_watchdog(arguments.watchdog);
  if (!watchdog.ok()) return fail(support::ExitCode::kUsage, message_of(watchdog.status()));
  arguments.options.watchdog = *watchdog;
  absl::StatusOr<ConnectionSecurity> security = options::read_security(arguments.security);
  if (!security.ok()) return fail(support::ExitCode::kUsage, message_of(security.status()));
  arguments.options.security = *std::move(security);
  if (absl::Status status = options::check_metrics(arguments.metrics); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  const absl::StatusOr<experiment::Experiment> experiment =
      study::load_osu_experiment(arguments.request, support::all_parts().tenants, support::plan_experiment);
  if (!experiment.ok()) return fail(support::exit_code_of_input(experiment.status()), message_of(experiment.status()));
  if (absl::Status status = options::check_html(arguments.html); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  if (absl::Status status = options::check_record(arguments.record); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  std::vector<support::NamedFile> read{{"the experiment", arguments.request.experiment.file}};
  support::add_files_read(support::input_files({&*experiment, 1}), read);
  if (absl::Status status =
          support::check_distinct({{"--html", arguments.html}, options::recorded_file(arguments.record)}, read);
      !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  options::tell_overrides(arguments.request.experiment);
  absl::StatusOr<options::ServedStudy> metrics = options::ServedStudy::create(arguments.metrics, "osu");
  if (!metrics.ok()) return fail(support::ExitCode::kUsage, message_of(metrics.status()));
  metrics->expect(1);
  v1::Report partial;
  absl::StatusOr<v1::Report> report = support::counted_run_to_end(*experiment, support::all_parts(), arguments.options,
                                                                  nullptr, metrics->study(), &partial);
  const bool interrupted = absl::IsCancelled(report.status());
  const bool complete = report.ok() && report->complete();
  if (interrupted && partial.osu().results_size() > 0) report = std::move(partial);
  const support::ExitCode code = report.ok()
                                     ? tell(arguments, *experiment, *report, interrupted)
                                     : fail(support::exit_code_of_input(report.status()), message_of(report.status()));
  metrics->end(code, complete, interrupted);
  return code;
}

}  // namespace

void add_osu_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("osu", "Run an OSU micro-benchmark on the network of an experiment");
  auto arguments = std::make_shared<OsuArguments>();
  study::OsuRequest& request = arguments->request;
  command
      ->add_option("BENCHMARK", request.benchmark,
                   "latency, bw, bibw, mbw_mr, one_way_lat, barrier, bcast, allreduce, alltoall, reduce, allgather, "
                   "gather, scatter or reduce_scatter")
      ->required();
  options::add_experiment_options(*command, request.experiment);
  options::add_security_options(*command, arguments->security);
  options::add_no_shm_option(*command, arguments->security);
  command
      ->add_option("--place", request.hosts,
                   "Hosts in the order of ranks, as in 'mpsoc[0],mpsoc[5]' (default: the first ones)")
      ->type_name("SELECT,...")
      ->check([](const std::string& text) { return text.empty() ? "name hosts, as in 'mpsoc[0],mpsoc[5]'" : ""; });
  command->add_option("--sizes", request.sizes, "Message sizes, as in 0,64,4MiB (default: those of the suite)")
      ->type_name("SIZE,...");
  const auto number = [&](const char* name, std::optional<int32_t>& value, const char* what, int32_t least,
                          int32_t most = kMaxNumber) {
    command->add_option(name, value, what)->type_name("N")->check(CLI::Range(least, most));
  };
  number("--ranks", request.ranks, "Ranks of a collective or mbw_mr (default: as many as fit on the hosts)", 2);
  number("--ranks-per-host", request.ranks_per_host, "Ranks that share a host (default: 1)", 1,
         placement::kMaxRanksPerHost);
  number("--iterations", request.iterations, "Measured iterations of each size (default: 20)", 1);
  number("--warmup", request.warmup, "Iterations before those (default: 2)", 0);
  number("--window", request.window, "Messages of bw, bibw and mbw_mr that are on their way (default: 64)", 1);
  command
      ->add_option("--threads", arguments->options.threads,
                   "Threads of this process (default: as many as its partitions can use)")
      ->type_name("N")
      ->check(CLI::Range(1, support::kMaxThreads));
  command->add_option("--watchdog", arguments->watchdog, "End a run in which nothing moves for this long (0s: never)")
      ->type_name("TIME")
      ->capture_default_str();
  options::add_html_option(*command, arguments->html);
  options::add_record_option(*command, arguments->record);
  options::add_metrics_options(*command, arguments->metrics);
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->add_flag("--quiet", arguments->options.quiet, "No progress, only warnings and errors");
  command->callback([arguments, &exit_code] {
    if (arguments->options.quiet) spdlog::set_level(spdlog::level::warn);
    exit_code = execute(*arguments);
  });
}

}  // namespace fabrictwin::cli
