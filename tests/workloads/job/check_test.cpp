// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "tests/experiments.h"
#include "workloads/gemm/spec.h"
#include "workloads/job/skeleton.h"
#include "workloads/job/spec.h"
#include "workloads/job/trace.h"
#include "workloads/osu/spec.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

absl::StatusOr<experiment::Experiment> with(const std::string& work) {
  return test::parse_experiment("topology { torus { dims: [4, 4] } }\nworkload {\n" + work + "\n}\n", "e.textproto");
}

job::JobsSpec jobs_of(const std::string& work) {
  const auto experiment = with(work);
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  return experiment.ok() ? *experiment->workload_as<job::JobsSpec>() : job::JobsSpec{};
}

std::string error_of(const std::string& work) { return std::string(message_of(with(work).status())); }

TEST(JobCheck, ReadsSkeletons) {
  const job::JobsSpec hpcg = jobs_of("skeleton { ranks: 8 hpcg { local: \"16x8x24\" } }");
  ASSERT_EQ(hpcg.jobs.size(), 1u);
  const auto& skeleton = *hpcg.jobs[0].work_as<job::SkeletonSpec>();
  EXPECT_EQ(skeleton.ranks, 8);
  EXPECT_THAT(std::get<job::HpcgSpec>(skeleton.application).local, ElementsAre(16, 8, 24));
  EXPECT_EQ(std::get<job::HpcgSpec>(skeleton.application).reference_iterations, 1);
  const job::JobsSpec minife = jobs_of("skeleton { ranks: 7 minife { global: \"10x11x12\" } }");
  EXPECT_EQ(std::get<job::MinifeSpec>(minife.jobs[0].work_as<job::SkeletonSpec>()->application).iterations, 200);
  const job::JobsSpec rhodo = jobs_of("skeleton { ranks: 7 lammps_rhodo { atoms: 32000 steps: 5 } }");
  const auto& lammps = std::get<job::LammpsSpec>(rhodo.jobs[0].work_as<job::SkeletonSpec>()->application);
  EXPECT_EQ(lammps.problem, v1::Skeleton::kLammpsRhodo);
  EXPECT_EQ(lammps.atoms, 32000);
  EXPECT_EQ(lammps.steps, 5);
  const job::JobsSpec chain = jobs_of("skeleton { ranks: 7 lammps_chain { atoms: 32000 } }");
  EXPECT_EQ(std::get<job::LammpsSpec>(chain.jobs[0].work_as<job::SkeletonSpec>()->application).rebuild_steps, 4);
  const job::JobsSpec often = jobs_of("skeleton { ranks: 7 lammps_chain { atoms: 32000 rebuild_steps: 3 } }");
  EXPECT_EQ(std::get<job::LammpsSpec>(often.jobs[0].work_as<job::SkeletonSpec>()->application).rebuild_steps, 3);
}

TEST(JobCheck, ReadsGridsOfRanks) {
  const job::JobsSpec spec = jobs_of("skeleton { ranks: 12 hpcg { local: \"8x8x8\" grid: \"3x2x2\" } }");
  const auto hpcg = std::get<job::HpcgSpec>(spec.jobs.at(0).work_as<job::SkeletonSpec>()->application);
  ASSERT_TRUE(hpcg.grid.has_value());
  EXPECT_THAT(*hpcg.grid, ElementsAre(3, 2, 2));
}

TEST(JobCheck, EagerLimitsAreOfTheHostUnlessATraceHasItsOwn) {
  const auto experiment = [](const std::string& host, const std::string& work) {
    return test::parse_experiment("topology { torus { dims: 4 } } host { " + host + " }\nworkload { " + work + " }",
                                  "e.textproto");
  };
  const std::string jobs =
      "jobs { job { mpi_trace { path: \"workloads/experiments/data/hpcg-8.fttrace\" } } "
      "job { mpi_trace { path: \"workloads/experiments/data/hpcg-8.fttrace\" eager_limit: \"0B\" } } }";
  const auto both = experiment("eager_limit: \"4KiB\"", jobs);
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(both->host.eager_limit.count, 4096);
  const job::JobsSpec& spec = *both->workload_as<job::JobsSpec>();
  EXPECT_FALSE(spec.jobs.at(0).work_as<job::MpiTraceSpec>()->eager_limit.has_value());
  EXPECT_EQ(spec.jobs.at(1).work_as<job::MpiTraceSpec>()->eager_limit, Bytes{0});
  EXPECT_EQ(experiment("", jobs)->host.eager_limit.count, 32);
  EXPECT_THAT(experiment("eager_limit: \"4\"", "osu { benchmark: BW }").status().message(),
              HasSubstr("e.textproto:1:52: error:"));
  EXPECT_THAT(experiment("eager_limit: \"4KiB\"", "traffic { load: 0.1 }").status().message(),
              HasSubstr("eager_limit is for"));
}

TEST(JobCheck, AWrongNumberIsTheOnlyMistake) {
  EXPECT_THAT(error_of("gemm { size: 100000 rows: 2 columns: 2 }"),
              AllOf(HasSubstr("size 100000: write 1 to 16384"), Not(HasSubstr("need a multiple"))));
}

TEST(JobCheck, ReadsBenchmarks) {
  const job::JobsSpec spec =
      jobs_of("osu { benchmark: BW sizes: \"0\" sizes: \"4MiB\" iterations: 3 warmup: 0 window: 8 }");
  const auto& osu = *spec.jobs.at(0).work_as<osu::OsuSpec>();
  EXPECT_EQ(osu.benchmark, v1::Osu::BW);
  ASSERT_EQ(osu.sizes.size(), 2u);
  EXPECT_EQ(osu.sizes[1].count, 4 << 20);
  EXPECT_EQ(osu.iterations, 3);
  EXPECT_EQ(osu.warmup, 0);
  EXPECT_EQ(osu.window, 8);
  EXPECT_EQ(osu.ranks, 0);
  EXPECT_EQ(jobs_of("osu { benchmark: BARRIER }").jobs.at(0).work_as<osu::OsuSpec>()->warmup, 2);
}

TEST(JobCheck, ReadsMatrixMultiplications) {
  const auto gemm = *jobs_of("gemm { size: 1024 rows: 2 columns: 4 }").jobs.at(0).work_as<gemm::GemmSpec>();
  EXPECT_EQ(gemm.panel, 128);
  EXPECT_EQ(gemm.tile, 128);
  EXPECT_EQ(gemm.tile_cycles, 4200);
  EXPECT_EQ(gemm.clock.hertz, 300'000'000);
  EXPECT_EQ(gemm.memory_rate.bits_per_second, 115'200'000'000);
  EXPECT_EQ(gemm.start_overhead, Time::from_us(1));
}

TEST(JobCheck, ReadsPlacements) {
  const placement::PlacementSpec spec =
      jobs_of(
          "skeleton { ranks: 8 hpcg { local: \"8x8x8\" } } placement { kind: ROUND_ROBIN "
          "ranks_per_host: 4 hosts: \"8..15, 0,2..3\" }")
          .jobs.at(0)
          .placement;
  EXPECT_EQ(spec.kind, v1::Placement::ROUND_ROBIN);
  EXPECT_EQ(spec.ranks_per_host, 4);
  EXPECT_THAT(spec.hosts, ElementsAre(Pair(8, 15), Pair(0, 0), Pair(2, 3)));
  EXPECT_EQ(spec.location.line, 3);
}

TEST(JobCheck, ReadsJobs) {
  const job::JobsSpec spec = jobs_of(
      "jobs { job { osu { benchmark: BW } } job { name: \"noise\" background: true osu { "
      "benchmark: ALLTOALL } placement { kind: RANDOM } } }");
  ASSERT_EQ(spec.jobs.size(), 2u);
  EXPECT_EQ(spec.jobs[0].name, "job0");
  EXPECT_FALSE(spec.jobs[0].background);
  EXPECT_EQ(spec.jobs[1].name, "noise");
  EXPECT_TRUE(spec.jobs[1].background);
  EXPECT_EQ(spec.jobs[1].placement.kind, v1::Placement::RANDOM);
}

// A worker reads the message again, somewhere else.
TEST(JobCheck, PathsBecomeWhatCanBeOpened) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "job_check";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ranks.txt") << "0\n";
  const std::string file = (folder / "e.textproto").string();
  std::ofstream(file)
      << "topology { torus { dims: 4 } } workload { jobs { job { osu { benchmark: BW } placement { kind: "
         "FROM_FILE file: \"ranks.txt\" } } } }";
  const auto experiment = test::load_experiment(file);
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const std::string path = (folder / "ranks.txt").lexically_normal().string();
  EXPECT_EQ(experiment->workload_as<job::JobsSpec>()->jobs.at(0).placement.file, path);
  EXPECT_EQ(experiment->message.workload().jobs().job(0).placement().file(), path);
  std::filesystem::remove_all(folder);
}

TEST(JobCheck, SkeletonsSayThemselvesWhatTheyMove) {
  const auto error = [](const std::string& work) {
    const auto experiment = test::parse_experiment(
        "topology { exanest { blades: 1 qfdbs: 1 } }\nhost { memory { bandwidth: \"4GB/s\" compute_traffic: \"2GB/s\" "
        "} "
        "}\nworkload { " +
            work + " }\n",
        "e.textproto");
    return std::string(message_of(experiment.status()));
  };
  EXPECT_THAT(error("skeleton { ranks: 4 hpcg { local: \"8x8x8\" } }"),
              HasSubstr("e.textproto:2:53: error: compute_traffic is for recorded traces"));
  EXPECT_THAT(error("osu { benchmark: BW }"), Not(HasSubstr("compute_traffic")));
}

TEST(JobCheck, NothingComputesOverTheBusOfAnAdapter) {
  const auto experiment = test::parse_experiment(
      "topology { torus { dims: 2 } }\nrouter { model: PACKET }\n"
      "host { nic: RDMA memory { bandwidth: \"4GB/s\" compute_traffic: \"2GB/s\" } }\n"
      "workload { osu { benchmark: BW } }\n",
      "e.textproto");
  EXPECT_THAT(std::string(message_of(experiment.status())),
              HasSubstr("e.textproto:3:63: error: compute_traffic goes through the memory of a host"));
}

struct Wrong {
  const char* work;
  const char* error;  ///< Part of it.
};

class JobCheckError : public ::testing::TestWithParam<Wrong> {};

TEST_P(JobCheckError, IsPlacedAndExplained) {
  const std::string error = error_of(GetParam().work);
  EXPECT_THAT(error, HasSubstr(GetParam().error));
  EXPECT_THAT(error, HasSubstr("e.textproto:3:"));
}

const Wrong kWrong[] = {
    {"skeleton { ranks: 8 }", "3:1: error: the skeleton has no application"},
    {"skeleton { hpcg { local: \"8x8x8\" } }", "3:1: error: ranks is not written; write ranks: 512"},
    {"skeleton { ranks: -1 hpcg { local: \"8x8x8\" } }", "3:19: error: ranks -1: write 1 to 16777216"},
    {"skeleton { ranks: 8 hpcg { } }", "3:21: error: local \"\": write three positive numbers"},
    {"skeleton { ranks: 8 hpcg { local: \"8x8\" } }", "3:35: error: local \"8x8\": write three"},
    {"skeleton { ranks: 8 hpcg { local: \"8x8x-8\" } }", "local \"8x8x-8\": write three"},
    {"skeleton { ranks: 8 hpcg { local: \"8x8x8\" reference_iterations: -3 } }", "reference_iterations -3: write 1"},
    {"skeleton { ranks: 8 hpcg { local: \"8x8x8\" grid: \"2x4\" } }",
     "3:49: error: grid \"2x4\": write three positive"},
    {"skeleton { ranks: 8 minife { global: \"0x8x8\" } }", "global \"0x8x8\": write three"},
    {"skeleton { ranks: 8 lammps_lj { steps: 3 } }", "3:21: error: atoms 0: write how many"},
    {"skeleton { ranks: 8 lammps_lj { atoms: 5 steps: -3 } }", "steps -3: write 1 to 1000000"},
    {"skeleton { ranks: 8 lammps_chain { steps: 3 } }", "3:21: error: atoms 0: write how many"},
    {"skeleton { ranks: 8 lammps_chain { atoms: 32000 rebuild_steps: -1 } }", "rebuild_steps -1: write 1 to 1000000"},
    {"osu { }", "3:1: error: no such benchmark"},
    {"osu { benchmark: BW sizes: \"1GiB\" sizes: \"2GiB\" }", "error: 2 GiB is too long for a message"},
    {"osu { benchmark: BW sizes: \"many\" }", "many"},
    {"osu { benchmark: BW sizes: \"-8\" }", "-8"},
    {"osu { benchmark: BW iterations: -1 }", "iterations -1: write 1 to 1000000"},
    {"osu { benchmark: BW warmup: -1 }", "warmup -1: write 0 to 1000000"},
    {"osu { benchmark: BW window: 100000 }", "window 100000: write 1 to 65536"},
    {"osu { benchmark: BCAST window: 4 }", "3:32: error: window is for the benchmarks BW, BIBW and MBW_MR"},
    {"osu { benchmark: BCAST ranks: 1 }", "ranks 1: write 2 to 16777216"},
    {"gemm { rows: 1 columns: 1 }", "3:1: error: size is not written"},
    {"gemm { size: 1000 rows: 2 columns: 2 }", "size 1000: 2 rows of ranks with tiles of 128 need a multiple of 256"},
    {"gemm { size: 512 rows: 2 columns: 2 panel: 96 }", "panel 96: a panel is a multiple of a tile"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { memory_rate: \"0bps\" } }", "memory_rate 0"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { tile: 64 } }",
     "3:52: error: tile 64: cycles says how long a tile takes; the default, 4200, is for tiles of 128"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { lanes: 6 } }",
     "lanes 6: write a power of two from 4 to the tile, 128"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { tile: 16 lanes: 32 } }",
     "lanes 32: write a power of two from 4 to the tile, 16"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { tile: 256 lanes: 4 } }",
     "tile 256: with lanes, write a power of two from 8 to 128"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { lanes: 4 cycles: 9 } }", "cycles: lanes says how long a tile takes"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { lanes: 4 memory_rate: \"1Gbps\" } }",
     "memory_rate: lanes says how long a tile"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { memory_latency: 4 } }", "memory_latency only counts with lanes"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { lanes: 4 memory_latency: 0 } }",
     "memory_latency 0: write 1 to 10000"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { rtl_ranks: 0 } }", "rtl_ranks: write implementation: RTL, too"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { implementation: RTL } }",
     "implementation RTL: this program has no accelerators in RTL"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { tile: 16 lanes: 8 implementation: RTL } }",
     "implementation RTL: this program has no accelerators in RTL"},
    {"gemm { size: 512 rows: 2 columns: 2 engine { tile: 16 lanes: 4 implementation: RTL rtl_ranks: 4 } }",
     "rtl_ranks"},
    {"jobs { }", "3:1: error: 0 jobs: write 1 to 64 of them"},
    {"jobs { job { name: \"a\" } }", "3:8: error: the job does nothing"},
    {"jobs { job { name: \"a b\" osu { benchmark: BW } } }", "name \"a b\": write letters"},
    {"jobs { job { name: \"a\" osu { benchmark: BW } } job { name: \"a\" osu { benchmark: BW } } }",
     "another job is called \"a\" too"},
    {"jobs { job { background: true osu { benchmark: BW } } }", "all jobs are in the background"},
    {"jobs { job { osu { benchmark: BW } } } placement { kind: BLOCK }",
     "3:40: error: jobs have placements of their own"},
    {"traffic { load: 0.1 } placement { kind: BLOCK }", "placement is for MPI jobs"},
    {"osu { benchmark: BW } placement { kind: 77 }", "unknown"},
    {"osu { benchmark: BW } placement { ranks_per_host: 65 }", "ranks_per_host 65: write 1 to 64"},
    {"osu { benchmark: BW } placement { hosts: \"5..2\" }", "'5..2' is neither the number of a host nor a range"},
    {"osu { benchmark: BW } placement { hosts: \"1,,2\" }", "'' is neither the number"},
    {"osu { benchmark: BW } placement { hosts: \"1,-2\" }", "'-2' is neither the number"},
    {"osu { benchmark: BW } placement { hosts: \"1..3,3\" }", "host 3 is named twice"},
    {"osu { benchmark: BW } placement { kind: FROM_FILE }", "kind FROM_FILE needs file"},
    {"osu { benchmark: BW } placement { kind: FROM_FILE file: \"none.txt\" }", "there is no file"},
    {"osu { benchmark: BW } placement { file: \"ranks.txt\" }", "file is for kind: FROM_FILE, and this is BLOCK"},
    {"osu { benchmark: BW } placement { kind: VIRTUAL_TORUS hosts: \"1\" }",
     "hosts are given by the kind VIRTUAL_TORUS"},
    {"osu { benchmark: BW } placement { kind: VIRTUAL_TORUS virtual_torus: [2, 0] }", "size 0 of a virtual torus"},
    {"osu { benchmark: BW } placement { kind: VIRTUAL_TORUS virtual_torus: [2, 2, 2, 2] }", "one to 3 dimensions"},
    {"osu { benchmark: BW } placement { virtual_torus: 2 }", "virtual_torus is for kind: VIRTUAL_TORUS"},
};

TEST(JobCheck, AnArgumentMayReplaceTheKindOfAPlacement) {
  const auto placed = [](const std::string& placement, std::vector<std::string> sets) {
    experiment::Overrides overrides;
    overrides.sets = std::move(sets);
    overrides.check_files = false;
    return test::parse_experiment(
        "topology { torus { dims: [4, 4] } }\nworkload { osu { benchmark: BW } placement { " + placement + " } }\n",
        "e.textproto", overrides);
  };
  const auto file = placed("kind: FROM_FILE file: \"ranks.txt\"", {"workload.placement.kind=RANDOM"});
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->message.workload().placement().file(), "");
  const auto torus = placed("kind: VIRTUAL_TORUS virtual_torus: 2", {"workload.placement.kind=BLOCK"});
  ASSERT_TRUE(torus.ok()) << torus.status();
  EXPECT_THAT(torus->workload_as<job::JobsSpec>()->jobs.at(0).placement.virtual_torus, ElementsAre());
  // Not what an argument says, too.
  const auto both = placed("kind: CURVE", {"workload.placement.kind=BLOCK", "workload.placement.file=ranks.txt"});
  EXPECT_THAT(std::string(message_of(both.status())), HasSubstr("file is for kind: FROM_FILE, and this is BLOCK"));
}

INSTANTIATE_TEST_SUITE_P(Mistakes, JobCheckError, ::testing::ValuesIn(kWrong));

}  // namespace
}  // namespace fabrictwin
