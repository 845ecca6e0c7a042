// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/permutation_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim/base/text.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

absl::StatusOr<std::vector<int32_t>> read(std::string_view text, int32_t hosts = 4) {
  const TestFolder folder;
  return traffic::read_permutation(folder.write("permutation.txt", text), hosts);
}

std::string error_of(std::string_view text, int32_t hosts = 4) {
  return std::string(message_of(read(text, hosts).status()));
}

TEST(PermutationFile, ReadsADestinationALine) {
  EXPECT_THAT(read("1\n2\n3\n0\n").value(), ElementsAre(1, 2, 3, 0));
  EXPECT_THAT(read("# turn\n\n 1 # one on\r\n2\r\n\t3\n0").value(), ElementsAre(1, 2, 3, 0));
  EXPECT_THAT(read("0\n", 1).value(), ElementsAre(0));
}

TEST(PermutationFile, ReadsPairs) {
  EXPECT_THAT(read("3 0\n0 3\n").value(), ElementsAre(3, -1, -1, 0));
  EXPECT_THAT(read("0\t1\n1  0  # back\n").value(), ElementsAre(1, 0, -1, -1));
}

TEST(PermutationFile, PlacesMistakes) {
  EXPECT_THAT(error_of("1\n2\n0\n4\n"),
              AllOf(HasSubstr("permutation.txt:4:1: error: \"4\" is not the number of a host; write 0 to 3"),
                    EndsWith("\n4\n^")));
  EXPECT_THAT(error_of("1 2\n2 -1\n"), AllOf(HasSubstr(":2:3: error: \"-1\""), EndsWith("\n2 -1\n  ^")));
  EXPECT_THAT(error_of("x 1\n"), HasSubstr(":1:1: error: \"x\" is not the number"));
  EXPECT_THAT(error_of("1.5\n"), HasSubstr(":1:1: error: \"1.5\""));
  EXPECT_THAT(error_of("1\n2\n2\n0\n"), HasSubstr(":3:1: error: host 2 is the destination of host 1 already"));
  EXPECT_THAT(error_of("0 1\n0 2\n"), HasSubstr(":2:1: error: host 0 has a destination already, host 1"));
  EXPECT_THAT(error_of("1\n0 2\n"), HasSubstr(":2:3: error: the lines before have a destination only"));
  EXPECT_THAT(error_of("1 0\n2\n"), HasSubstr(":2:1: error: the lines before have a source and a destination"));
  EXPECT_THAT(error_of("1 2 3\n"), HasSubstr(":1:5: error: a line has a destination"));
  EXPECT_THAT(error_of("1\n2\n3\n"), HasSubstr(":4:1: error: the permutation ends after 3 of 4 hosts"));
  EXPECT_THAT(error_of("1\n2\n3\n0\n0\n"), HasSubstr(":5:1: error: there are 4 hosts"));
  EXPECT_THAT(error_of("# nothing\n"), HasSubstr(":2:1: error: the permutation is empty"));
  EXPECT_THAT(error_of(std::string(1'000'000, '7')), HasSubstr("is not the number of a host"));
  EXPECT_LT(error_of(std::string(1'000'000, '7')).size(), 1000u);
  EXPECT_EQ(traffic::read_permutation("no-such-file", 4).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace fabrictwin
