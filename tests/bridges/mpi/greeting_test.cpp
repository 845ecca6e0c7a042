// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/greeting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "bridges/mpi/local_world.h"
#include "bridges/mpi/messages.h"

namespace fabrictwin::bridges::mpi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Lets each rank greet with its identity.
std::vector<absl::Status> greetings(const std::vector<Identity>& identities) {
  LocalWorlds worlds(static_cast<int>(identities.size()));
  std::vector<absl::Status> results(identities.size());
  {
    std::vector<std::jthread> ranks;
    for (size_t rank = 0; rank < identities.size(); ++rank) {
      ranks.emplace_back([&, rank] { results[rank] = greet(worlds.at(static_cast<int>(rank)), identities[rank]); });
    }
  }
  EXPECT_EQ(worlds.unreceived(), 0u);
  return results;
}

TEST(MpiGreeting, IsFineForRanksThatAreAlike) {
  for (const absl::Status& status : greetings(std::vector<Identity>(4, {"1.0", "", "abc", "--set a=1\n--seed 3"})))
    EXPECT_TRUE(status.ok()) << status;
}

TEST(MpiGreeting, NamesTheRankThatDiffersInAllOfThem) {
  const Identity right{"1.0", "c0ffee", "abc"};
  struct Case {
    Identity wrong;
    std::string message;
  };
  for (const Case& tried :
       {Case{{"1.1", "c0ffee", "abc"}, "rank 2 (here) is fabrictwin 1.1 and rank 0 is 1.0"},
        Case{{"1.0", "decade", "abc"}, "rank 2 (here) was built from decade and rank 0 from c0ffee"},
        Case{{"1.0", "", "abc"}, "rank 2 (here) was built from sources without a commit"},
        Case{{"1.0", "c0ffee", ""}, "rank 2 (here) cannot read the experiment"},
        Case{{"1.0", "c0ffee", "abc", "--seed 3"},
             "rank 2 (here) changes the experiment by other arguments than rank "
             "0: --seed 3, and not none; give all ranks the same"},
        Case{{"1.0", "c0ffee", "abd"}, "rank 2 (here) has another text"}}) {
    for (const absl::Status& status : greetings({right, right, tried.wrong, right})) {
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(tried.message), Not(HasSubstr("rank 1"))));
    }
  }
}

// Whoever fails alone must not leave the others waiting.
TEST(MpiGreeting, TellsOfRanksThatHaveFailed) {
  const Identity right{"1.0", "c0ffee", "abc"};
  Identity failed;
  failed.failure = "no such option\n--frobnicate";
  for (const absl::Status& status : greetings({right, failed, right}))
    EXPECT_EQ(status.message(), "rank 1 (here): no such option --frobnicate");
  for (const absl::Status& status : greetings({failed, right, right}))
    EXPECT_THAT(std::string(status.message()), HasSubstr("rank 0: no such option"));
  for (const absl::Status& status : greetings({failed, failed})) EXPECT_FALSE(status.ok());
}

TEST(MpiGreeting, NamesAllThatDiffer) {
  const auto results = greetings({{"1", "", ""}, {"2", "", ""}, {"3", "", ""}});
  EXPECT_THAT(std::string(results[0].message()),
              AllOf(HasSubstr("rank 1 (here) is fabrictwin 2"), HasSubstr("rank 2 (here) is fabrictwin 3")));
}

TEST(MpiDismissal, TakesWhatNobodyHasReceived) {
  LocalWorlds worlds(2);
  ASSERT_TRUE(worlds.at(1).send(0, kRun, "late").ok());
  ASSERT_TRUE(worlds.at(1).send(0, kBye, {}).ok());
  dismiss(worlds.at(0), std::chrono::milliseconds(60'000));
  EXPECT_EQ(worlds.aborted(), "");
  EXPECT_EQ(worlds.unreceived(), 1u) << "that to the other rank";
}

TEST(MpiDismissal, EndsRanksThatDoNotAnswer) {
  LocalWorlds worlds(2);
  dismiss(worlds.at(0), std::chrono::milliseconds(0));
  EXPECT_THAT(worlds.aborted(), HasSubstr("does not answer"));
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi
