// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sweeps and comparisons by Slurm, with commands in its place that run each task at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/study_results.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Words = std::vector<std::string>;

/// Runs the tasks of its job one after the other, but for those whose numbers are in the file `broken`, which leave
/// no result.
constexpr char kSbatch[] =
    "#!/bin/bash\n"
    "here=$(dirname \"$0\")\n"
    "if [[ $1 == --version ]]; then exit 0; fi\n"
    "for word; do\n"
    "  case $word in\n"
    "    --array=*) array=${word#*=} ;;\n"
    "    --chdir=*) cd \"${word#*=}\" || exit 1 ;;\n"
    "    --partition=*) echo 'sbatch: error: invalid partition specified' >&2; exit 1 ;;\n"
    "  esac\n"
    "done\n"
    "echo >>\"$here/jobs\"\n"
    "job=$(wc -l <\"$here/jobs\")\n"
    "IFS=,\n"
    "for range in ${array%%%*}; do\n"
    "  for ((task = ${range%-*}; task <= ${range#*-}; ++task)); do\n"
    "    if grep -qsx $task \"$here/broken\"; then echo bus error >\"logs/${job}_$task.log\"; continue; fi\n"
    "    SLURM_ARRAY_TASK_ID=$task sh \"${@: -2:1}\" \"${@: -1}\" >\"logs/${job}_$task.log\" 2>&1\n"
    "  done\n"
    "done\n"
    "echo $job\n";

/// Tells that the tasks that are broken go on, if there is a file `slow`.
constexpr char kSqueue[] =
    "#!/bin/bash\n"
    "here=$(dirname \"$0\")\n"
    "if [[ $1 == --version || ! -e $here/slow ]]; then exit 0; fi\n"
    "for word; do case $word in --name=*) name=${word#*=} ;; esac; done\n"
    "while read -r task; do echo \"$name $(wc -l <\"$here/jobs\") $task RUNNING None\"; done <\"$here/broken\"\n";

class SlurmCli : public ::testing::Test {
 protected:
  SlurmCli() {
    for (const auto& [name, script] : {std::pair("bin/sbatch", kSbatch), std::pair("bin/squeue", kSqueue)})
      chmod(folder_.write(name, script).c_str(), 0755);
  }

  CliResult run(Words words, const std::string& interrupt_after = {}) const {
    return run_cli(words, {"PATH=" + folder_.file("bin") + ":" + std::getenv("PATH")}, interrupt_after);
  }
  CliResult run_by_slurm(Words words, const Words& more = {}, const std::string& interrupt_after = {}) const {
    for (const char* word : {"--launcher", "slurm", "--slurm-interval", "10ms"}) words.emplace_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words), interrupt_after);
  }
  /// Expects the same results of both launchers.
  void expect_same(const Words& words) const {
    const CliResult local = run(words);
    const CliResult slurm = run_by_slurm(words, {"--slurm-dir", folder_.file("same")});
    EXPECT_EQ(local.exit_code, 0) << local.err;
    EXPECT_EQ(slurm.exit_code, 0) << slurm.err;
    EXPECT_EQ(slurm.out, local.out);
    Words in_json = words;
    in_json.emplace_back("--json");
    EXPECT_EQ(results_in(run_by_slurm(in_json, {"--slurm-dir", folder_.file("same")}).out),
              results_in(run(in_json).out));
    std::filesystem::remove_all(folder_.file("same"));
  }

  const TestFolder folder_;
  const std::string file_ =
      folder_.write("small.textproto",
                    "topology { torus { dims: 4 dims: 4 link_latency_cycles: 1 tile_latency_cycles: 1 } }\n"
                    "router { model: INPUT_QUEUED }\n"
                    "workload { traffic { load: 0.3 sample_cycles: 500 } }\n"
                    "seed: 3\n");
  const Words sweep_{"run", file_, "--sweep", "load=0.1:0.4:0.1"};
};

TEST_F(SlurmCli, ResultsAreThoseOfThisMachine) {
  expect_same({"run", file_, "--sweep", "load=0.1:0.3:0.1", "--sweep", "pattern=uniform,tornado"});
  expect_same({"run", file_, "--saturation", "--precision", "0.1"});
  expect_same({"run", file_, "--saturation", "--precision", "0.1", "--sweep", "router.vcs=2,4", "--threads", "2"});
}

TEST_F(SlurmCli, ResultsOfComparisonsAreThoseOfThisMachine) {
  const std::string incast = "workloads/experiments/congestion/incast8.textproto";
  expect_same({"compare", incast, "--schemes", "none,dcqcn", "--seeds", "1,2"});
  const std::string here = folder_.file("here");
  const std::string there = folder_.file("there");
  const Words words{"compare", incast, "--schemes", "none,dcqcn", "--out"};
  Words local = words;
  local.push_back(here);
  Words slurm = words;
  slurm.push_back(there);
  EXPECT_EQ(run(local).exit_code, 0);
  EXPECT_EQ(run_by_slurm(slurm).exit_code, 0);
  // The diagrams, too, which are made of lists of the reports.
  for (const char* file : {"/incast8.svg", "/incast8.csv", "/compare.txt", "/compare.csv"})
    EXPECT_EQ(read_file(there + file), read_file(here + file)) << file;
  EXPECT_TRUE(std::filesystem::exists(there + "/slurm/results/1.json"));
}

// Files that an experiment names are found from its folder.
TEST_F(SlurmCli, TasksFindFiles) {
  folder_.write("ring.txt", "1\n2\n3\n0\n");
  const std::string file = folder_.write(
      "permuted.textproto",
      "topology { torus { dims: 4 } }\n"
      "workload { traffic { pattern: PERMUTATION permutation_file: \"ring.txt\" load: 0.3 duration: \"10us\" } }\n");
  expect_same({"run", file, "--sweep", "seed=1,2"});
  const Words words{"run", file, "--sweep", "seed=1,2"};
  EXPECT_EQ(run_by_slurm(words, {"--slurm-dir", folder_.file("d")}).exit_code, 0);
  // Their content belongs to the study.
  folder_.write("ring.txt", "3\n0\n1\n2\n");
  const CliResult other = run_by_slurm(words, {"--slurm-dir", folder_.file("d")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("another experiment, other points, or other files"));
}

TEST_F(SlurmCli, NamesOfFoldersNeedNoCare) {
  const std::string folder = folder_.file("it's \"my\" $HOME %j folder");
  EXPECT_EQ(run_by_slurm(sweep_, {"--slurm-dir", folder}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder + "/logs/1_3.log"));
}

TEST_F(SlurmCli, GoesOnWhereItWasInterrupted) {
  folder_.write("bin/broken", "1\n2\n");
  folder_.write("bin/slow", "");
  const Words where{"--slurm-dir", folder_.file("study")};
  const CliResult first = run_by_slurm(sweep_, {"--slurm-dir", folder_.file("study"), "--json"}, "2 of 4 done");
  EXPECT_EQ(first.exit_code, 130) << first.err;
  EXPECT_THAT(first.err, AllOf(HasSubstr("job 1 of Slurm has 4 tasks"), HasSubstr("scancel 1"),
                               HasSubstr("interrupted after 2 of 4 points; the result is partial")));
  const nlohmann::json partial = nlohmann::json::parse(first.out);
  EXPECT_EQ(partial.at("complete"), false);
  EXPECT_EQ(partial.at("points").size(), 2u);
  // The tasks are gone meanwhile.
  std::filesystem::remove(folder_.file("bin/slow"));
  std::filesystem::remove(folder_.file("bin/broken"));
  const CliResult second = run_by_slurm(sweep_, where);
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.err, AllOf(HasSubstr("2 of 4 results are in"), HasSubstr("job 2 of Slurm has 2 tasks")));
  EXPECT_EQ(second.out, run(sweep_).out);
}

TEST_F(SlurmCli, ALostTaskIsOnePointThatFailed) {
  folder_.write("bin/broken", "1\n");
  const std::string study = folder_.file("study");
  const CliResult result = run_by_slurm(sweep_, {"--slurm-dir", study, "--slurm-retries", "1", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("load=0.2: its task 1_1 has ended without a result (not in the queue any more) and "
                                    "is submitted again, 1 of 1 times"));
  const nlohmann::json sweep = nlohmann::json::parse(result.out);
  ASSERT_EQ(sweep.at("points").size(), 4u);
  EXPECT_THAT(std::string(sweep.at("points")[1].at("error")), HasSubstr("its log is " + study + "/logs/2_1.log"));
  EXPECT_TRUE(sweep.at("points")[2].contains("traffic"));
}

TEST_F(SlurmCli, AFailedPointIsThatOfThisMachine) {
  // A worker that nobody runs.
  const Words words{"run",     "workloads/experiments/uniform.textproto",
                    "--set",   "workload.traffic.duration=1us",
                    "--use",   "router[0]=MODEL",
                    "--sweep", "use[0].place=inproc,unix:" + folder_.file("nobody")};
  const CliResult local = run(words);
  const CliResult slurm = run_by_slurm(words, {"--slurm-dir", folder_.file("study")});
  EXPECT_EQ(local.exit_code, 1);
  EXPECT_EQ(slurm.exit_code, 1);
  EXPECT_EQ(slurm.out, local.out);
  EXPECT_THAT(slurm.err, AllOf(HasSubstr("nobody"), Not(HasSubstr("submitted again"))));
  EXPECT_EQ(read_file(folder_.file("bin/jobs")), "\n");
}

TEST_F(SlurmCli, MistakesLeaveNothing) {
  const auto expect_error = [&](const Words& words, const Words& more, const std::string& error) {
    const CliResult result = run_by_slurm(words, more);
    EXPECT_EQ(result.exit_code, 2) << error;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(HasSubstr("error: "), HasSubstr(error)));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("new")));
  };
  const std::string folder = folder_.file("new/study");
  expect_error(sweep_, {"--slurm-dir", folder, "--slurm-option=--partition=x"},
               "sbatch refuses the job: invalid partition specified");
  expect_error(sweep_, {"--slurm-dir", folder, "--jobs", "2"}, "--slurm-tasks says how many");
  expect_error(sweep_, {"--slurm-dir", folder, "--slurm-option", "x"}, "no option of sbatch");
  expect_error({"run", file_}, {"--slurm-dir", folder}, "--launcher is for many runs");
  expect_error({"run", file_, "--sweep", "load=0.1,2"}, {"--slurm-dir", folder}, "--sweep:1:10: error: ");
  expect_error(sweep_, {"--slurm-dir", folder_.path().string()}, "name an empty or a new folder");
  const CliResult unknown = run({"compare", file_, "--schemes", "none", "--launcher", "slrum"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("error: --launcher slrum: there is no such launcher (did you mean \"slurm\"?)"));
  const CliResult without = run_cli({"run", file_, "--sweep", "load=0.1", "--launcher", "slurm"}, {"PATH=/nowhere"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("there is no sbatch in PATH"));
}

TEST_F(SlurmCli, ADryRunSubmitsNothing) {
  const CliResult result = run_by_slurm(sweep_, {"--dry-run", "--slurm-dir", folder_.file("new")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "load=0.1\nload=0.2\nload=0.3\nload=0.4\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("new")));
}

TEST_F(SlurmCli, TasksOfAnotherBuildDoNotRun) {
  const std::string study = folder_.file("study");
  ASSERT_EQ(run_by_slurm(sweep_, {"--slurm-dir", study}).exit_code, 0);
  const CliResult again = run_cli({"slurm-task", study, "0"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("load=0.1: the result is there already"));
  std::string text = read_file(study + "/study.jsonl");
  text.replace(text.find("\"program\":\"") + 11, 5, "9.9.9");
  folder_.write("study/study.jsonl", text);
  const CliResult task = run_cli({"slurm-task", study, "0"});
  EXPECT_EQ(task.exit_code, 2);
  EXPECT_THAT(task.err, HasSubstr("are those of another build of this program (9.9.9 "));
  EXPECT_THAT(run_by_slurm(sweep_, {"--slurm-dir", study}).err, HasSubstr("another build of this program"));
}

}  // namespace
}  // namespace fabrictwin
