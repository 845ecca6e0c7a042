// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/address.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace fabrictwin {
namespace {

TEST(AddressTest, KnowsHostsPortsAndSockets) {
  for (const char* text :
       {"localhost:7000", "10.0.0.2:1", "[::1]:65535", "node-3.rack.example:80", "unix:/run/w", "unix:w"}) {
    EXPECT_TRUE(is_address(text)) << text;
  }
  for (const char* text : {"", ":7000", "host", "host:", "host:0", "host:65536", "host:-1", "host:7000x", "::1:7000",
                           "[]:7000", "[::1]", "a b:7000", "unix:", "http://host:80", "host:99999999999999999999"}) {
    EXPECT_FALSE(is_address(text)) << text;
  }
}

TEST(AddressTest, KnowsWhereToListen) {
  const std::string longest = "unix:/" + std::string(106, 'p');
  for (const std::string& text :
       {std::string("127.0.0.1:0"), std::string("[::1]:7000"), std::string("unix:w"), longest})
    EXPECT_TRUE(is_listen_address(text)) << text;
  for (const std::string& text : {std::string("localhost"), std::string("127.0.0.1:"), std::string("127.0.0.1:99999"),
                                  std::string("127.0.0.1:-1"), std::string("unix:"), longest + "p"})
    EXPECT_FALSE(is_listen_address(text)) << text;
}

TEST(AddressTest, KnowsRanksOfMpi) {
  EXPECT_EQ(mpi_rank("mpi:1"), 1);
  EXPECT_EQ(mpi_rank("mpi:1023"), 1023);
  for (const char* text : {"mpi:0", "mpi:01", "mpi:", "mpi:-1", "mpi:+1", "mpi:1x", "mpi: 1", "mpi:99999999999"}) {
    EXPECT_TRUE(is_mpi(text)) << text;
    EXPECT_EQ(mpi_rank(text), std::nullopt) << text;
  }
  for (const char* text : {"", "mpi", "MPI:1", "smpi:1", "host:1"}) {
    EXPECT_FALSE(is_mpi(text)) << text;
    EXPECT_EQ(mpi_rank(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace fabrictwin
