// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/mpi_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/caller/check_places.h"
#include "bridges/mpi/greeting.h"
#include "bridges/mpi/launch.h"
#include "bridges/mpi/rank_calls.h"
#include "bridges/mpi/worker.h"
#include "bridges/mpi/world.h"
#include "cosim/base/text.h"
#include "cosim/cli/support/console.h"
#include "cosim/cli/support/parts.h"
#include "cosim/cli/support/provenance.h"
#include "cosim/cli/support/run_choices.h"

namespace fabrictwin::cli {
namespace {

constexpr std::chrono::milliseconds kEndPatience{20'000};

/// The arguments that change the experiment, in one order.
std::string changes_of(const options::RunArguments& arguments) {
  const experiment::Input& input = arguments.experiment;
  std::vector<std::string> words;
  for (const std::string& set : input.overrides.sets) words.push_back("--set " + set);
  for (const std::string& use : input.overrides.uses) words.push_back("--use " + use);
  if (input.overrides.seed.has_value()) words.push_back(fmt::format("--seed {}", *input.overrides.seed));
  if (input.split > 1) words.push_back(fmt::format("--split {}", input.split));
  for (const std::string& sweep : arguments.sweeps) words.push_back("--sweep " + sweep);
  if (arguments.saturation) words.emplace_back("--saturation");
  return fmt::format("{}", fmt::join(words, " "));
}

/// What must be the same in all ranks. Standard input is read by rank 0 alone, which is the only one that has it; of
/// all others its text is then no concern.
bridges::mpi::Identity identity(const options::RunArguments& arguments) {
  const std::string& file = arguments.experiment.file;
  // What is no file, as a pipe, could not be read a second time.
  std::error_code ignored;
  const bool shared = std::filesystem::is_regular_file(file, ignored);
  const v1::Provenance here = shared ? support::make_provenance({file}) : support::make_provenance();
  bridges::mpi::Identity made;
  made.version = here.version();
  made.commit = here.commit() + (here.dirty() ? "+" : "");
  if (here.inputs_size() > 0) made.experiment = here.inputs(0).xxh128();
  made.changes = changes_of(arguments);
  return made;
}

/// Lets the other ranks end when this object does, also if the run ends with an exception.
class Dismissal {
 public:
  explicit Dismissal(bridges::mpi::World& world) : world_(world) {}
  ~Dismissal() { bridges::mpi::dismiss(world_, kEndPatience); }
  Dismissal(const Dismissal&) = delete;
  Dismissal& operator=(const Dismissal&) = delete;

 private:
  bridges::mpi::World& world_;
};

/// InvalidArgument for arguments that do not fit a world of so many ranks.
absl::Status check_arguments(const options::RunArguments& arguments, int ranks) {
  if (arguments.is_sweep()) {
    return absl::InvalidArgumentError(
        fmt::format("--sweep and --saturation make many runs, and MPI has started {} ranks for a single one; start "
                    "them without mpirun, with --jobs",
                    ranks));
  }
  const int split = arguments.experiment.split;
  if (split == 1 || split == ranks) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("--split {} in an MPI world of {} ranks: each part is a rank; write --split {}, or start the run as "
                  "mpirun -n {}",
                  split, ranks, ranks, split));
}

support::ExitCode serve(bridges::mpi::World& world) {
  const absl::Status status = bridges::mpi::serve_rank(world, support::all_parts());
  if (status.ok()) return support::ExitCode::kOk;
  // Rank 0 does not know of it.
  support::tell(stderr, fmt::format("fabrictwin: error: rank {} ({}): {}\n", world.rank(), world.processor_name(),
                                    message_of(status)));
  world.abort(static_cast<int>(support::ExitCode::kRunFailed), "a rank of the run has failed");
  return support::ExitCode::kRunFailed;
}

}  // namespace

absl::Status check_ranks(const experiment::Experiment& experiment, const system::Plan& plan, const Ranks& ranks) {
  if (absl::Status status = bridges::caller::check_ranks(experiment, plan, ranks.count); !status.ok()) return status;
  std::vector<int> idle;
  for (int rank = 1; rank < ranks.count; ++rank) {
    const auto is_there = [rank](const system::Place& place) {
      return place.kind == system::PlaceKind::kMpiRank && place.rank == rank;
    };
    if (std::ranges::none_of(plan.places, is_there)) idle.push_back(rank);
  }
  if (idle.empty()) return absl::OkStatus();
  if (static_cast<int>(idle.size()) < ranks.count - 1) {
    spdlog::warn("nothing of the experiment runs at rank {} of MPI; start fewer ranks, or write rules with mpi:{}",
                 fmt::join(idle, ", "), idle[0]);
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("MPI has started {} ranks, and nothing is to run at them; add --split {}, or rules with a place from "
                  "mpi:1 to mpi:{}, or start the run without mpirun (of many with srun: --mpi=none)",
                  ranks.count, ranks.count, ranks.count - 1));
}

void fail_by_mpi(std::string_view error) {
  if (bridges::mpi::launch().size == 1) return;
  const absl::StatusOr<std::unique_ptr<bridges::mpi::World>> joined = bridges::mpi::join_world(support::executable());
  if (!joined.ok()) return;
  bridges::mpi::Identity failed;
  failed.failure = error;
  // All that it could tell is known.
  bridges::mpi::greet(**joined, failed).IgnoreError();
}

support::ExitCode run_by_mpi(
    const options::RunArguments& arguments,
    const std::function<support::ExitCode(const options::RunArguments& arguments, const Ranks& ranks)>& run) {
  const absl::StatusOr<std::unique_ptr<bridges::mpi::World>> joined = bridges::mpi::join_world(support::executable());
  if (!joined.ok()) return support::fail(support::ExitCode::kUsage, message_of(joined.status()));
  bridges::mpi::World& world = **joined;
  if (const absl::Status alike = bridges::mpi::greet(world, identity(arguments)); !alike.ok())
    return support::fail(support::ExitCode::kUsage, message_of(alike));
  // All ranks have the same arguments, and come to the same end here: rank 0 tells of it.
  if (const absl::Status status = check_arguments(arguments, world.size()); !status.ok())
    return support::fail(support::ExitCode::kUsage, message_of(status));
  if (world.rank() > 0) return serve(world);
  const Dismissal dismissal(world);
  bridges::mpi::WorldLinks links(world);
  options::RunArguments by_ranks = arguments;
  by_ranks.experiment.split_by_ranks = true;
  return run(by_ranks, {world.size(), bridges::caller::rank_connector(links)});
}

}  // namespace fabrictwin::cli
