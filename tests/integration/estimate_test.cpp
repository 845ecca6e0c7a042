// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What `describe --estimate` says of the memory of a run, beside what the run takes. Times are those of the machine,
// and not tested.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"

namespace fabrictwin {
namespace {

/// The most memory in bytes that a run of the command had, of which nothing is printed; 0 if it failed.
double memory_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), cli_binary());
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, fd);
    execv(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (process < 0 || wait4(process, &status, 0, &usage) != process) return 0;
  constexpr double kKibibyte = 1024;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? kKibibyte * static_cast<double>(usage.ru_maxrss) : 0;
}

class EstimatedMemory : public testing::TestWithParam<const char*> {};

TEST_P(EstimatedMemory, IsWithinAFactorOfTwo) {
  const std::string file = std::string("workloads/experiments/") + GetParam() + ".textproto";
  const CliResult estimate = run_cli({"describe", file, "--estimate", "--json"});
  ASSERT_EQ(estimate.exit_code, 0) << estimate.err;
  const auto report = nlohmann::json::parse(estimate.out);
  const double estimated = report.at("memory_bytes");
  const double taken = memory_of({"run", file, "--quiet"});
  ASSERT_GT(taken, 0) << "the run failed";
  EXPECT_GT(estimated, taken / 2);
  EXPECT_LT(estimated, taken * 2);
  EXPECT_GT(report.at("wall_seconds"), 0);
}

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& letter : name) letter = letter == '-' || letter == '/' ? '_' : letter;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Some, EstimatedMemory, testing::Values("uniform", "tofu"), test_name);
// Those of one process that take less than 20 s.
INSTANTIATE_TEST_SUITE_P(Any, EstimatedMemory,
                         testing::Values("all-model", "all-rtl", "blue-gene-q", "booksim-torus", "dragonfly", "exanest",
                                         "exanest-allreduce", "exanest-ip", "exanest-ranks", "fat-tree",
                                         "fat-tree-tapered", "graph", "machine-exchange", "mesh", "rdma-put",
                                         "skeleton-hpcg", "spine-leaf", "sun-fire-x4600", "tofu-put",
                                         "victim-background", "island-torus"),
                         test_name);

}  // namespace
}  // namespace fabrictwin
