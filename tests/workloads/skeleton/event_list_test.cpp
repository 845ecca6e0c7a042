// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/event_list.h"

#include <gtest/gtest.h>

#include "cosim/base/text.h"
#include "cosim/experiment/host_profiles.h"
#include "workloads/skeleton/extent.h"
#include "workloads/skeleton/host_profile.h"
#include "workloads/trace/tools/compare.h"

namespace fabrictwin {
namespace {

TEST(EventList, ScriptIsShortForCollectives) {
  std::vector<trace::format::Event> events;
  skeleton::EventList(events).script("A6d R1l*2\n| 24 G36b S1i");
  std::string text;
  for (const trace::format::Event& event : events) text += trace::tools::event_text(event) + "\n";
  EXPECT_EQ(text,
            "allreduce count 6 double\n"
            "reduce root 0 count 1 long_long\n"
            "reduce root 0 count 1 long_long\n"
            "barrier\n"
            "bcast root 0 count 1 int\n"
            "bcast root 0 count 24 char\n"
            "allgather count 36 byte receive count 36 byte\n"
            "scan count 1 int\n");
}

TEST(Extent, ReadsThreePositiveNumbersOnly) {
  EXPECT_EQ(skeleton::parse_extent("16x8x1").value_or(skeleton::Extent{}), (skeleton::Extent{16, 8, 1}));
  for (const char* text : {"", "16", "16x16", "16x16x16x16", "0x1x1", "-1x1x1", "1x1x", "1x1x1 ", "axbxc", "1,1,1"})
    EXPECT_FALSE(skeleton::parse_extent(text).ok()) << text;
}

TEST(HostProfile, TakesTheLongerOfArithmeticAndMemory) {
  const skeleton::HostProfile host{.name = "test", .flops_per_second = 1e9, .bytes_per_second = 1e10};
  EXPECT_EQ(host.time(1000, 0), Time::from_us(1));
  EXPECT_EQ(host.time(1000, 1e5), Time::from_us(10));
  EXPECT_EQ(host.compute(2e9, 1e9).alone, host.time(2e9, 1e9));
  EXPECT_EQ(host.compute(2e9, 1e9).bytes, 1'000'000'000u);
  EXPECT_EQ(skeleton::find_host_profile("none")->time(1e9, 1e9), Time::zero());
  EXPECT_EQ(skeleton::find_host_profile("none")->compute(1e9, 1e9).bytes, 0u);
  EXPECT_GT(host.time(1e300, 0), Time::from_us(1));
  EXPECT_FALSE(skeleton::find_host_profile("cray-1").ok());
  // A host of an experiment has its overheads and its roofline under one name.
  std::vector<std::string_view> names;
  for (const experiment::MpiOverheads& overheads : experiment::mpi_overheads()) names.push_back(overheads.name);
  EXPECT_EQ(skeleton::host_profile_names(), comma_list(names));
}

}  // namespace
}  // namespace fabrictwin
