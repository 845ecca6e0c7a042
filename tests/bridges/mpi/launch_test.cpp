// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <utility>
#include <vector>

namespace fabrictwin::bridges::mpi {
namespace {

using ::testing::HasSubstr;

class MpiLaunch : public ::testing::Test {
 protected:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  MpiLaunch() { forget(); }
  ~MpiLaunch() override { forget(); }

  static Launch with(const Variables& variables) {
    forget();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    return launch();
  }

 private:
  static void forget() {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"})
      unsetenv(name);
  }
};

TEST_F(MpiLaunch, IsKnownByTheEnvironment) {
  for (const Variables& variables : {Variables{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}},
                                     Variables{{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}},
                                     Variables{{"PMIX_RANK", "2"}, {"SLURM_STEP_NUM_TASKS", "4"}}}) {
    const Launch found = with(variables);
    EXPECT_EQ(found.rank, 2) << variables[0].first;
    EXPECT_EQ(found.size, 4) << variables[0].first;
  }
}

TEST_F(MpiLaunch, IsNoneOfOneProcessOrOfWhatIsNoNumber) {
  for (const Variables& variables :
       {Variables{}, Variables{{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}, Variables{{"PMI_SIZE", "4"}},
        Variables{{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}, Variables{{"PMI_RANK", "one"}, {"PMI_SIZE", "4"}},
        Variables{{"SLURM_STEP_NUM_TASKS", "4"}}}) {
    EXPECT_EQ(with(variables).size, 1);
    EXPECT_EQ(with(variables).rank, 0);
  }
}

TEST_F(MpiLaunch, SaysThatThereIsNoMpi) {
  const absl::StatusOr<std::unique_ptr<World>> world = join_world("/nowhere/bin/fabrictwin");
  EXPECT_EQ(world.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(world.status().message()), HasSubstr("this fabrictwin was built without MPI"));
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi
