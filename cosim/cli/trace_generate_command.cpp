// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/options/checks.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/trace_commands.h"
#include "workloads/skeleton/hpcg.h"
#include "workloads/skeleton/lammps/chain.h"
#include "workloads/skeleton/lammps/lj.h"
#include "workloads/skeleton/lammps/rhodo.h"
#include "workloads/skeleton/minife.h"
#include "workloads/trace/tools/copy.h"

namespace fabrictwin::cli {
namespace {

using SourceOr = absl::StatusOr<std::shared_ptr<const trace::format::Source>>;

struct GenerateArguments {
  uint32_t ranks = 0;
  std::string out;
  std::string host = "none";
  std::string compute = "host";
  std::string local;
  std::string grid;
  uint32_t reference_iterations = 0;
  std::string global;
  uint32_t iterations = 0;
  std::vector<uint32_t> breakdown_tests;
  uint64_t atoms = 0;
  uint32_t steps = 0;
  uint32_t rebuild_steps = skeleton::lammps::ChainOptions{}.rebuild_steps;
};

absl::Status with_option(std::string_view option, const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("{}: {}", option, message_of(status)));
}

absl::Status read_extent(std::string_view option, const std::string& text, skeleton::Extent& extent) {
  const absl::StatusOr<skeleton::Extent> read = skeleton::parse_extent(text);
  if (!read.ok()) return with_option(option, read.status());
  extent = *read;
  return absl::OkStatus();
}

absl::StatusOr<skeleton::HostProfile> read_host(const GenerateArguments& arguments) {
  absl::StatusOr<skeleton::HostProfile> host =
      skeleton::find_host_profile(arguments.compute == "none" ? "none" : arguments.host);
  if (!host.ok()) return with_option("--host", host.status());
  return host;
}

SourceOr make_hpcg(const GenerateArguments& arguments) {
  skeleton::HpcgOptions options;
  options.ranks = arguments.ranks;
  options.reference_iterations = arguments.reference_iterations;
  if (absl::Status status = read_extent("--local", arguments.local, options.local); !status.ok()) return status;
  if (!arguments.grid.empty()) {
    if (absl::Status status = read_extent("--grid", arguments.grid, options.grid.emplace()); !status.ok())
      return status;
  }
  absl::StatusOr<skeleton::HostProfile> host = read_host(arguments);
  if (!host.ok()) return host.status();
  options.host = *host;
  return skeleton::Hpcg::create(options);
}

SourceOr make_minife(const GenerateArguments& arguments) {
  skeleton::MinifeOptions options;
  options.ranks = arguments.ranks;
  options.iterations = arguments.iterations;
  options.breakdown_tests = arguments.breakdown_tests;
  if (absl::Status status = read_extent("--global", arguments.global, options.elements); !status.ok()) return status;
  absl::StatusOr<skeleton::HostProfile> host = read_host(arguments);
  if (!host.ok()) return host.status();
  options.host = *host;
  return skeleton::Minife::create(options);
}

template <typename Skeleton, typename Options>
SourceOr make_lammps(const GenerateArguments& arguments, Options options) {
  options.ranks = arguments.ranks;
  options.atoms = arguments.atoms;
  options.steps = arguments.steps;
  absl::StatusOr<skeleton::HostProfile> host = read_host(arguments);
  if (!host.ok()) return host.status();
  options.host = *host;
  return Skeleton::create(options);
}

SourceOr make_lammps_lj(const GenerateArguments& arguments) {
  return make_lammps<skeleton::lammps::Lj>(arguments, skeleton::lammps::Options{});
}

SourceOr make_lammps_rhodo(const GenerateArguments& arguments) {
  return make_lammps<skeleton::lammps::Rhodo>(arguments, skeleton::lammps::Options{});
}

SourceOr make_lammps_chain(const GenerateArguments& arguments) {
  skeleton::lammps::ChainOptions options;
  options.rebuild_steps = arguments.rebuild_steps;
  return make_lammps<skeleton::lammps::Chain>(arguments, options);
}

absl::Status generate(const SourceOr& source, const std::string& out) {
  if (!source.ok()) return source.status();
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<uint64_t> events = trace::tools::copy_trace(**source, out);
  if (!events.ok()) return events.status();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return support::print_data(fmt::format("{}: {} ranks, {} events, {:.3g} s, {:.3g} million events a second\n", out,
                                         (*source)->ranks(), *events, seconds,
                                         static_cast<double>(*events) / std::max(seconds, 1e-9) * 1e-6));
}

CLI::App* add_application(CLI::App& command, const char* name, const char* description,
                          const std::shared_ptr<GenerateArguments>& arguments,
                          SourceOr (*make)(const GenerateArguments&), support::ExitCode& exit_code) {
  CLI::App* application = command.add_subcommand(name, description);
  application->add_option("--ranks", arguments->ranks, "Number of ranks")
      ->type_name("N")
      ->check(options::check_whole_number<uint32_t>)
      ->required();
  application->add_option("--out", arguments->out, "The .fttrace file to write")
      ->type_name("FILE")
      ->required()
      ->check(options::not_empty(options::kFileWanted));
  application->add_option("--host", arguments->host, "How fast a rank computes: " + skeleton::host_profile_names())
      ->type_name("PROFILE")
      ->capture_default_str();
  application->add_option("--compute", arguments->compute, "none: computation takes no time, whatever the host")
      ->type_name("host|none")
      ->check(CLI::IsMember({"host", "none"}))
      ->capture_default_str();
  application->callback(
      [arguments, make, &exit_code] { exit_code = finish_trace_command(generate(make(*arguments), arguments->out)); });
  return application;
}

}  // namespace

void add_trace_generate_command(CLI::App& trace, support::ExitCode& exit_code) {
  CLI::App* command = trace.add_subcommand("generate", "Make the trace of an application without running it");
  command->require_subcommand(1);
  auto arguments = std::make_shared<GenerateArguments>();

  CLI::App* hpcg = add_application(*command, "hpcg", "HPCG 3.1", arguments, make_hpcg, exit_code);
  hpcg->add_option("--local", arguments->local, "Points of a rank, as in 16x16x16")->type_name("NXxNYxNZ")->required();
  hpcg->add_option("--reference-iterations", arguments->reference_iterations,
                   "Iterations of the reference solver; HPCG's own value is 50")
      ->type_name("R")
      ->check(options::check_whole_number<uint32_t>)
      ->required();
  hpcg->add_option("--grid", arguments->grid, "Grid of ranks; default: the one that HPCG chooses")
      ->type_name("PXxPYxPZ");

  CLI::App* minife = add_application(*command, "minife", "miniFE 2.0", arguments, make_minife, exit_code);
  minife->add_option("--global", arguments->global, "Elements of the whole grid, as in 64x64x64")
      ->type_name("NXxNYxNZ")
      ->required();
  minife->add_option("--iterations", arguments->iterations, "Iterations of the solver")
      ->type_name("K")
      ->check(options::check_whole_number<uint32_t>)
      ->required();
  minife
      ->add_option("--breakdown-tests", arguments->breakdown_tests,
                   "Iterations in which the solver tests for a breakdown (near convergence), as in 49,50,53")
      ->type_name("I,J,...")
      ->check(options::check_whole_number<uint32_t>)
      ->delimiter(',');

  CLI::App* lj = add_application(*command, "lammps-lj", "LAMMPS, Lennard-Jones benchmark (in.lj)", arguments,
                                 make_lammps_lj, exit_code);
  CLI::App* rhodo = add_application(*command, "lammps-rhodo", "LAMMPS, rhodopsin benchmark (in.rhodo)", arguments,
                                    make_lammps_rhodo, exit_code);
  CLI::App* chain = add_application(*command, "lammps-chain", "LAMMPS, benchmark of bead-spring chains (in.chain)",
                                    arguments, make_lammps_chain, exit_code);
  chain
      ->add_option("--rebuild-steps", arguments->rebuild_steps,
                   "Steps from one rebuild of neighbour lists to the next; as recorded")
      ->type_name("K")
      ->check(options::check_whole_number<uint32_t>)
      ->capture_default_str();
  for (CLI::App* lammps : {lj, rhodo, chain}) {
    lammps->add_option("--atoms", arguments->atoms, "Number of atoms; the benchmark has 32000")
        ->type_name("A")
        ->check(options::check_whole_number<uint64_t>)
        ->required();
    lammps->add_option("--steps", arguments->steps, "Number of time steps")
        ->type_name("S")
        ->check(options::check_whole_number<uint32_t>)
        ->required();
  }
}

}  // namespace fabrictwin::cli
