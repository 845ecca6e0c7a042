// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "rtl/transactor/gemm/accelerator.h"
#include "workloads/gemm/matrix.h"
#include "workloads/gemm/program.h"
#include "workloads/gemm/tile_engine.h"

namespace fabrictwin {
namespace {

gemm::GemmSpec spec_of(int32_t size, int32_t rows, int32_t columns, int32_t panel, int32_t tile) {
  gemm::GemmSpec spec;
  spec.size = size;
  spec.rows = rows;
  spec.columns = columns;
  spec.panel = panel;
  spec.tile = tile;
  spec.tile_cycles = 4200;
  spec.clock = Frequency{300'000'000};
  spec.memory_rate = Bandwidth{115'200'000'000};
  spec.start_overhead = Time::from_us(1);
  return spec;
}

gemm::Block product(int32_t size) {
  gemm::Block c{0, 0, size, size, std::vector<float>(static_cast<size_t>(size) * static_cast<size_t>(size))};
  gemm::gemm_multiply(gemm::gemm_block(gemm::Factor::kA, 0, 0, size, size),
                      gemm::gemm_block(gemm::Factor::kB, 0, 0, size, size), c);
  return c;
}

TEST(GemmMatrix, ElementsAreSpread) {
  std::set<float> seen;
  double sum = 0;
  for (int32_t i = 0; i < 100; ++i) {
    for (int32_t j = 0; j < 100; ++j) {
      const float value = gemm::gemm_element(gemm::Factor::kA, i, j);
      EXPECT_GE(value, -1);
      EXPECT_LT(value, 1);
      EXPECT_NE(value, gemm::gemm_element(gemm::Factor::kB, i, j));
      seen.insert(value);
      sum += static_cast<double>(value);
    }
  }
  EXPECT_GT(seen.size(), 9900u);
  EXPECT_NEAR(sum / 10000, 0, 0.03);
}

TEST(GemmMatrix, MultipliesWithinRounding) {
  const gemm::Block c = product(30);
  double expected = 0;
  for (int32_t k = 0; k < 30; ++k)
    expected += static_cast<double>(gemm::gemm_element(gemm::Factor::kA, 7, k)) *
                static_cast<double>(gemm::gemm_element(gemm::Factor::kB, k, 11));
  EXPECT_NEAR(c.values[7 * 30 + 11], expected, 1e-5);
  const gemm::Error error = gemm::gemm_compare(c, 30);
  EXPECT_EQ(error.elements, 900);
  EXPECT_GT(error.relative, 0);
  EXPECT_LE(error.relative, gemm::gemm_error_bound(30));
}

TEST(GemmMatrix, OneWrongProductShows) {
  gemm::Block c = product(30);
  c.values[29 * 30 + 3] -= gemm::gemm_element(gemm::Factor::kA, 29, 5) * gemm_element(gemm::Factor::kB, 5, 3);
  EXPECT_GT(gemm::gemm_compare(c, 30).relative, gemm::gemm_error_bound(30));
}

// 4200 cycles of 300 MHz, and 64 KiB of a tile through 14.4 GB/s.
TEST(TileEngine, IsAsSlowAsArithmeticOrMemory) {
  const gemm::TileEngine engine(spec_of(1024, 1, 1, 128, 128));
  EXPECT_NEAR(engine.work(128, 128, 128).seconds(), 4 * 65536 / 14.4e9, 1e-12);
  EXPECT_NEAR(engine.work(128, 128, 512).seconds(), 4 * 14e-6, 1e-12);
  EXPECT_NEAR(engine.work(256, 384, 512).seconds(), 6 * 4 * 14e-6, 1e-12);
}

/// Goes through the calls of all ranks, one call of each in turn: what they broadcast is there by then.
TEST(GemmProgram, EachRankMultipliesWhatItsRowAndColumnSend) {
  const auto program = gemm::make_gemm_program(spec_of(48, 2, 3, 8, 8)).value();
  ASSERT_EQ(program->ranks(), 6);
  std::vector<std::unique_ptr<mpi::RankProgram>> ranks;
  for (int32_t rank = 0; rank < 6; ++rank) ranks.push_back(program->make_rank(rank).value());
  v1::JobReport before;
  program->report(before);
  EXPECT_FALSE(before.gemm().verified()) << "nothing has been multiplied";
  uint64_t events = 0;
  for (bool more = true; more; ++events) {
    trace::format::Event event;
    for (auto& rank : ranks) {
      const auto next = rank->next(Time::from_us(static_cast<int64_t>(events)), event);
      ASSERT_TRUE(next.ok()) << next.status();
      more = *next;
    }
    if (!more) break;
    if (event.action == v1::BCAST) {
      EXPECT_EQ(event.count, event.communicator == 1 ? 24u * 8 : 8u * 16);
      EXPECT_EQ(event.datatype, v1::FLOAT);
    }
  }
  EXPECT_EQ(events, program->events(0));
  v1::JobReport report;
  program->report(report);
  EXPECT_TRUE(report.gemm().verified());
  EXPECT_GT(report.gemm().max_relative_error(), 0);
  EXPECT_GT(report.gemm().gflops(), 0);
}

/// Engines in RTL, as the command has them.
gemm::Accelerators in_rtl() {
  return {.shapes = rtl::gemm::accelerator_shapes(),
          .has = rtl::gemm::has_accelerator,
          .make = [](int32_t tile, int32_t lanes, int32_t memory_latency) -> absl::StatusOr<gemm::Multiply> {
            auto made = rtl::gemm::Accelerator::create(tile, lanes, memory_latency);
            if (!made.ok()) return made.status();
            return [accelerator = std::shared_ptr(*std::move(made))](auto&&... matrices) {
              return accelerator->multiply(matrices...);
            };
          }};
}

/// What the ranks of a multiplication do, each call in a line, and what comes of it.
std::string told(const gemm::GemmSpec& spec, v1::GemmReport& report) {
  const auto program = gemm::make_gemm_program(spec, in_rtl()).value();
  std::vector<std::unique_ptr<mpi::RankProgram>> ranks;
  for (int32_t rank = 0; rank < program->ranks(); ++rank) ranks.push_back(program->make_rank(rank).value());
  std::vector<Time> now(ranks.size());
  std::string out;
  uint64_t events = 0;
  for (bool more = true; more;) {
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      trace::format::Event event;
      const auto next = ranks[rank]->next(now[rank], event);
      EXPECT_TRUE(next.ok()) << next.status();
      more = next.value_or(false);
      if (!more) continue;
      if (rank == 0) ++events;
      now[rank] += event.duration;
      out += fmt::format("{} {} {}\n", rank, static_cast<int>(event.action), event.duration.fs());
    }
  }
  EXPECT_EQ(events, program->events(0));
  v1::JobReport job;
  program->report(job);
  report = job.gemm();
  return out;
}

// Engines in RTL and their models take the same time and have the same numbers.
TEST(GemmProgram, RtlIsAsItsModel) {
  for (const bool overlap : {false, true}) {
    gemm::GemmSpec spec = spec_of(96, 2, 3, 16, 16);
    spec.lanes = 4;
    spec.memory_latency = 30;
    spec.overlap = overlap;
    v1::GemmReport model;
    v1::GemmReport rtl;
    const std::string expected = told(spec, model);
    spec.rtl_ranks = {0, 4, 5};
    EXPECT_EQ(told(spec, rtl), expected);
    EXPECT_TRUE(model.verified());
    EXPECT_GT(model.max_relative_error(), 0);
    EXPECT_EQ(model.rtl_ranks(), "");
    EXPECT_EQ(rtl.rtl_ranks(), "0, 4, 5");
    rtl.clear_rtl_ranks();
    EXPECT_EQ(rtl.DebugString(), model.DebugString());
  }
}

TEST(GemmProgram, RtlMustBeThere) {
  gemm::GemmSpec spec = spec_of(96, 2, 3, 16, 16);
  spec.lanes = 4;
  spec.rtl_ranks = {2};
  EXPECT_EQ(gemm::make_gemm_program(spec).status().message(), "gemm: this program has no accelerators in RTL");
}

// With overlap a rank only waits for its engine when the next panel is there.
TEST(GemmProgram, OverlapsPanelsAndWork) {
  const auto program = [] {
    gemm::GemmSpec spec = spec_of(256, 1, 1, 128, 128);
    spec.overlap = true;
    return gemm::make_gemm_program(spec).value();
  }();
  const auto rank = program->make_rank(0).value();
  const Time work = gemm::TileEngine(spec_of(256, 1, 1, 128, 128)).work(256, 256, 128);
  std::vector<Time> computes;
  Time now;
  trace::format::Event event;
  while (rank->next(now, event).value()) {
    if (event.action != v1::COMPUTE) continue;
    computes.push_back(event.duration);
    now += event.duration;
    if (computes.size() == 2) now += Time::from_us(5);  // Something else, while the engine works.
  }
  EXPECT_THAT(computes,
              ::testing::ElementsAre(Time::zero(), Time::from_us(1), work - Time::from_us(5), Time::from_us(1), work));
}

// A rank whose owner has not sent.
TEST(GemmProgram, APanelThatWasNotSentIsAFailure) {
  const auto program = gemm::make_gemm_program(spec_of(16, 1, 2, 8, 8)).value();
  const auto owner = program->make_rank(0).value();
  const auto late = program->make_rank(1).value();
  trace::format::Event event;
  absl::StatusOr<bool> next = true;
  while (next.ok() && *next) next = late->next(Time::zero(), event);
  ASSERT_FALSE(next.ok());
  EXPECT_EQ(next.status().message(), "gemm: rank 1 has panel 0 of A before its owner has sent it");
}

// Messages have no values, so a process makes the panels that others own, which it cannot have from them.
TEST(GemmProgram, APanelOfAnotherProcessIsMadeHere) {
  const auto program = gemm::make_gemm_program(spec_of(16, 1, 2, 8, 8)).value();
  const auto alone = program->make_rank(1).value();
  trace::format::Event event;
  absl::StatusOr<bool> next = true;
  while (next.ok() && *next) next = alone->next(Time::zero(), event);
  EXPECT_TRUE(next.ok()) << next.status();
  v1::JobPart part;
  program->report_part(part);
  ASSERT_EQ(part.gemm_size(), 1);
  EXPECT_EQ(part.gemm(0).rank(), 1);
  EXPECT_LT(part.gemm(0).error(), 1e-5);
  v1::JobPart strange;
  strange.add_gemm()->set_rank(2);
  EXPECT_FALSE(program->add_part(strange).ok());
}

}  // namespace
}  // namespace fabrictwin
