// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/check_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using bridges::caller::check_places;
using ::testing::HasSubstr;

/// An experiment and a plan with places of some addresses, each named by a rule on a line of its own.
class CheckPlacesTest : public ::testing::Test {
 protected:
  CheckPlacesTest() {
    plan_.places.resize(2);
    plan_.places[1].kind = system::PlaceKind::kLocalWorker;
    plan_.places[1].transport = system::Transport::kTcp;
    experiment_.uses.emplace_back().place = "worker:tcp";
  }

  void add(const std::string& address, system::PlaceKind kind = system::PlaceKind::kRemoteWorker) {
    system::Place& place = plan_.places.emplace_back();
    place.kind = kind;
    place.transport = address.starts_with("unix:") ? system::Transport::kUnix : system::Transport::kTcp;
    place.address = address;
    experiment::UseSpec& use = experiment_.uses.emplace_back();
    use.place = address;
    use.source = {"e.textproto", "use { }", static_cast<int32_t>(experiment_.uses.size()), 1};
  }
  std::string refusal(const ConnectionSecurity& security = {}) const {
    const absl::Status status = check_places(experiment_, plan_, security);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(message_of(status));
  }

  experiment::Experiment experiment_;
  system::Plan plan_;
};

TEST_F(CheckPlacesTest, LocalPlacesNeedNothing) {
  add("127.0.0.1:7000");
  add("localhost:7001");
  add("[::1]:7002", system::PlaceKind::kBoardAgent);
  add("unix:/run/w");
  EXPECT_TRUE(check_places(experiment_, plan_, {}).ok());
}

TEST_F(CheckPlacesTest, EachPlaceInANetworkIsShownWhereItIsWritten) {
  add("10.0.0.2:7000");
  add("unix:/run/w");
  add("board:7000", system::PlaceKind::kBoardAgent);
  const std::string message = refusal();
  EXPECT_THAT(message, HasSubstr("e.textproto:2:1: error: 10.0.0.2:7000 is no address of this machine alone"));
  EXPECT_THAT(message, HasSubstr("e.textproto:4:1: error: board:7000 is no address of this machine alone"));
  EXPECT_THAT(message, HasSubstr("give --tls-cert, --tls-key and --tls-ca, or --insecure"));
}

TEST_F(CheckPlacesTest, RanksAreThoseOfTheWorld) {
  using bridges::caller::check_ranks;
  for (const int32_t rank : {1, 3}) {
    add(std::string(), system::PlaceKind::kMpiRank);
    plan_.places.back().rank = rank;
    plan_.places.back().name = "mpi:" + std::to_string(rank);
    experiment_.uses.back().place = plan_.places.back().name;
  }
  EXPECT_TRUE(check_places(experiment_, plan_, {}).ok());
  EXPECT_TRUE(check_ranks(experiment_, plan_, 4).ok());
  const std::string two(message_of(check_ranks(experiment_, plan_, 3)));
  EXPECT_THAT(two,
              HasSubstr("e.textproto:3:1: error: mpi:3 is none of the 3 ranks of this run, which are mpi:1 to mpi:2"));
  EXPECT_THAT(two, ::testing::Not(HasSubstr("mpi:1 is")));
  const std::string none(message_of(check_ranks(experiment_, plan_, 1)));
  EXPECT_THAT(none,
              HasSubstr("e.textproto:2:1: error: mpi:1 is a rank of MPI, and this is no run that MPI has started"));
  EXPECT_THAT(none, HasSubstr("start it as mpirun -n 4 fabrictwin run"));
}

TEST_F(CheckPlacesTest, TlsOrTheUserAllowThem) {
  add("10.0.0.2:7000");
  EXPECT_TRUE(check_places(experiment_, plan_, {.insecure = true}).ok());
  EXPECT_TRUE(check_places(experiment_, plan_, {.tls = TlsIdentity{"certificate", "key", "authority"}}).ok());
}

TEST_F(CheckPlacesTest, ARuleWithoutAPlaceInThePlanDoesNotCount) {
  experiment_.uses.emplace_back().place = "10.0.0.2:7000";
  EXPECT_TRUE(check_places(experiment_, plan_, {}).ok());
}

}  // namespace
}  // namespace fabrictwin
