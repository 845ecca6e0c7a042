// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The interrupt of the mailbox at its pins, cycle by cycle, against a reference that counts from edges, and against the
// model of network interfaces.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "VNiInterrupts__inputs.h"
#include "models/nic/exanet/interrupts.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

/// What happens at an edge.
struct Inputs {
  std::optional<int> event;  ///< Interface.
  std::optional<uint64_t> clear, enable, moderation;
};

/// The registers and the request after each edge.
struct Reference {
  uint64_t pending = 0, enabled = 0, moderation = 0;
  int64_t since = 0;  ///< Edge from which the moderation counts.
  uint64_t entries = 0;
  bool request = false;

  void edge(int64_t now, const Inputs& in) {
    const bool armed = (pending & enabled) != 0;
    const uint64_t added = in.event ? uint64_t{1} << *in.event : 0;
    const uint64_t counted = (added & enabled) != 0 ? 1 : 0;
    const uint64_t limit = moderation & 0xffff, delay = moderation >> 16;
    const bool due = (limit > 0 && entries >= limit) || now - since > static_cast<int64_t>(delay);
    if (in.clear || !armed) {
      since = now;
      entries = counted;
      request = false;
    } else {
      request = request || due;
      entries += counted;
    }
    pending = (pending & ~in.clear.value_or(0)) | added;
    enabled = in.enable.value_or(enabled);
    if (in.moderation) moderation = *in.moderation & 0xff'ffff'ffff;
  }
};

class NiInterrupts : public ModuleTest<VNiInterrupts> {
 protected:
  NiInterrupts() : ModuleTest(77) { ModuleTest::reset(); }

  void drive(const Inputs& in) {
    model_.event_valid_i = in.event.has_value();
    model_.event_interface_i = static_cast<uint8_t>(in.event.value_or(draw(64)));
    model_.pending_write_i = in.clear.has_value();
    model_.enable_write_i = in.enable.has_value();
    model_.moderation_write_i = in.moderation.has_value();
    // The host writes one register at a time; what it does not write has any data.
    const uint64_t other = word();
    model_.data_i = in.clear.value_or(in.enable.value_or(in.moderation.value_or(other)));
    model_.eval();
    quiet_ = model_.idle_o != 0 && !in.event && !in.clear && !in.enable && !in.moderation;
    before_ = model_.irq_o;
    edge();
  }
  void expect(const Reference& reference, int step) {
    ASSERT_EQ(model_.pending_o, reference.pending) << step;
    ASSERT_EQ(model_.enable_o, reference.enabled) << step;
    ASSERT_EQ(model_.moderation_o, reference.moderation) << step;
    ASSERT_EQ(model_.irq_o != 0, reference.request) << step;
    if (quiet_) ASSERT_EQ(model_.irq_o, before_) << "idle, at " << step;
  }
  uint64_t word() {
    const uint64_t high = random_();
    return high << 32 | random_();
  }

  bool quiet_ = false;
  uint8_t before_ = 0;
};

TEST_F(NiInterrupts, FollowsTheReference) {
  Reference reference;
  unsigned events = 10, clears = 5;
  for (int step = 0; step < 200'000; ++step) {
    if (step % 500 == 0) {
      events = random_() % 3 * 20 + 1;
      clears = random_() % 3 * 10 + 1;
    }
    if (chance(1) && chance(3)) {
      reset();
      reference = {};
      ++seen_["reset"];
    }
    Inputs in;
    if (chance(events)) in.event = draw(64);
    if (chance(clears)) {
      const uint64_t some = word();
      in.clear = chance(50) ? reference.pending : some & reference.pending;
    } else if (chance(1)) {
      const uint64_t some = word();
      in.enable = chance(30) ? ~uint64_t{0} : some;
    } else if (chance(1)) {
      const uint64_t limit = chance(40) ? 0 : static_cast<uint64_t>(draw(6)), rest = word();
      const uint64_t delay = chance(40) ? 0 : static_cast<uint64_t>(draw(200));
      in.moderation = limit | delay << 16 | rest << 40;
    }
    const bool requested = reference.request;
    const bool both = in.clear && in.event && (*in.clear >> *in.event & 1) != 0;
    reference.edge(step, in);
    drive(in);
    expect(reference, step);
    if (HasFatalFailure()) return;
    if (both) ++seen_["cleared as it comes"];
    if (!requested && reference.request) ++seen_[(reference.moderation >> 16) > 0 ? "moderated" : "at once"];
    if (!requested && reference.request && step - reference.since <= static_cast<int64_t>(reference.moderation >> 16))
      ++seen_["enough entries"];
    if (quiet_) ++seen_[reference.request ? "idle with a request" : "idle"];
  }
  for (const char* corner :
       {"reset", "cleared as it comes", "moderated", "at once", "enough entries", "idle with a request", "idle"})
    EXPECT_GT(seen_[corner], 20) << corner;
}

TEST_F(NiInterrupts, EqualsTheModelInEachCycle) {
  for (int round = 0; round < 200; ++round) {
    reset();
    const nic::exanet::InterruptSettings settings{.messages = chance(40) ? 0 : 1 + draw(6),
                                                  .delay = chance(30) ? 0 : draw(300)};
    const uint64_t enabled = chance(50) ? ~uint64_t{0} : word();
    drive({.enable = enabled});
    drive({.moderation = static_cast<uint64_t>(settings.delay) << 16 | static_cast<uint64_t>(settings.messages)});
    nic::exanet::Interrupts model(settings, enabled);
    const unsigned events = random_() % 40 + 1;
    for (int64_t now = 0; now < 1000; ++now) {
      Inputs in;
      if (chance(events)) in.event = draw(64);
      if (chance(3)) {
        const uint64_t some = word();
        in.clear = chance(70) ? model.pending() : some;
      }
      // Both orders of what happens at one edge.
      const bool first = chance(50);
      if (in.event && first) model.event(now, *in.event);
      if (in.clear) model.clear(now, *in.clear);
      if (in.event && !first) model.event(now, *in.event);
      drive(in);
      const std::optional<int64_t> raised = model.raised();
      ASSERT_EQ(model_.pending_o, model.pending()) << round << " at " << now;
      ASSERT_EQ(model_.irq_o != 0, raised.has_value() && *raised <= now) << round << " at " << now;
      if (model_.irq_o != 0) ++seen_["request"];
    }
  }
  EXPECT_GT(seen_["request"], 10'000);
}

}  // namespace
}  // namespace fabrictwin::test
