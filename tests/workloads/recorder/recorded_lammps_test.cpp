// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A real application: Debian's LAMMPS, which is built with Open MPI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/recorder/mpi_run.h"
#include "workloads/skeleton/lammps/lj.h"
#include "workloads/trace/tools/copy.h"
#include "workloads/trace/tools/stats.h"

namespace fabrictwin {
namespace {

#ifdef RECORDER_LAMMPS

// The melt of LAMMPS's own benchmark in.lj: 32 000 atoms, neighbours anew every 20 steps.
constexpr std::string_view kMelt = R"(
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 20
)";
constexpr uint32_t kSteps = 20;
constexpr uint64_t kRebuilds = 1;

uint64_t count_of(const v1::TraceStats& stats, const std::string& action) {
  for (const v1::ActionTotal& total : stats.actions()) {
    if (total.action() == action) return total.count();
  }
  return 0;
}

TEST(RecordedLammps, CommunicatesAsItsFormulasSay) {
  const MpiLibrary mpi = mpi_libraries().front();
  ASSERT_EQ(mpi.name, "openmpi");
  const TestFolder folder;
  const std::string input = folder.write("in.lj", kMelt);
  const std::string trace = folder.file("lj.fttrace");
  const CliResult run = run_mpi(mpi, 4, {RECORDER_LAMMPS, "-in", input, "-log", "none"}, mpi.library, trace);
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  const absl::StatusOr<v1::TraceStats> stats = trace::tools::trace_stats(trace);
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->application(), "lmp");
  EXPECT_THAT(stats->source(), testing::StartsWith("recorded with Open MPI"));
  const CliResult check = run_cli({"trace", "check", trace});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  expect_replay(trace);

  // Of each of 4 ranks in a grid of 1 x 2 x 2: two dimensions with two ranks. Each has an exchange with one neighbour
  // and two swaps, which are with the rank itself in the third dimension: nothing is sent.
  constexpr uint64_t kExchanges = 2;
  constexpr uint64_t kSwaps = 4;
  const uint64_t both = 4 * (1 + kRebuilds) * (kExchanges + kSwaps);  // MPI_Sendrecv
  EXPECT_EQ(count_of(*stats, "isend"), both);
  const uint64_t sends = 4 * ((1 + kRebuilds) * (kExchanges + 2 * kSwaps) + 2 * kSwaps * (kSteps - kRebuilds));
  EXPECT_EQ(count_of(*stats, "send"), sends);
  EXPECT_EQ(count_of(*stats, "irecv"), both + sends);

  // What is made of the same formulas for any number of ranks.
  const auto skeleton = skeleton::lammps::Lj::create({.ranks = 4, .atoms = 32000, .steps = kSteps});
  ASSERT_TRUE(skeleton.ok()) << skeleton.status();
  const std::string generated = folder.file("generated.fttrace");
  ASSERT_TRUE(trace::tools::copy_trace(**skeleton, generated).ok());
  const absl::StatusOr<v1::TraceStats> expected = trace::tools::trace_stats(generated);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const char* action : {"allreduce", "barrier", "reduce", "scan", "init", "finalize"}) {
    EXPECT_EQ(count_of(*stats, action), count_of(*expected, action)) << action;
  }
  const auto bytes = static_cast<double>(expected->point_to_point().bytes());
  EXPECT_NEAR(static_cast<double>(stats->point_to_point().bytes()), bytes, 0.02 * bytes);
  EXPECT_EQ(stats->point_to_point().directed_pairs(), expected->point_to_point().directed_pairs());
  // It computes: that much is certain.
  EXPECT_GT(stats->compute().min_rank_seconds(), 0.001);
}

#endif

}  // namespace
}  // namespace fabrictwin
