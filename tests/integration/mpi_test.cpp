// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that mpirun has started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/integration/mpi_launchers.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kFolder = "workloads/experiments/";
const Words kTorus = {kFolder + "all-model.textproto",
                      "--set",
                      "router.model=PACKET",
                      "--set",
                      "workload.skeleton.ranks=8",
                      "--set",
                      "workload.skeleton.minife.global=8x8x8",
                      "--set",
                      "workload.skeleton.minife.iterations=2"};

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// `mpirun -n RANKS fabrictwin run ARGUMENTS`.
CliResult run_ranks(const std::string& mpirun, int ranks, const Words& arguments) {
  Words words{mpirun, "-n", std::to_string(ranks), cli_binary(), "run"};
  append(words, arguments);
  return run_process(words, mpi_environment());
}

Words torus_with(const Words& more) {
  Words words = kTorus;
  append(words, more);
  return words;
}

class MpiLaw : public ::testing::TestWithParam<Words> {};

TEST_P(MpiLaw, TheResultIsThatOfOneProcess) {
  static const Digests alone = digests_of(kTorus, {});
  ASSERT_GT(alone.packets, 100u);
  Words arguments = torus_with(GetParam());
  append(arguments, {"--json", "--quiet"});
  for (const std::string& mpirun : mpi_launchers()) {
    const CliResult result = run_ranks(mpirun, 3, arguments);
    ASSERT_EQ(result.exit_code, 0) << mpirun << ": " << result.err;
    EXPECT_EQ(result.err, "") << mpirun << ": what all ranks have to say";
    EXPECT_EQ(digests_in(result.out), alone) << mpirun << ": one report";
  }
}

INSTANTIATE_TEST_SUITE_P(All, MpiLaw,
                         ::testing::Values(Words{"--split", "3"}, Words{"--split", "3", "--no-shm"},
                                           Words{"--use", "router[0..2]=MODEL@mpi:2", "--use", "router[3]=MODEL@mpi:1"},
                                           Words{"--use", "router[1,6]=MODEL@mpi:1", "--use", "router[2]=MODEL@mpi:2",
                                                 "--use", "router[3]=MODEL@worker:shm"}));

struct Mistake {
  int ranks;
  Words arguments;
  std::string message;
};

// What the command finds by itself is the same with all launchers, so that one of them is enough.
TEST(MpiMistakes, AreToldOnce) {
  for (const Mistake& mistake :
       {Mistake{3, {"--split", "4"}, "--split 4 in an MPI world of 3 ranks: each part is a rank; write --split 3, or"},
        Mistake{3, {}, "MPI has started 3 ranks, and nothing is to run at them; add --split 3"},
        Mistake{2, {"--use", "router[1]=MODEL@mpi:2"}, "mpi:2 is none of the 2 ranks of this run"},
        Mistake{2, {"--split", "2", "--sweep", "seed=1,2"}, "--sweep and --saturation make many runs"},
        Mistake{2, {"--split", "2", "--set", "seed=x"}, "--set:1:"}, Mistake{2, {"--split", "two"}, "--split"}}) {
    Words known = mpi_launchers();
    if (!mistake.arguments.empty()) known.resize(1);
    for (const std::string& mpirun : known) {
      SCOPED_TRACE(mpirun);
      const CliResult result = run_ranks(mpirun, mistake.ranks, torus_with(mistake.arguments));
      EXPECT_EQ(result.exit_code, 2) << mistake.message;
      EXPECT_EQ(result.out, "") << mistake.message;
      const size_t first = result.err.find("error: ");
      EXPECT_THAT(result.err, HasSubstr(mistake.message));
      EXPECT_EQ(result.err.find("error: ", first + 1), std::string::npos) << result.err;
    }
  }
}

// Each rank may be given arguments of its own, and rank 0 knows only what it was given.
TEST(MpiMistakes, OfOneRankAreTold) {
  const auto run = [](const std::string& mpirun, const Words& of_second) {
    Words words{mpirun, "-n", "1", cli_binary(), "run"};
    append(words, torus_with({"--split", "2"}));
    append(words, {":", "-n", "1", cli_binary(), "run"});
    append(words, torus_with({"--split", "2"}));
    append(words, of_second);
    return run_process(words, mpi_environment());
  };
  for (const std::string& mpirun : mpi_launchers()) {
    SCOPED_TRACE(mpirun);
    const CliResult other = run(mpirun, {"--seed", "7"});
    EXPECT_NE(other.exit_code, 0);
    EXPECT_THAT(other.err, HasSubstr("changes the experiment by other arguments than rank 0"));
    EXPECT_THAT(other.err, HasSubstr("--seed 7 --split 2, and not"));
    const CliResult sweep = run(mpirun, {"--sweep", "seed=1,2"});
    EXPECT_NE(sweep.exit_code, 0);
    EXPECT_THAT(sweep.err, HasSubstr("--split 2 --sweep seed=1,2, and not --"));
    EXPECT_THAT(run(mpirun, {"--help"}).err, HasSubstr("it was asked for help"));
    const CliResult wrong = run(mpirun, {"--no-such-option"});
    EXPECT_NE(wrong.exit_code, 0);
    EXPECT_THAT(wrong.err, HasSubstr("fabrictwin: error: rank 1 ("));
    EXPECT_THAT(wrong.err, HasSubstr("--no-such-option"));
  }
}

/// What makes a launcher leave the other ranks alone when one is gone, where it can: only then they have time.
Words patient(const std::string& mpirun) {
  const CliResult version = run_process({mpirun, "--version"});
  if (version.out.find("Open MPI") == std::string::npos && version.out.find("OpenRTE") == std::string::npos) return {};
  return {"--enable-recovery"};
}

// The kernel kills rank 1 when it has computed for two seconds, far from the end of the run.
TEST(MpiDeath, OfARankIsTold) {
  const TestFolder folder;
  const std::string file = folder.write("long.textproto",
                                        "topology { torus { dims: [4, 4, 4] } }\nrouter { model: PACKET }\nworkload { "
                                        "traffic { load: 0.3 duration: \"1000s\" } }\nseed: 1\n");
  for (const std::string& mpirun : mpi_launchers()) {
    SCOPED_TRACE(mpirun);
    const Words patience = patient(mpirun);
    const std::string out = folder.file(patience.empty() ? "killed" : "told");
    Words words{mpirun};
    append(words, patience);
    append(words, {"-n", "1", cli_binary(), "run", file, "--quiet", "--split", "2", "--out", out, ":", "-n", "1", "sh",
                   "-c", "ulimit -t 2; exec " + cli_binary() + " run " + file + " --quiet --split 2"});
    const CliResult result = run_process(words, mpi_environment());
    if (patience.empty()) {
      EXPECT_NE(result.exit_code, 0) << "a launcher that leaves no time ends all ranks itself";
      continue;
    }
    EXPECT_THAT(result.err, HasSubstr("mpi:1 was lost at simulated "));
    EXPECT_THAT(result.err, HasSubstr("the process of rank 1 has ended"));
    const auto report = nlohmann::json::parse(read_file(out + "/report.json"), nullptr, false);
    ASSERT_FALSE(report.is_discarded()) << result.err;
    EXPECT_EQ(report["complete"], false);
    EXPECT_THAT(report["reason"].get<std::string>(), HasSubstr("mpi:1 was lost at simulated "));
    EXPECT_GT(report["simulated_fs"], 0);
    int lost = 0;
    for (const auto& partition : report["partitions"]) lost += partition["lost"] == true ? 1 : 0;
    EXPECT_EQ(lost, 1);
  }
}

TEST(MpiMistakes, IdleRanksAreNamed) {
  for (const std::string& mpirun : mpi_launchers()) {
    const CliResult result = run_ranks(mpirun, 3, torus_with({"--use", "router[1]=MODEL@mpi:2", "--json"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("nothing of the experiment runs at rank 1 of MPI"));
  }
}

TEST(MpiMistakes, RanksAreForRunsOfMpi) {
  const CliResult result = run_cli({"run", kTorus[0], "--use", "router[1]=MODEL@mpi:2"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("mpi:2 is a rank of MPI, and this is no run that MPI has started; start it as "
                                    "mpirun -n 3 fabrictwin run"));
}

}  // namespace
}  // namespace fabrictwin
