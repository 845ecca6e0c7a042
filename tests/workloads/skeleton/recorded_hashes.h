// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes over what recorded runs communicate.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "workloads/trace/trace_compare.h"
#include "workloads/trace/trace_source.h"

namespace fabrictwin {

/// The hash of each rank of the recorded run `name` ("hpcg-8"), in rank order.
inline std::vector<uint64_t> recorded_hashes(const std::string& name) {
  std::ifstream file("tests/workloads/data/recorded-hashes.txt");
  std::vector<uint64_t> hashes;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string run;
    size_t rank = 0;
    uint64_t hash = 0;
    if (!(words >> run >> rank >> std::hex >> hash) || run != name) continue;
    EXPECT_EQ(rank, hashes.size()) << "a line of " << name << " is missing";
    hashes.push_back(hash);
  }
  return hashes;
}

/// Checks that each rank of `trace` communicates what the recorded run `name` does.
inline void expect_recorded(const TraceSource& trace, const std::string& name) {
  const std::vector<uint64_t> expected = recorded_hashes(name);
  ASSERT_EQ(expected.size(), trace.ranks()) << name;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const absl::StatusOr<uint64_t> hash = communication_hash(*trace.rank(rank));
    ASSERT_TRUE(hash.ok()) << hash.status();
    EXPECT_EQ(*hash, expected[rank]) << name << ", rank " << rank;
  }
}

}  // namespace fabrictwin
