// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/chain.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "tests/workloads/program_source.h"
#include "tests/workloads/skeleton/lammps/recorded_calls.h"
#include "workloads/trace/check/trace_match_check.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

// Of totals over all ranks, and of what a rank sends in messages.
constexpr double kError = 0.02;

skeleton::lammps::ChainOptions chain_options(uint32_t ranks, uint64_t atoms, uint32_t steps) {
  skeleton::lammps::ChainOptions options;
  options.ranks = ranks;
  options.atoms = atoms;
  options.steps = steps;
  return options;
}

std::shared_ptr<const skeleton::lammps::Chain> chain(const skeleton::lammps::ChainOptions& options) {
  const auto trace = skeleton::lammps::Chain::create(options);
  EXPECT_TRUE(trace.ok()) << trace.status();
  return *trace;
}

void expect_near(uint64_t value, uint64_t expected, const std::string& what) {
  const auto wanted = static_cast<double>(expected);
  EXPECT_NEAR(static_cast<double>(value), wanted, kError * wanted) << what;
}

struct RecordedChain {
  uint32_t ranks;
  uint64_t atoms;
};

class LammpsChainRecorded : public testing::TestWithParam<RecordedChain> {};

TEST_P(LammpsChainRecorded, CallsAreTheSameAndBytesClose) {
  const auto [ranks, atoms] = GetParam();
  std::string name = fmt::format("lammps-chain-{}", ranks);
  if (atoms != 32000) name += fmt::format("-{}", atoms);
  const std::vector<RankCalls> expected = recorded_calls("tests/workloads/skeleton/data/lammps-chain.txt", name);
  ASSERT_EQ(expected.size(), ranks);
  const auto trace = chain(chain_options(ranks, atoms, 100));
  std::map<std::string, uint64_t> recorded_bytes;
  std::map<std::string, uint64_t> bytes;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    const RankCalls mine = calls_of(*trace, rank);
    const std::string where = fmt::format("{}, rank {}", name, rank);
    EXPECT_EQ(mine.hash, expected[rank].hash) << where;
    ASSERT_EQ(mine.calls.size(), expected[rank].calls.size()) << where;
    for (const auto& [call, total] : expected[rank].calls) {
      ASSERT_TRUE(mine.calls.contains(call)) << where << ": " << call;
      const CallTotal& here = mine.calls.at(call);
      EXPECT_EQ(here.calls, total.calls) << where << ": " << call;
      // The first two depend on where atoms are, bcast if each rank tells what it has.
      if (call == "send") {
        expect_near(here.bytes, total.bytes, where);
      } else if (call != "alltoallv" && (call != "bcast" || atoms == 32000)) {
        EXPECT_EQ(here.bytes, total.bytes) << where << ": " << call;
      }
      recorded_bytes[call] += total.bytes;
      bytes[call] += here.bytes;
    }
  }
  for (const auto& [call, total] : recorded_bytes) expect_near(bytes[call], total, name + ", all ranks: " + call);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LammpsChainRecorded,
                         testing::Values(RecordedChain{1, 32000}, RecordedChain{2, 32000}, RecordedChain{4, 32000},
                                         RecordedChain{8, 32000}, RecordedChain{16, 32000}, RecordedChain{32, 32000},
                                         RecordedChain{2, 64000}, RecordedChain{8, 256000}),
                         [](const auto& info) {
                           return fmt::format("Ranks{}Atoms{}", info.param.ranks, info.param.atoms);
                         });

TEST(LammpsChain, MakesListsAsOftenAsAsked) {
  for (const uint32_t rebuild_steps : {1u, 3u, 4u, 50u, 1000u}) {
    skeleton::lammps::ChainOptions wanted = chain_options(8, 32000, 100);
    wanted.rebuild_steps = rebuild_steps;
    const RankCalls calls = calls_of(*chain(wanted), 0);
    // A cube of two ranks each way: 3 counts of atoms that leave and 6 of ghosts, at the start and at each rebuild.
    const uint64_t rebuilds = 100 / rebuild_steps;
    EXPECT_EQ(calls.calls.at("isend").calls, 9 * (1 + rebuilds));
    // One more word on whether bonds are whole.
    EXPECT_EQ(calls.calls.at("allreduce").calls, 191 + rebuilds) << rebuild_steps;
  }
}

TEST(LammpsChain, ReportsEveryHundredSteps) {
  const uint64_t once = calls_of(*chain(chain_options(2, 32000, 100)), 0).calls.at("allreduce").calls;
  const uint64_t twice = calls_of(*chain(chain_options(2, 32000, 200)), 0).calls.at("allreduce").calls;
  const uint64_t odd = calls_of(*chain(chain_options(2, 32000, 230)), 0).calls.at("allreduce").calls;
  // 100 steps, 25 rebuilds, 6 calls of a report; 30 steps, 7 rebuilds, and the report of the last one.
  EXPECT_EQ(twice - once, 131);
  EXPECT_EQ(odd - twice, 43);
}

TEST(LammpsChain, ComputesInProportionToAtoms) {
  const auto computation = [](uint32_t ranks) {
    skeleton::lammps::ChainOptions wanted = chain_options(ranks, 32000, 8);
    wanted.host = *skeleton::find_host_profile("x86");
    const auto events = chain(wanted)->rank(0);
    trace::format::Event event;
    double seconds = 0;
    while (*events->next(event)) {
      if (event.action == v1::COMPUTE) seconds += static_cast<double>(event.duration.fs()) * 1e-15;
    }
    return seconds;
  };
  const double one = computation(1);
  EXPECT_GT(one, 0);
  EXPECT_NEAR(computation(8), one / 8, 1e-3 * one);
}

std::string refusal(const skeleton::lammps::ChainOptions& wrong) {
  const auto trace = skeleton::lammps::Chain::create(wrong);
  EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(trace.status().message());
}

TEST(LammpsChain, RefusesWhatItDoesNotDescribe) {
  EXPECT_THAT(refusal(chain_options(8, 32001, 10)),
              HasSubstr("32001 atoms are no multiple of 32000; next to it is 32000"));
  EXPECT_THAT(refusal(chain_options(8, 80000, 10)), HasSubstr("next to it is 96000"));
  EXPECT_THAT(refusal(chain_options(8, 0, 10)), HasSubstr("0 atoms are no multiple"));
  EXPECT_THAT(refusal(chain_options(8, ~uint64_t{0}, 10)), HasSubstr("at most 33554432"));
  EXPECT_THAT(refusal(chain_options(8, uint64_t{32000} << 26, 10)), HasSubstr("at most 33554432"));
  EXPECT_THAT(refusal(chain_options(8, 32000, 0)), HasSubstr("steps must be"));
  EXPECT_THAT(refusal(chain_options(0, 32000, 1)), HasSubstr("not 0"));
  EXPECT_THAT(refusal(chain_options(~0u, 32000, 1)), HasSubstr("LAMMPS runs on 1 to"));
  EXPECT_THAT(refusal(chain_options(29, 32000, 1)), HasSubstr("a rank's box is 1.16 wide"));
  skeleton::lammps::ChainOptions never = chain_options(8, 32000, 1);
  never.rebuild_steps = 0;
  EXPECT_THAT(refusal(never), HasSubstr("rebuild of neighbour lists to the next must be 1 to"));
}

RC_GTEST_PROP(LammpsChainProperty, MessagesMatchOnAnyNumberOfRanks, ()) {
  skeleton::lammps::ChainOptions wanted;
  wanted.ranks = *rc::gen::inRange<uint32_t>(1, 40);
  wanted.atoms = 32000 * *rc::gen::inRange<uint64_t>(1, 30);
  wanted.steps = *rc::gen::inRange<uint32_t>(1, 20);
  wanted.rebuild_steps = *rc::gen::inRange<uint32_t>(1, 8);
  const auto trace = skeleton::lammps::Chain::create(wanted);
  if (!trace.ok()) {
    RC_ASSERT(std::string(trace.status().message()).find("would come from further") != std::string::npos);
    return;
  }
  const auto report = trace::check::check_matching(**trace, {.synchronous = true});
  RC_ASSERT(report.ok());
  if (!report->ok()) RC_FAIL(report->faults[0].text);
}

// A rank's events are its own: it does not matter which ranks are read before, or side by side.
RC_GTEST_PROP(LammpsChainProperty, RanksDoNotDependOnTheOrderInWhichTheyAreRead, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 28);
  const auto trace = skeleton::lammps::Chain::create(chain_options(ranks, 64000, 5));
  RC_ASSERT(trace.ok());
  std::vector<uint64_t> forward(ranks);
  for (uint32_t rank = 0; rank < ranks; ++rank)
    forward[rank] = *trace::tools::communication_hash(*(*trace)->rank(rank));
  for (uint32_t rank = ranks; rank-- > 0;)
    RC_ASSERT(*trace::tools::communication_hash(*(*trace)->rank(rank)) == forward[rank]);
  std::vector<std::unique_ptr<trace::format::EventSource>> sources;
  for (uint32_t rank = 0; rank < ranks; ++rank) sources.push_back((*trace)->rank(rank));
  Program program(ranks);
  trace::format::Event event;
  for (bool any = true; any;) {
    any = false;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      if (!*sources[rank]->next(event)) continue;
      program[rank].push_back(event);
      any = true;
    }
  }
  const ProgramSource read(std::move(program));
  for (uint32_t rank = 0; rank < ranks; ++rank)
    RC_ASSERT(*trace::tools::communication_hash(*read.rank(rank)) == forward[rank]);
}

}  // namespace
}  // namespace fabrictwin
