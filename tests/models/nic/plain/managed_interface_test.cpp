// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/plain/managed_interface.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/link/packet_mark.h"
#include "models/kernel/systemc_context.h"

namespace fabrictwin {
namespace {

constexpr int32_t kHosts = 5;
constexpr int64_t kWordNs = 8;
constexpr int64_t kLatencyNs = 10;

/// A packet that the interface has sent.
struct Sent {
  link::PacketHeader header;
  link::Word footer;
  int64_t slot = 0;
  bool operator==(const Sent&) const = default;
};

/// What stands for the network behind host 0: gives packets and notices, takes packets and frees their space at once
/// unless it is told to keep it.
class FakeNetwork : public sc_core::sc_module {
 public:
  FakeNetwork(const sc_core::sc_module_name& name, nic::plain::NetworkInterface& nic) : sc_module(name) {
    in.register_b_transport(this, &FakeNetwork::take);
    out.bind(nic.link_in(0));
    nic.link_out(0).bind(in);
  }

  /// A packet from `source` whose first word comes in `slot` or later; without payload it is a notice.
  void give(int32_t source, uint32_t sequence, bool payload, bool marked, int64_t slot = 0) {
    link::PacketHeader header;
    header.source = static_cast<uint32_t>(source);
    header.sequence = sequence;
    header.payload_bytes = payload ? sizeof(nic::Envelope) : 0;
    const auto count = static_cast<size_t>(header.packet_words());
    std::array<link::Word, 4> words{};
    words[0] = header.encode();
    words[count - 1].lo = observe::hash_bytes(std::as_bytes(std::span(&words[1], count - 2)));
    words[count - 1].hi = marked ? link::kMarkBit : 0;
    next_ = std::max(next_, slot);
    sc_core::sc_time delay;
    out->b_transport(transaction_.burst(words.data(), static_cast<int32_t>(count), next_, 0,
                                        link::kStartOfPacket | link::kEndOfPacket),
                     delay);
    next_ += static_cast<int64_t>(count);
  }
  /// Frees space that was kept.
  void free(int32_t words) {
    sc_core::sc_time delay;
    out->b_transport(
        transaction_.credit(kernel::from_sc_time(sc_core::sc_time_stamp()), 0, static_cast<uint8_t>(words)), delay);
  }

  tlm_utils::simple_initiator_socket<FakeNetwork> out;
  tlm_utils::simple_target_socket<FakeNetwork> in;
  std::vector<Sent> sent;
  bool keeps = false;

 private:
  void take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const auto* extension = payload.get_extension<kernel::LinkExtension>();
    if (extension->kind == link::RecordKind::kCredit) return;
    const size_t count = payload.get_data_length() / link::kWordBytes;
    const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
    sent.push_back({link::PacketHeader::decode(words[0]), words[count - 1], extension->first_slot});
    if (!keeps) free(static_cast<int32_t>(count));
  }

  kernel::LinkTransaction transaction_;
  int64_t next_ = 0;
};

/// Takes what arrives.
class Silent : public host::Endpoint {
 public:
  Silent() : host::Endpoint("silent", 0) {}
  bool finished() const override { return false; }
  Time finish_time() const override { return {}; }
  std::string waits_for() const override { return {}; }
  std::vector<uint64_t> left;  ///< Cookies of messages that have left.

 private:
  void begin() override {}
  void on_message(const nic::IncomingMessage&) override {}
  void on_sent(uint64_t cookie) override { left.push_back(cookie); }
  void decide() override {}
};

/// Host 0 of a few, with one port. There is one at a time.
class Site {
 public:
  explicit Site(experiment::GapReaction reaction) : reaction_(std::move(reaction)) {
    for (int32_t host = 0; host < kHosts; ++host)
      graph_.elements.push_back({"host", system::ElementKind::kHost, host, {}, {"tile"}});
    EXPECT_TRUE(context_.ok());
    nic::plain::NetworkInterface::Config config;
    config.graph = &graph_;
    system::Link link;
    link.rate = Bandwidth{128'000'000'000 / kWordNs};
    link.latency = Time::from_ns(kLatencyNs);
    config.ports.push_back({link, &counters_, 0});
    config.digest = &digest_;
    config.failure = &failure_;
    nic = std::make_unique<nic::plain::ManagedInterface>("nic", config, reaction_);
    network = std::make_unique<FakeNetwork>("network", *nic);
    endpoint = std::make_unique<Silent>();
    endpoint->nic.bind(nic->host_port());
    nic->bind_endpoint(endpoint.get());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  ~Site() { EXPECT_EQ(failure_, ""); }

  void send(int32_t destination, uint64_t bytes) {
    nic::OutgoingMessage message;
    message.destination = destination;
    message.envelope.bytes = bytes;
    message.cookie = ++messages_;
    nic->send(message);
  }
  void run_until(int64_t ns) {
    const Time now = kernel::from_sc_time(sc_core::sc_time_stamp());
    sc_core::sc_start(kernel::to_sc_time(Time::from_ns(ns) - now));
  }
  /// The slots in which packets to a host began.
  std::vector<int64_t> slots(int32_t destination) const {
    std::vector<int64_t> slots;
    for (const Sent& packet : network->sent) {
      if (packet.header.destination == static_cast<uint32_t>(destination)) slots.push_back(packet.slot);
    }
    return slots;
  }

 private:
  absl::StatusOr<std::unique_ptr<kernel::SystemcContext>> context_ = kernel::SystemcContext::create();
  experiment::GapReaction reaction_;
  system::SystemGraph graph_;
  link::LinkCounters counters_;
  observe::EndpointDigest digest_;
  std::string failure_;
  uint64_t messages_ = 0;

 public:
  std::unique_ptr<nic::plain::ManagedInterface> nic;
  std::unique_ptr<FakeNetwork> network;
  std::unique_ptr<Silent> endpoint;
};

experiment::GapReaction by_index(int32_t shift = 0, int32_t timer = 65'535) {
  experiment::GapReaction reaction{
      .increase = 1, .limit = 127, .least = 0, .timer = timer, .table = {}, .shift = shift};
  for (int32_t i = 0; i <= reaction.limit; ++i) reaction.table.push_back(i);
  return reaction;
}

TEST(ManagedInterface, AMarkedPacketCausesANoticeAtOnceAndOthersNone) {
  Site site(by_index());
  site.network->give(3, 0, true, false);
  site.network->give(3, 1, true, true);
  site.run_until(1000);
  ASSERT_EQ(site.network->sent.size(), 1u);
  const Sent& notice = site.network->sent[0];
  EXPECT_EQ(notice.header.destination, 3u);
  EXPECT_EQ(notice.header.source, 0u);
  EXPECT_EQ(notice.header.payload_bytes, 0);
  EXPECT_EQ(notice.header.sequence, ~uint32_t{1});
  EXPECT_EQ(notice.footer.hi, 0u);
  // The last of 8 words has left after 64 ns, and is here after 74: in slot 9, 9.25 rounded up to 10.
  EXPECT_EQ(notice.slot, 10);
  const host::ControlCounters control = site.nic->control();
  EXPECT_EQ(control.marks, 1u);
  EXPECT_EQ(control.notices, 1u);
  EXPECT_EQ(control.bytes, 32u);
  EXPECT_EQ(site.nic->packets_received(), 2u);
}

TEST(ManagedInterface, ANoticeGoesBeforeDataThatWaits) {
  Site site(by_index());
  site.send(1, 4 * 256 - 32);
  site.network->give(3, 0, true, true);
  site.run_until(2000);
  ASSERT_EQ(site.network->sent.size(), 5u);
  EXPECT_EQ(site.network->sent[1].header.destination, 3u);
  EXPECT_EQ(site.network->sent[1].slot, 18) << "behind the packet that was leaving";
  EXPECT_EQ(site.network->sent[2].slot, 20);
}

TEST(ManagedInterface, ANoticeWaitsForCreditsAndIsStillFirst) {
  Site site(by_index());
  site.network->keeps = true;
  site.send(1, 6 * 256 - 32);  // The buffer of 64 words takes three packets.
  site.run_until(1000);
  ASSERT_EQ(site.network->sent.size(), 3u);
  site.network->free(0);
  site.network->give(3, 0, true, true, 200);
  site.network->give(4, 0, true, true, 200);
  site.network->give(2, 0, true, true, 200);
  site.network->give(2, 1, true, true, 200);
  site.network->give(2, 2, true, true, 200);
  site.run_until(3000);
  // 10 words were left.
  ASSERT_EQ(site.network->sent.size(), 8u);
  EXPECT_EQ(site.network->sent[3].header.destination, 3u);
  site.network->keeps = false;
  site.network->free(54 + 10);
  site.run_until(5000);
  EXPECT_EQ(site.network->sent.size(), 11u);
}

class GapOf : public ::testing::TestWithParam<std::pair<int32_t, int32_t>> {};

// With `notices` of a source, the packets to it are so far apart, exactly.
TEST_P(GapOf, IsTheEntryTimesTheTimeOfThePacket) {
  const auto [notices, shift] = GetParam();
  Site site(by_index(shift));
  for (int32_t i = 0; i < notices; ++i) site.network->give(1, 0, false, false);
  site.run_until(10'000);
  site.send(1, 4 * 256 - 32 - 100);  // The last packet has 156 bytes: 12 words.
  site.send(1, 0);
  site.run_until(2'000'000);
  const int64_t index = std::min(notices, 127);
  const int64_t full = 18 + (18 * index >> shift);
  const int64_t first = 10'000 / kWordNs;
  const int64_t last = first + 3 * full;
  EXPECT_EQ(site.slots(1),
            (std::vector<int64_t>{first, first + full, first + 2 * full, last, last + 12 + (12 * index >> shift)}));
}

INSTANTIATE_TEST_SUITE_P(Table, GapOf,
                         ::testing::Values(std::pair{0, 0}, std::pair{1, 0}, std::pair{1, 3}, std::pair{7, 2},
                                           std::pair{127, 0}, std::pair{200, 0}));

TEST(ManagedInterface, OthersGoAheadInAGapAndTheOldestReturns) {
  Site site(by_index());
  site.network->give(1, 0, false, false);
  site.run_until(1000);
  site.send(1, 3 * 256 - 32);
  site.send(1, 0);
  site.send(2, 2 * 256 - 32);
  site.send(3, 2 * 256 - 32);
  site.run_until(4000);
  std::vector<uint32_t> order;
  for (const Sent& packet : site.network->sent) order.push_back(packet.header.destination);
  // A gap is as long as a packet.
  EXPECT_EQ(order, (std::vector<uint32_t>{1, 2, 1, 2, 1, 3, 1, 3}));
  EXPECT_EQ(site.network->sent.back().slot, 125 + 6 * 18 + 4) << "the link is never idle";
  EXPECT_EQ(site.endpoint->left, (std::vector<uint64_t>{3, 1, 2, 4}));
}

TEST(ManagedInterface, TheIndexFallsEachTimerFromTheFirstNotice) {
  Site site(by_index(0, 10));              // 10.24 us
  site.network->give(1, 0, false, false);  // It arrives at 26 ns,
  site.network->give(1, 0, false, false);  // and this one at 42.
  site.run_until(10'000);
  site.send(1, 0);
  site.send(1, 0);
  site.run_until(20'000);
  EXPECT_EQ(site.slots(1), (std::vector<int64_t>{1250, 1250 + 12}));
  site.run_until(20'480);
  site.send(1, 0);
  site.send(1, 0);
  site.run_until(20'600);
  EXPECT_EQ(site.slots(1).back(), 2560 + 8) << "it falls to zero at 20.506 us only";
  site.send(1, 0);
  site.send(1, 0);
  site.run_until(30'000);
  EXPECT_EQ(site.slots(1).back(), 2575 + 4);
  site.network->give(1, 0, false, false, 4000);
  site.run_until(32'100);
  site.send(1, 0);
  site.send(1, 0);
  site.run_until(40'000);
  EXPECT_EQ(site.slots(1).back(), 4013 + 8) << "a notice begins it anew";
}

TEST(ManagedInterface, ReactionsAreOfOneDestination) {
  Site site(by_index());
  for (int32_t i = 0; i < 20; ++i) site.network->give(1, 0, false, false);
  site.run_until(1000);
  site.send(2, 2 * 256 - 32);
  site.run_until(3000);
  EXPECT_EQ(site.slots(2), (std::vector<int64_t>{125, 143}));
}

/// A message of the property, or a notice.
struct Event {
  int64_t ns = 0;
  int32_t host = 0;
  std::optional<uint64_t> bytes;  ///< Of a message; a notice has none.
};

/// Slot by slot, without any structure: what leaves, and when.
std::vector<std::pair<int64_t, uint32_t>> by_hand(const std::vector<Event>& events,
                                                  const std::map<int32_t, std::vector<int64_t>>& notices,
                                                  const experiment::GapReaction& reaction, int64_t end) {
  struct Message {
    int64_t ns;
    int32_t host;
    std::vector<int64_t> packets;
  };
  std::vector<Message> messages;
  for (const Event& event : events) {
    if (!event.bytes.has_value()) continue;
    Message message{event.ns, event.host, {}};
    for (uint64_t left = *event.bytes + 32; left > 0; left -= std::min<uint64_t>(left, 256))
      message.packets.push_back(2 + static_cast<int64_t>((std::min<uint64_t>(left, 256) + 15) / 16));
    messages.push_back(message);
  }
  std::vector<std::pair<int64_t, uint32_t>> sent;
  std::map<int32_t, int64_t> earliest;
  int64_t free = 0;
  for (int64_t slot = 0; slot < end; ++slot) {
    if (slot < free) continue;
    for (Message& message : messages) {
      if (message.packets.empty() || message.ns > slot * kWordNs) continue;
      // No later message to the same host goes before it.
      if (slot < earliest[message.host]) continue;
      int32_t index = 0;
      int64_t timer = 0;
      const auto given = notices.find(message.host);
      if (given != notices.end()) {
        for (const int64_t at : given->second) {
          if (at > slot * kWordNs) break;
          while (index > 0 && timer <= at) --index, timer += reaction.timer * 1024;
          if (index == 0) timer = at + reaction.timer * 1024;
          index = std::min(index + reaction.increase, reaction.limit);
        }
      }
      while (index > 0 && timer <= slot * kWordNs) --index, timer += reaction.timer * 1024;
      const int64_t words = message.packets.front();
      message.packets.erase(message.packets.begin());
      sent.emplace_back(slot, static_cast<uint32_t>(message.host));
      free = slot + words;
      earliest[message.host] = free + (words * reaction.table[static_cast<size_t>(index)] >> reaction.shift);
      break;
    }
  }
  return sent;
}

RC_GTEST_PROP(ManagedInterface, SendsWhatTheRuleSaysInEverySlot, ()) {
  experiment::GapReaction reaction = by_index(*rc::gen::inRange(0, 4), *rc::gen::inRange(1, 4));
  reaction.increase = *rc::gen::inRange(1, 10);
  reaction.limit = *rc::gen::inRange(5, 60);
  std::vector<Event> events(*rc::gen::inRange<size_t>(1, 40));
  for (Event& event : events) {
    event.ns = *rc::gen::inRange<int64_t>(1, 800) * kWordNs;
    event.host = *rc::gen::inRange(1, 4);
    if (*rc::gen::inRange(0, 3) != 0) event.bytes = *rc::gen::inRange<uint64_t>(0, 1500);
  }
  std::ranges::stable_sort(events, {}, &Event::ns);
  Site site(reaction);
  std::map<int32_t, std::vector<int64_t>> notices;
  int64_t next = 0;
  for (const Event& event : events) {
    site.run_until(event.ns);
    if (event.bytes.has_value()) {
      site.send(event.host, *event.bytes);
    } else {
      next = std::max(next, event.ns / kWordNs) + 2;
      site.network->give(event.host, 0, false, false, next - 2);
      notices[event.host].push_back(next * kWordNs + kLatencyNs);
    }
  }
  constexpr int64_t kEnd = 60'000;
  site.run_until(kEnd * kWordNs);
  std::vector<std::pair<int64_t, uint32_t>> sent;
  std::map<uint32_t, uint32_t> sequences;
  for (const Sent& packet : site.network->sent) {
    sent.emplace_back(packet.slot, packet.header.destination);
    uint32_t& sequence = sequences[packet.header.destination];
    RC_ASSERT(packet.header.sequence == sequence || packet.header.sequence == sequence + 1);
    sequence = packet.header.sequence;
  }
  RC_ASSERT(sent == by_hand(events, notices, reaction, kEnd));
}

}  // namespace
}  // namespace fabrictwin
