// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "rtl/control/register_writer.h"
#include "rtl/control/target_registers.h"
#include "tests/rtl/control/controller_bench.h"

namespace fabrictwin {
namespace {

namespace regs = rtl::control::target_registers;

const rtl::control::RegisterMap& table() {
  static const rtl::control::RegisterMap* map = [] {
    std::ifstream in(std::string(rtl::control::kRegisterTables[0].path), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    absl::StatusOr<rtl::control::RegisterMap> read =
        rtl::control::parse_registers(text, std::string(rtl::control::kRegisterTables[0].path));
    EXPECT_TRUE(read.ok()) << read.status();
    return new rtl::control::RegisterMap(read.ok() ? *std::move(read) : rtl::control::RegisterMap());
  }();
  return *map;
}

class TargetController : public ::testing::TestWithParam<ControllerVariant> {};
INSTANTIATE_TEST_SUITE_P(Shapes, TargetController,
                         ::testing::Values(ControllerVariant::k3x2, ControllerVariant::k1x2, ControllerVariant::k8x6));

TEST_P(TargetController, ResetValues) {
  ControllerBench bench(GetParam(), table(), 1);
  int fields = 0;
  for (const rtl::control::RegisterEntry& entry : table().registers) {
    for (int copy = 0; copy < bench.reference().copies_of(entry); ++copy) {
      const AxiAnswer answer = bench.read(entry.offset + 4 * static_cast<uint32_t>(copy));
      EXPECT_EQ(answer.resp, kAxiOkay) << entry.name;
      for (const rtl::control::RegisterField& field : entry.fields) {
        if (!field.reset) continue;
        EXPECT_EQ((answer.data & field.mask()) >> field.low, *field.reset) << entry.name << "." << field.name;
        ++fields;
      }
    }
  }
  EXPECT_GT(fields, 30);
  const AxiAnswer shape = bench.read(regs::kShapeOffset);
  EXPECT_EQ(shape.data, static_cast<uint32_t>(bench.shape().intra_ports | bench.shape().links << 8 |
                                              bench.shape().counter_width << 16 | 16 << 24));
}

// Every word of the address space, through every byte address: what the table names obeys its access, the rest is an
// error.
TEST_P(TargetController, EveryAddressByItsAccess) {
  ControllerBench bench(GetParam(), table(), 2);
  std::set<std::string> seen;
  int unmapped = 0, mapped = 0;
  for (const rtl::control::RegisterEntry& entry : table().registers) mapped += bench.reference().copies_of(entry);
  for (uint32_t address = 0; address < rtl::control::kRegisterSpace; address += 4) {
    const uint32_t alias = address + bench.random()() % 4;
    const auto place = bench.reference().find(address);
    const AxiAnswer before = bench.read(alias);
    if (!place) {
      ++unmapped;
      EXPECT_EQ(before, (AxiAnswer{kAxiSlaveError, 0})) << std::hex << address;
      EXPECT_EQ(bench.write(alias, ~0u).resp, kAxiSlaveError) << std::hex << address;
      continue;
    }
    seen.insert(place->entry->name);
    EXPECT_EQ(before.resp, kAxiOkay) << place->entry->name;
    for (const uint32_t value : {~0u, 0xA5A5A5A5u, 0x5A5A5A5Au, 0u}) {
      const AxiAnswer written = bench.write(alias, value);
      const AxiAnswer after = bench.read(address);
      EXPECT_EQ(after.resp, kAxiOkay) << place->entry->name;
      switch (place->entry->access) {
        case rtl::control::RegisterAccess::kReadOnly:
          EXPECT_EQ(written.resp, kAxiSlaveError) << place->entry->name;
          // Soft reset ends while the walk writes the register for it.
          if (place->entry->name != "status") {
            EXPECT_EQ(after.data, before.data) << place->entry->name;
          }
          break;
        case rtl::control::RegisterAccess::kReadWrite:
          EXPECT_EQ(written.resp, kAxiOkay) << place->entry->name;
          EXPECT_EQ(after.data, value & place->entry->mask()) << place->entry->name;
          break;
        case rtl::control::RegisterAccess::kWriteOneToClear:
          EXPECT_EQ(written.resp, kAxiOkay) << place->entry->name;
          EXPECT_EQ(after.data, 0u) << place->entry->name;
          break;
      }
    }
  }
  EXPECT_EQ(seen.size(), table().registers.size());
  EXPECT_EQ(unmapped + mapped, static_cast<int>(rtl::control::kRegisterSpace / 4));
}

// All 16 patterns of strobes on every register that can be written.
TEST_P(TargetController, Strobes) {
  ControllerBench bench(GetParam(), table(), 3);
  int registers = 0;
  for (const rtl::control::RegisterEntry& entry : table().registers) {
    if (entry.access != rtl::control::RegisterAccess::kReadWrite) continue;
    ++registers;
    for (uint32_t strobes = 0; strobes < 16; ++strobes) {
      bench.write(entry.offset, 0x33333333);
      EXPECT_EQ(bench.write(entry.offset, 0xCCCCCCCC, strobes).resp, kAxiOkay);
      uint32_t want = 0;
      for (int b = 0; b < 4; ++b) want |= ((strobes >> b & 1) != 0 ? 0xCCu : 0x33u) << (8 * b);
      EXPECT_EQ(bench.read(entry.offset).data, want & entry.mask()) << entry.name << " " << strobes;
    }
  }
  EXPECT_GE(registers, 8);
}

// The generated constants lead to the pins that they name.
TEST_P(TargetController, ConstantsOfTheHeaderLeadToThePins) {
  ControllerBench bench(GetParam(), table(), 4);
  bench.write(regs::kCoordinatesOffset,
              1u << regs::kCoordinatesXLow | 2u << regs::kCoordinatesYLow | 3u << regs::kCoordinatesZLow);
  bench.write(regs::kLatticeOffset,
              4u << regs::kLatticeLastXLow | 5u << regs::kLatticeLastYLow | 6u << regs::kLatticeLastZLow);
  bench.write(regs::kRoutingOffset,
              1u << regs::kRoutingFirstLow | 3u << regs::kRoutingThirdLow | 1u << regs::kRoutingFixedPriorityLow);
  bench.write(regs::kHealthOffset, 5u << regs::kHealthHealthLow);
  bench.write(regs::kTredOffset, 250u << regs::kTredThresholdLow);
  bench.write(regs::kTileCreditsOffset, 4096u << regs::kTileCreditsWordsLow | 128u << regs::kTileCreditsPacketsLow);
  bench.write(regs::kMarkingOffset, 128u << regs::kMarkingThresholdLow | 20u << regs::kMarkingRateLow);
  bench.write(regs::kMarkingPacketsOffset, 18u << regs::kMarkingPacketsLeastLow | 1u << regs::kMarkingPacketsHostsLow);
  const int last = bench.shape().ports() - 1;
  bench.write(regs::kPortControlOffset + regs::kStride * static_cast<uint32_t>(last),
              9u << regs::kPortControlPriorityLow);
  NetworkSettings settings = bench.settings();
  EXPECT_TRUE(settings.in_reset);
  EXPECT_EQ(settings.coordinates, 0x030201u);
  EXPECT_EQ(settings.last, 0x060504u);
  EXPECT_EQ(settings.dimension_order, 0b11'00'01u);
  EXPECT_TRUE(settings.fixed_priority);
  EXPECT_FALSE(settings.vc_by_direction);
  EXPECT_EQ(settings.health, 5u);
  EXPECT_EQ(settings.tred, 250u);
  EXPECT_EQ(settings.tile_words, 4096u);
  EXPECT_EQ(settings.tile_packets, 128u);
  EXPECT_EQ(settings.mark_threshold, 128u);
  EXPECT_EQ(settings.mark_rate, 20u);
  EXPECT_EQ(settings.mark_least, 18u);
  EXPECT_TRUE(settings.mark_hosts);
  EXPECT_TRUE(settings.enable[0]);
  EXPECT_FALSE(settings.enable[last]);
  EXPECT_EQ(settings.priority[last], 9u);
  bench.write(regs::kControlOffset, 0);
  bench.steps(4);
  EXPECT_FALSE(bench.settings().in_reset);
}

// The shortest pulse that AXI can make still resets for two edges or more, and no event comes of counters that it
// clears.
TEST_P(TargetController, SoftReset) {
  ControllerBench bench(GetParam(), table(), 5);
  bench.write(regs::kControlOffset, 0);
  bench.steps(5);
  for (int round = 0; round < 20; ++round) {
    for (NetworkStatus::Port& port : bench.status().ports) {
      port = {.error = true, .route_drops = 1, .disabled_drops = 2, .malformed = 3, .sent = 5, .discarded = 7};
    }
    for (NetworkStatus::Link& link : bench.status().links)
      link = {.error = true,
              .used = {9, 9},
              .corrected = 1,
              .uncorrectable = 2,
              .crc_errors = 3,
              .dropped = 5,
              .resyncs = 6,
              .downs = 7,
              .aborted = 9};
    bench.steps(2);
    EXPECT_EQ(bench.read(regs::kPortEventsOffset).data, regs::kPortEventsMask);
    EXPECT_EQ(bench.read(regs::kLinkEventsOffset).data, regs::kLinkEventsMask);
    for (int p = 0; p < bench.shape().ports(); ++p) {
      bench.write(regs::kPortEventsOffset + regs::kStride * static_cast<uint32_t>(p), ~0u);
    }
    for (int l = 0; l < bench.shape().links; ++l) {
      bench.write(regs::kLinkEventsOffset + regs::kStride * static_cast<uint32_t>(l), ~0u);
    }
    bench.submit_write(regs::kControlOffset, 1);
    bench.submit_write(regs::kControlOffset, 0);
    int low = 0;
    for (int i = 0; i < 20; ++i) {
      bench.step();
      if (bench.settings().in_reset) ++low;
    }
    EXPECT_GE(low, 2);
    EXPECT_LT(low, 10);
    EXPECT_EQ(bench.read(regs::kSentOffset).data, 0u);
    EXPECT_EQ(bench.read(regs::kStatusOffset).data, 0u);
    if (HasFailure()) return;
  }
  EXPECT_GT(bench.coverage().under_way, 100);
  EXPECT_GT(bench.coverage().at_rest, 100);
}

// A bit is cleared exactly at the edge at which its event comes again, one edge before, and one after.
TEST_P(TargetController, EventBeatsClear) {
  for (const int when : {-1, 0, 1}) {
    ControllerBench bench(GetParam(), table(), 6);
    bench.write(regs::kControlOffset, 0);
    bench.steps(5);
    ++bench.status().ports[0].route_drops;
    ++bench.status().ports[0].malformed;
    bench.steps(2);
    const uint32_t drop = 1u << regs::kPortEventsRouteDropLow;
    ASSERT_EQ(bench.read(regs::kPortEventsOffset).data, drop | 1u << regs::kPortEventsMalformedLow);
    bench.submit_write(regs::kPortEventsOffset, ~0u);
    // Address and data are taken at the next edge, and the write takes effect at the one after that.
    bench.steps(1 + when);
    ++bench.status().ports[0].route_drops;
    while (bench.busy()) bench.step();
    EXPECT_EQ(bench.read(regs::kPortEventsOffset).data, when < 0 ? 0u : drop) << when;
    EXPECT_EQ(bench.reference().races(), when == 0 ? 1 : 0) << when;
  }
}

TEST_P(TargetController, RandomAccessWithEvents) {
  ControllerCoverage sum;
  int races = 0;
  for (uint32_t seed = 10; seed < 16; ++seed) {
    ControllerBench bench(GetParam(), table(), seed);
    std::mt19937& random = bench.random();
    bench.set_stalls(seed % 3 == 0 ? 0 : 20 * static_cast<int>(seed % 3));
    bench.set_events(seed % 2 == 0 ? 30 : 3);
    for (int i = 0; i < 12000 && !HasFailure(); ++i) {
      if (bench.queued() < 4) {
        const rtl::control::RegisterEntry& entry = table().registers[random() % table().registers.size()];
        uint32_t address = entry.offset + 4 * (random() % rtl::control::positions_of(entry.copies));
        address += random() % 4;
        if (random() % 16 == 0) address = random() % rtl::control::kRegisterSpace;
        if (entry.name == "control" && random() % 8 != 0) {
          bench.submit_write(address, 0);  // Mostly out of reset.
        } else if (random() % 2 == 0) {
          bench.submit_read(address);
        } else {
          const uint32_t data = random() % 4 == 0 ? ~0u : static_cast<uint32_t>(random());
          bench.submit_write(address, data, random() % 2 == 0 ? 15 : random() % 16);
        }
      }
      bench.step();
    }
    const ControllerCoverage& one = bench.coverage();
    sum.address_first += one.address_first;
    sum.data_first += one.data_first;
    sum.together += one.together;
    sum.write_stalled += one.write_stalled;
    sum.read_stalled += one.read_stalled;
    sum.write_waited += one.write_waited;
    sum.read_waited += one.read_waited;
    sum.both_answered += one.both_answered;
    races += bench.reference().races();
  }
  EXPECT_GT(sum.address_first, 50);
  EXPECT_GT(sum.data_first, 50);
  EXPECT_GT(sum.together, 50);
  EXPECT_GT(sum.write_stalled, 50);
  EXPECT_GT(sum.read_stalled, 50);
  EXPECT_GT(sum.write_waited, 50);
  EXPECT_GT(sum.read_waited, 50);
  EXPECT_GT(sum.both_answered, 50);
  EXPECT_GT(races, 50);
}

}  // namespace
}  // namespace fabrictwin
