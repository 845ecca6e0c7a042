// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any accesses to descriptors and registers of the RDMA unit.
#include <gtest/gtest.h>

#include <vector>

#include "tests/rtl/rdma/rdma_unit_fixture.h"
#include "tests/rtl/register_fuzz.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kRegisters = 0x10000;

/// Those of docs/models/exanet-rdma.md that are written.
bool listed(uint32_t address) {
  return address < kRegisters + 0x100 || (address >= 0x10100 && address <= 0x10120) || address == 0x10300 ||
         (address >= 0x10800 && address < 0x10900);
}

bool rings(const FuzzAccess& access) {
  return access.address < kRegisters && (access.address >> 4 & 3) == 3 && (access.data[1] >> 63) != 0 &&
         (access.strobes >> 15 & 1) != 0;
}

class RdmaFuzz : public RdmaUnit {
 protected:
  static RegisterFuzz::Space space(RegisterFuzz::Rule spared) {
    return {.bytes = 0x20000,
            .width = 16,
            .registers = {{0, 0x1000}, {0x3000, 0x1000}, {kRegisters, 0x140}, {0x10200, 0x140}, {0x10800, 0x140}},
            .refused = [](const FuzzAccess& access) { return access.write && !listed(access.address); },
            .spared = std::move(spared)};
  }
  void make(RegisterFuzz& fuzz, int node, int accesses) {
    for (int i = 0; i < accesses; ++i) {
      const FuzzAccess access = fuzz.next();
      const auto done = [&fuzz, access](const std::vector<Word128>&, bool error) { fuzz.answered(access, error); };
      if (access.write) {
        net.node(node).host_write_strobed(access.address, make_word(access.data[0], access.data[1]), access.strobes,
                                          done);
      } else {
        net.node(node).host_read(access.address, 1, done);
      }
      ++made_;
    }
  }
  void finish_accesses() {
    const auto idle = [&] { return net.node(0).host_idle() && net.node(1).host_idle(); };
    ASSERT_TRUE(net.run_until(idle, 100'000)) << "an access is not answered";
  }

  int made_ = 0;
};

// Transfers of page 0; anything is written to descriptors of other pages, which are not in use, and to what is no
// register.
TEST_F(RdmaFuzz, TransfersGoOnBesideThem) {
  RegisterFuzz fuzz(space([](const FuzzAccess& access) {
                      return access.write &&
                             (access.address < 0x1000 || (access.address >= kRegisters && listed(access.address)));
                    }),
                    1);
  for (int round = 0; round < 60; ++round) {
    make(fuzz, 0, round % 20);
    make(fuzz, 1, 3 * (round % 20));
    expect_works();
    if (HasFailure()) return;
  }
  finish_accesses();
  fuzz.expect_answers(made_);
}

TEST_F(RdmaFuzz, ItWorksAgainAfterAnyWrites) {
  RegisterFuzz fuzz(space([](const FuzzAccess& access) { return access.write && rings(access); }), 2);
  for (int round = 0; round < 10; ++round) {
    for (int node = 0; node < 2; ++node) {
      make(fuzz, node, 200);
      for (int page = 1; page < 16; ++page) net.node(node).set_page(page, 0, false);
      net.node(node).set_page(0, kPdid);
      net.node(node).configure(100, 10, 3, 1600);
      for (const uint32_t address : {0x10110u, 0x10120u, 0x10300u}) net.node(node).host_write(address, {Word128{}});
      for (uint32_t k = 0; k < 16; ++k) net.node(node).host_write(0x10800 + 16 * k, {Word128{}});
    }
    finish_accesses();
    expect_works();
    if (HasFailure()) return;
  }
  fuzz.expect_answers(made_);
}

}  // namespace
}  // namespace fabrictwin::test
