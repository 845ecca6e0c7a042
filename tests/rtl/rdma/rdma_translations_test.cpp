// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The translation cache: notifications do not wait for writes to pages that are known to be present, and are never
// wrong, also when pages go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "VRdmaTranslations__inputs.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/rdma/rdma_unit_fixture.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kTranslations = 0x10120;
constexpr uint64_t kPage = 4096;

class RdmaTranslations : public RdmaUnit {
 protected:
  void SetUp() override {
    for (int i = 0; i < 2; ++i) net.node(i).host_write(kTranslations, {make_word(1, 0)});
    net.probe = [this] {
      const VRdmaUnit& m = net.node(1).model();
      if (m.m_wvalid_o && m.m_wready_i && m.m_wlast_o) written_.push_back(net.now());
    };
  }
  /// A write of one cell with its notification. Cycles from the last word of the data to the notification's: one if it
  /// did not wait for the response.
  int64_t distance(const Transfer& t) {
    written_.clear();
    notified = 0;
    EXPECT_EQ(run(t), Code::kDone);
    EXPECT_EQ(notified, 1);
    EXPECT_EQ(written_.size(), 2u);
    return written_.size() == 2 ? written_[1] - written_[0] : 0;
  }
  Transfer to_page(uint64_t page) {
    Transfer t = write(64);
    t.remote += page * kPage;
    t.local_notify = false;
    fill(t);
    return t;
  }
  /// What the register says.
  uint32_t state() {
    uint32_t value = 0;
    bool done = false;
    net.node(1).host_read(kTranslations, 1, [&](const std::vector<Word128>& words, bool) {
      value = words[0][0];
      done = true;
    });
    EXPECT_TRUE(net.run_until([&] { return done; }, 1000));
    return value;
  }

  std::vector<int64_t> written_;
};

TEST_F(RdmaTranslations, APageIsKnownAfterItsFirstWrite) {
  EXPECT_GT(distance(to_page(0)), 10);
  EXPECT_EQ(distance(to_page(0)), 1);
  EXPECT_GT(distance(to_page(1)), 10);
  EXPECT_EQ(distance(to_page(0)), 1);
  EXPECT_EQ(distance(to_page(1)), 1);
  EXPECT_EQ(state(), 1u);
}

TEST_F(RdmaTranslations, TheOldestOfSixtyFourPagesIsReplaced) {
  for (uint64_t page = 0; page < 64; ++page) EXPECT_GT(distance(to_page(page)), 10) << page;
  EXPECT_EQ(distance(to_page(0)), 1);
  EXPECT_GT(distance(to_page(64)), 10);
  EXPECT_EQ(distance(to_page(1)), 1);
  EXPECT_GT(distance(to_page(0)), 10);
  EXPECT_GT(distance(to_page(1)), 10) << "in the order in which they came";
}

TEST_F(RdmaTranslations, AnotherDomainAndAFaultAreNotKnown) {
  EXPECT_GT(distance(to_page(0)), 10);
  net.node(0).set_page(1, kPdid + 1);
  net.node(1).set_page(1, kPdid + 1);
  for (int i = 0; i < 2; ++i) {
    net.node(i).memory.grant(0, 0x4000000, kPdid + 1);
  }
  Transfer other = to_page(0);
  other.page = 1;
  other.pdid = kPdid + 1;
  EXPECT_GT(distance(other), 10);
  for (int i = 0; i < 2; ++i) net.node(i).memory.grant(0, 0x4000000, kPdid);
  EXPECT_EQ(distance(to_page(0)), 1);
  // A page that is missing makes it forget the others.
  net.node(1).memory.make_absent(kDestination + 5 * kPage, 200);
  notified = 0;
  EXPECT_EQ(run(to_page(5)), Code::kDone);
  EXPECT_EQ(notified, 1);
  EXPECT_GT(count(1, Counter::kFaults), 0u);
  EXPECT_GT(distance(to_page(0)), 10);
}

TEST_F(RdmaTranslations, APageMayGoWhenItIsForgotten) {
  EXPECT_GT(distance(to_page(0)), 10);
  EXPECT_EQ(distance(to_page(0)), 1);
  net.node(1).host_write(kTranslations, {make_word(1, 0)});
  EXPECT_EQ(state(), 1u) << "nothing was under way";
  net.node(1).memory.make_absent(kDestination, 200);
  Transfer t = to_page(0);
  notified = 0;
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_EQ(notified, 1) << "not before the data were there";
  // Switched off it knows nothing.
  net.node(1).host_write(kTranslations, {make_word(0, 0)});
  EXPECT_GT(distance(to_page(0)), 10);
  EXPECT_GT(distance(to_page(0)), 10);
  EXPECT_EQ(state(), 0u);
}

/// What was under way is waited for, and teaches nothing.
TEST_F(RdmaTranslations, WritesFromBeforeDrain) {
  EXPECT_GT(distance(to_page(0)), 10);
  net.node(1).memory.set_frozen(true);
  Transfer t = to_page(0);
  t.length = 1000;
  fill(t);
  net.node(0).start(t);
  net.run(300);
  net.node(1).host_write(kTranslations, {make_word(1, 0)});
  EXPECT_EQ(state(), 3u);
  net.run(100);
  EXPECT_EQ(state(), 3u);
  net.node(1).memory.set_frozen(false);
  EXPECT_EQ(net.finish(0, t, 20000), Code::kDone);
  EXPECT_EQ(state(), 1u);
  EXPECT_TRUE(arrived(t));
}

/// Blocks of many cells: also those whose pages are half known.
TEST_F(RdmaTranslations, LongTransfersAreComplete) {
  for (int round = 0; round < 3; ++round) {
    for (const uint32_t length : {300u, 5000u, 40000u}) {
      Transfer t = write(length, 3);
      t.data = length + static_cast<uint64_t>(round);
      destination(t).bytes() = {};
      fill(t);
      notified = 0;
      bool whole = false;
      net.node(1).memory.on_watched = [&](uint64_t, uint64_t) {
        ++notified;
        whole = arrived(t);
      };
      EXPECT_EQ(run(t), Code::kDone);
      EXPECT_EQ(notified, 1);
      EXPECT_TRUE(whole) << "the notification comes behind all data";
    }
  }
}

constexpr size_t kEntries = 4;  ///< As the model of the part alone has.

/// The part alone against a list of pages and the writes under way, each of which knows whether it began before all was
/// forgotten.
class RdmaTranslationsAlone : public ModuleTest<VRdmaTranslations> {
 protected:
  struct Write {
    uint64_t page;
    bool before;
  };
  RdmaTranslationsAlone() : ModuleTest(71) { reset(); }

  uint64_t page() { return uint64_t{1} << 45 | static_cast<uint64_t>(draw(8)); }
  bool known(uint64_t page) const { return std::find(pages_.begin(), pages_.end(), page) != pages_.end(); }

  void cycle(unsigned begin, unsigned end) {
    auto& m = model_;
    m.enable_i = enabled_;
    m.forget_i = chance(1);
    m.write_i = under_way_.size() < 30 && chance(begin);
    m.response_i = !under_way_.empty() && chance(end);
    // What the response of the cycle before teaches.
    m.learn_i = taught_ && !faulted_;
    m.fault_i = taught_ && faulted_;
    m.page_i = taught_ ? *taught_ : page();
    m.eval();
    ASSERT_EQ(m.known_o != 0, enabled_ && known(m.page_i));
    ++seen_[m.known_o ? "known" : "not known"];
    const bool draining = std::any_of(under_way_.begin(), under_way_.end(), [](const Write& w) { return w.before; });
    ASSERT_EQ(m.draining_o != 0, draining);
    if (draining) ++seen_["draining"];
    if (m.forget_i && draining) ++seen_["forgets again"];

    if (m.forget_i || m.fault_i) {
      pages_.clear();
    } else if (m.learn_i && enabled_ && !known(*taught_)) {
      pages_.push_back(*taught_);
      if (pages_.size() > kEntries) {
        pages_.pop_front();
        ++seen_["replaced"];
      }
    }
    taught_.reset();
    if (m.response_i) {
      const bool learnable = !under_way_.front().before && !m.forget_i;
      ASSERT_EQ(m.learnable_o != 0, learnable);
      faulted_ = chance(2);
      if (learnable || faulted_) taught_ = under_way_.front().page;
      under_way_.pop_front();
    }
    if (m.write_i) under_way_.push_back({page(), false});
    if (m.forget_i) {
      for (Write& write : under_way_) write.before = true;
    }
    if (chance(1)) enabled_ = !enabled_;
    edge();
  }

  bool enabled_ = true, faulted_ = false;
  std::optional<uint64_t> taught_;
  std::deque<uint64_t> pages_;
  std::deque<Write> under_way_;
};

TEST_F(RdmaTranslationsAlone, KnowsTheNewestPagesAndWhatIsUnderWay) {
  for (int round = 0; round < 20; ++round) {
    for (int k = 0; k < 2000; ++k) {
      cycle(50, k % 400 < 200 ? 30 : 70);
      ASSERT_FALSE(HasFatalFailure()) << "cycle " << k << " of round " << round;
    }
    reset();
    pages_.clear();
    under_way_.clear();
    taught_.reset();
  }
  for (const char* what : {"known", "not known", "draining", "forgets again", "replaced"})
    EXPECT_GT(seen_[what], 100) << what;
}

}  // namespace
}  // namespace fabrictwin::test
