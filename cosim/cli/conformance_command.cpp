// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bridges/caller/check_places.h"
#include "bridges/conformance/conformance.h"
#include "cosim/base/address.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/cli/commands.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/interrupt.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::cli {
namespace {

namespace conformance = bridges::conformance;

struct ConformanceArguments {
  std::string address;
  std::string experiment;
  std::string select;
  std::vector<std::string> sets;
  std::vector<std::string> only;
  std::string record;
  std::string replay;
  std::string timeout = "10s";
  options::SecurityArguments security;
  bool json = false;
  bool list = false;
};

support::ExitCode list_checks() {
  std::string text;
  for (const conformance::CheckKind& kind : conformance::all_checks())
    text += fmt::format("{:<24} {} ({})\n", kind.name, kind.about, kind.section);
  const absl::Status printed = support::print_data(text);
  return printed.ok() ? support::ExitCode::kOk : fail(support::ExitCode::kRunFailed, message_of(printed));
}

/// InvalidArgument for a name that is neither that of a check nor of a group of them.
absl::Status check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::vector<std::string_view> known;
    for (const conformance::CheckKind& kind : conformance::all_checks()) {
      known.push_back(kind.name);
      if (const size_t dot = kind.name.find('.'); dot != std::string_view::npos)
        known.push_back(kind.name.substr(0, dot));
    }
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return absl::InvalidArgumentError(
        fmt::format("--only: there is no check {}{}; --list names all", name, did_you_mean(name, known)));
  }
  return absl::OkStatus();
}

/// InvalidArgument for a file of --record that cannot be written, or that would replace what is read.
absl::Status check_record(const ConformanceArguments& arguments) {
  if (arguments.record.empty()) return absl::OkStatus();
  if (absl::Status status = support::check_file(arguments.record); !status.ok()) return status;
  if (arguments.experiment.empty()) return absl::OkStatus();
  std::vector<support::NamedFile> read{{"the experiment", arguments.experiment}};
  experiment::Overrides overrides;
  overrides.sets = arguments.sets;
  // Mistakes of the experiment are told when the place is examined.
  const absl::StatusOr<experiment::Experiment> experiment = support::load({arguments.experiment, overrides});
  if (experiment.ok()) support::add_files_read(support::input_files({&*experiment, 1}), read);
  return support::check_distinct({{"--record", arguments.record}}, read);
}

absl::Status check_arguments(const ConformanceArguments& arguments) {
  if (arguments.address.empty()) return absl::InvalidArgumentError("name the place: HOST:PORT or unix:PATH");
  if (!is_address(arguments.address))
    return absl::InvalidArgumentError(fmt::format("{} is no address; write HOST:PORT or unix:PATH", arguments.address));
  if (arguments.experiment.empty() != arguments.select.empty())
    return absl::InvalidArgumentError(
        "--experiment and --select go together: a system, and what of it is at the place");
  if (arguments.experiment.empty() && !arguments.sets.empty())
    return absl::InvalidArgumentError("--set changes the system of --experiment, and there is none");
  if (!arguments.replay.empty() && (!arguments.experiment.empty() || !arguments.record.empty()))
    return absl::InvalidArgumentError("--replay plays what is in its file; leave out --experiment and --record");
  if (absl::Status status = check_names(arguments.only); !status.ok()) return status;
  return check_record(arguments);
}

absl::StatusOr<std::vector<conformance::Subject>> subjects_of(const ConformanceArguments& arguments) {
  if (arguments.experiment.empty()) return conformance::usual_subjects();
  absl::StatusOr<std::string> text = experiment::read_experiment(arguments.experiment);
  if (!text.ok()) return text.status();
  const std::string name = experiment::experiment_name(arguments.experiment);
  return std::vector<conformance::Subject>{{fmt::format("{} of {}", arguments.select, name), *std::move(text), name,
                                            arguments.sets, arguments.select, false, true}};
}

absl::StatusOr<conformance::Report> examine(const ConformanceArguments& arguments,
                                            const conformance::Options& options) {
  if (!arguments.replay.empty()) {
    const absl::StatusOr<std::string> text = experiment::read_experiment(arguments.replay);
    if (!text.ok()) return text.status();
    const absl::StatusOr<conformance::Conversation> conversation = conformance::parse_conversation(*text);
    if (!conversation.ok())
      return absl::InvalidArgumentError(fmt::format("{}: {}", arguments.replay, message_of(conversation.status())));
    return conformance::replay(options, *conversation);
  }
  const absl::StatusOr<std::vector<conformance::Subject>> subjects = subjects_of(arguments);
  if (!subjects.ok()) return subjects.status();
  return conformance::check_place(options, *subjects);
}

absl::Status write_record(const ConformanceArguments& arguments, const conformance::Report& report) {
  if (arguments.record.empty()) return absl::OkStatus();
  if (!report.recorded.has_value())
    return absl::AbortedError(
        fmt::format("{} is not written: no run with the place came to its end", arguments.record));
  return support::write_file(arguments.record, conformance::conversation_text(*report.recorded));
}

support::ExitCode conform(const ConformanceArguments& arguments) {
  if (arguments.list) return list_checks();
  if (absl::Status status = check_arguments(arguments); !status.ok())
    return fail(support::ExitCode::kUsage, message_of(status));
  conformance::Options options;
  options.address = arguments.address;
  options.only = arguments.only;
  const absl::StatusOr<std::chrono::milliseconds> timeout = support::parse_wall_time("--timeout", arguments.timeout);
  if (!timeout.ok()) return fail(support::ExitCode::kUsage, message_of(timeout.status()));
  if (*timeout <= std::chrono::milliseconds(0))
    return fail(support::ExitCode::kUsage, "--timeout: a place needs some time to answer, as in --timeout 10s");
  options.timeout = *timeout;
  absl::StatusOr<ConnectionSecurity> security = options::read_security(arguments.security);
  if (!security.ok()) return fail(support::ExitCode::kUsage, message_of(security.status()));
  options.security = *std::move(security);
  if (absl::Status allowed = bridges::caller::check_address(arguments.address, options.security); !allowed.ok())
    return fail(support::ExitCode::kUsage, message_of(allowed));
  // What the small systems are warned of is not about the place.
  spdlog::set_level(spdlog::level::err);
  options.executable = support::executable();
  options.registry = support::all_parts();
  const support::Interrupt interrupt;
  options.stop = interrupt.token();
  const absl::StatusOr<conformance::Report> report = examine(arguments, options);
  if (!report.ok()) return fail(support::exit_code_of_input(report.status()), message_of(report.status()));
  for (const absl::Status& output :
       {support::print_data(
            arguments.json ? support::with_provenance(conformance::report_json(*report), support::make_provenance())
                           : conformance::report_text(*report)),
        write_record(arguments, *report)}) {
    if (!output.ok()) return fail(support::ExitCode::kRunFailed, message_of(output));
  }
  return report->failed() ? support::ExitCode::kRunFailed : support::ExitCode::kOk;
}

}  // namespace

void add_conformance_command(CLI::App& app, support::ExitCode& exit_code) {
  CLI::App* command =
      app.add_subcommand("conformance", "Check a worker or board agent of your own against the bridge protocol");
  auto arguments = std::make_shared<ConformanceArguments>();
  command->add_option("ADDR", arguments->address, "Where the place listens: HOST:PORT or unix:PATH")->type_name("");
  command
      ->add_option("--experiment", arguments->experiment,
                   "A system that the place is a part of, instead of the usual ones")
      ->type_name("FILE")
      ->check(options::not_empty(options::kFileWanted));
  command->add_option("--select", arguments->select, "With --experiment: the elements at the place, as in 'router[1]'")
      ->type_name("SELECT");
  command->add_option("--set", arguments->sets, "With --experiment: change a field")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--only", arguments->only, "Only these checks, or groups of them: refuse, rows.now")
      ->type_name("CHECK")
      ->allow_extra_args(false);
  command->add_option("--record", arguments->record, "Write the conversation of the first run that comes to its end")
      ->type_name("FILE")
      ->check(options::not_empty(options::kFileWanted));
  command->add_option("--replay", arguments->replay, "Play the caller's side of a recorded conversation instead")
      ->type_name("FILE")
      ->check(options::not_empty(options::kFileWanted));
  command->add_option("--timeout", arguments->timeout, "How long an answer may take before the place counts as hanging")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print a JSON object");
  command->add_flag("--list", arguments->list, "Print the checks, and end");
  options::add_security_options(*command, arguments->security);
  command->callback([arguments, &exit_code] { exit_code = conform(*arguments); });
}

}  // namespace fabrictwin::cli
