// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random messages both ways through all channels and a network that does its worst, with random stalls on every
// interface, against a reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "tests/rtl/ni/ni_host.h"
#include "tests/rtl/ni/ni_reference.h"

namespace fabrictwin::test {
namespace {

/// How the network treats packets, in per mille.
struct Weather {
  int drop = 0;
  int duplicate = 0;
  int corrupt = 0;
  int max_delay = 0;
};

constexpr int kRetryLimit = 2;

/// Both hosts at work. A host does one thing at a time: rings a free channel, reads the state of a busy one, or empties
/// a mailbox.
class Traffic {
 public:
  Traffic(uint64_t seed, const NiStalls& stalls, const Weather& weather, int messages)
      : random_(seed), weather_(weather), messages_(messages), network_(seed, stalls) {
    network_.on_sent = [this](int from, const NiPacket& packet) { reference_[index(from)].sent(packet); };
    network_.on_delivered = [this](int to, const NiPacket& packet) { reference_[index(to)].delivered(packet); };
    network_.on_event = [this](int to, int interface_number) { hosts_[index(to)].full.insert(interface_number); };
    network_.fate = [this](int, const NiPacket& packet) { return choose_fate(packet); };
  }

  /// Holds both devices against twins that leave idle edges out. After each `batch` messages of a host nothing happens
  /// for up to `max_pause` cycles.
  void with_twins(uint32_t time, int batch, int max_pause) {
    for (int d = 0; d < 2; ++d) network_.device(d).start_twin(time);
    batch_ = batch;
    max_pause_ = max_pause;
  }

  /// Puts the rings of a third of the interfaces into the hosts' memories, with 2 to 8 entries.
  void with_rings_in_memory() { rings_in_memory_ = true; }

  void run() {
    configure();
    for (int k = 0; k < 6'000'000 && !testing::Test::HasFatalFailure(); ++k) {
      for (int d = 0; d < 2; ++d) {
        if (network_.device(d).host_queue() == 0 && !rests()) act(d);
      }
      network_.cycle();
      if (done()) break;
    }
    if (testing::Test::HasFatalFailure()) return;
    ASSERT_TRUE(done()) << "messages are stuck";
    ASSERT_TRUE(network_.drain(400'000)) << "credits or packets are missing";
    for (int d = 0; d < 2; ++d) {
      while (!hosts_[index(d)].full.empty()) {
        empty_mailbox(d);
        network_.finish_host(d);
      }
      for (int i = 0; i < 64; ++i) poll_ring(d, i);
      network_.finish_host(d);
    }
    for (int d = 0; d < 2; ++d) {
      reference_[index(d)].finish(network_, reference_[index(1 - d)]);
      if (testing::Test::HasFatalFailure()) return;
      for (int c = 0; c < kNiCounters; ++c) counters_[static_cast<size_t>(c)] += network_.counter(d, c);
      EXPECT_EQ(network_.read(d, kNiStatusAddress) >> 24 & 1, 0u) << "credit error";
    }
  }

  uint64_t counter(int number) const { return counters_[static_cast<size_t>(number)]; }
  const NiReference& reference(int d) const { return reference_[index(d)]; }
  NiNetwork& network() { return network_; }
  int corrupted() const { return corrupted_; }
  bool all_channels() const {
    for (int c = 0; c < 256; ++c) {
      if (!reference_[0].channel(c).used || !reference_[1].channel(c).used) return false;
    }
    return true;
  }

 private:
  struct Host {
    std::set<int> busy;  ///< Channels.
    std::set<int> full;  ///< Interfaces with news.
    std::array<int, 64> head{};
    std::array<int64_t, 64> emptied{};
    int rung = 0;
  };
  static size_t index(int d) { return static_cast<size_t>(d); }
  uint64_t below(uint64_t n) { return random_() % n; }

  NiFate choose_fate(const NiPacket& packet) {
    NiFate fate;
    fate.drop = below(1000) < static_cast<uint64_t>(weather_.drop);
    fate.corrupt = below(1000) < static_cast<uint64_t>(weather_.corrupt);
    if (below(1000) < static_cast<uint64_t>(weather_.duplicate)) fate.copies = 2 + static_cast<int>(below(2));
    if (weather_.max_delay > 0) {
      // Most go fast, some wait long enough to be sent again.
      fate.delay = static_cast<int>(below(4) == 0 ? below(static_cast<uint64_t>(weather_.max_delay)) : below(40));
    }
    fate.vc = packet.kind == kKindMessage ? packet.channel % 2 : static_cast<int>(below(2));
    if (fate.corrupt && !fate.drop) corrupted_ += fate.copies;
    return fate;
  }

  /// A batch is over; its end begins a pause when nothing is under way.
  bool rests() {
    if (batch_ == 0) return false;
    if (network_.now() < resume_) return true;
    for (const Host& host : hosts_) {
      if (host.rung < std::min(batch_end_, messages_) || !host.busy.empty() || !host.full.empty()) return false;
    }
    resume_ = network_.now() + static_cast<int64_t>(below(static_cast<uint64_t>(max_pause_)));
    batch_end_ += batch_;
    return true;
  }
  bool may_ring(const Host& host) const {
    return host.rung < messages_ && host.busy.size() < 200 && (batch_ == 0 || host.rung < batch_end_);
  }

  void configure() {
    for (int d = 0; d < 2; ++d) {
      NiHost host(network_, d);
      host.set_timeout(50, kRetryLimit, 4);
      for (int i = 0; i < 64; ++i) {
        // Four interfaces share a domain; the last of each 16 has its mailbox off.
        const int pdid = 1000 + i / 4;
        host.enable_packetizer(i, pdid, i % 8);
        host.configure_mailbox(i, pdid, i % 16 != 15);
        reference_[index(d)].packetizer_enabled(i, pdid, i % 8);
        reference_[index(d)].mailbox_configured(i, pdid, i % 16 != 15);
        if (!in_memory(i)) continue;
        // Every second one tells its entries; the others are polled.
        EXPECT_FALSE(host.place_ring(i, ni_ring(ring_base(i), ring_bits(i), i % 2 == 0)));
        reference_[index(d)].ring_placed(i, ring_bits(i));
      }
      host.wait_ready();
    }
  }

  void act(int d) {
    Host& host = hosts_[index(d)];
    const uint64_t what = below(10);
    if (what < 5 && may_ring(host)) {
      ring(d);
    } else if (what < 8 && !host.busy.empty()) {
      read_state(d);
    } else if (what == 9 && !host.full.empty()) {
      empty_mailbox(d);
    } else if (rings_in_memory_) {
      poll_ring(d, static_cast<int>(below(64)));
    }
  }

  void ring(int d) {
    Host& host = hosts_[index(d)];
    // All channels in turn at first, at random later.
    int channel = host.rung < 256 ? host.rung * 5 % 256 : static_cast<int>(below(256));
    while (host.busy.count(channel) != 0) channel = (channel + 1) % 256;
    const int own = channel / 4;
    // Some go to another domain.
    const int to = static_cast<int>(below(20) == 0 ? below(64) : static_cast<uint64_t>(own / 4 * 4) + below(4));
    const int rank = static_cast<int>(below(8));
    const auto length = static_cast<int>(below(65));
    const auto data = message_data(random_(), length);
    for (size_t w = 0; 8 * w < data.size(); ++w) {
      uint64_t word = 0;
      for (size_t b = 8 * w; b < data.size() && b < 8 * w + 8; ++b) word |= uint64_t{data[b]} << (8 * (b % 8));
      network_.device(d).write(ni_channel_address(channel, static_cast<int>(w)), word);
    }
    const uint64_t address =
        uint64_t{NiNetwork::node(1 - d)} << 42 | static_cast<uint64_t>(rank) << 39 | mailbox_va(to);
    network_.device(d).write(ni_channel_address(channel, 8), address, [=, this](uint64_t, bool) {
      reference_[index(d)].rung(channel, to, rank, data);  // Before the doorbell that follows.
    });
    network_.device(d).write(ni_channel_address(channel, 9), data.size(),
                             [](uint64_t, bool error) { EXPECT_FALSE(error) << "doorbell refused"; });
    host.busy.insert(channel);
    ++host.rung;
  }

  void read_state(int d) {
    Host& host = hosts_[index(d)];
    auto it = host.busy.lower_bound(static_cast<int>(below(256)));
    if (it == host.busy.end()) it = host.busy.begin();
    const int channel = *it;
    network_.device(d).read(ni_channel_address(channel, 9), [=, this](uint64_t value, bool) {
      reference_[index(d)].state_read(channel, value, kRetryLimit);
      if ((value & 7) != kOngoing) hosts_[index(d)].busy.erase(channel);
    });
  }

  /// Reads the tail, then (from the response on) the entries up to it, then moves the head.
  void empty_mailbox(int d) {
    Host& host = hosts_[index(d)];
    const int i = *host.full.begin();
    host.full.erase(host.full.begin());
    if (in_memory(i)) return poll_ring(d, i);
    network_.device(d).read(ni_tail_address(i), [=, this](uint64_t tail, bool) {
      Host& h = hosts_[index(d)];
      int count = (static_cast<int>(tail) - h.head[index(i)]) & (2 * kNiMailboxDepth - 1);
      EXPECT_LE(count, kNiMailboxDepth);
      for (; count > 0; --count) read_entry(d, i);
    });
  }

  void read_entry(int d, int i) {
    Host& host = hosts_[index(d)];
    const int slot = host.head[index(i)] % kNiMailboxDepth;
    host.head[index(i)] = (host.head[index(i)] + 1) % (2 * kNiMailboxDepth);
    const int head = host.head[index(i)];
    const int64_t total = ++host.emptied[index(i)];
    auto entry = std::make_shared<NiEntry>();
    auto words = std::make_shared<std::vector<uint64_t>>();
    for (int w = 0; w < 9; ++w) {
      network_.device(d).read(ni_entry_address(i, slot, w), [=, this](uint64_t value, bool) {
        words->push_back(value);
        if (w == 8) {
          entry->sequence = static_cast<uint32_t>(value & 0xffffff);
          entry->channel = static_cast<int>(value >> 24 & 0xff);
          entry->source = static_cast<uint32_t>(value >> 32 & 0x3fffff);
          entry->source_rank = static_cast<int>(value >> 54 & 7);
          for (size_t b = 0; b < value >> 57; ++b)
            entry->data.push_back(static_cast<uint8_t>((*words)[b / 8] >> (8 * (b % 8))));
          reference_[index(d)].entry_read(i, *entry);
          reference_[index(d)].head_issued(i, static_cast<int>(total));
        }
      });
    }
    network_.device(d).write(ni_head_address(i), static_cast<uint64_t>(head), [=, this](uint64_t, bool) {
      reference_[index(d)].head_written(i, static_cast<int>(total));
    });
  }

  bool in_memory(int i) const { return rings_in_memory_ && i % 3 == 1; }
  static int ring_bits(int i) { return 1 + i / 3 % 3; }
  static uint64_t ring_base(int i) { return uint64_t{0x4200000000} + static_cast<uint64_t>(i) * 0x400; }

  /// Takes what is in a ring of the host's memory.
  void poll_ring(int d, int i) {
    if (!in_memory(i)) return;
    int64_t& emptied = hosts_[index(d)].emptied[index(i)];
    NiHost host(network_, d);
    while (const auto entry = host.memory_entry(ring_base(i), ring_bits(i), static_cast<uint64_t>(emptied))) {
      const int64_t total = ++emptied;
      reference_[index(d)].entry_read(i, *entry);
      reference_[index(d)].head_issued(i, static_cast<int>(total));
      network_.device(d).write(ni_head_address(i), static_cast<uint64_t>(total) % (uint64_t{2} << ring_bits(i)),
                               [=, this](uint64_t, bool error) {
                                 EXPECT_FALSE(error);
                                 reference_[index(d)].head_written(i, static_cast<int>(total));
                               });
    }
  }

  bool done() const {
    for (const Host& host : hosts_) {
      if (host.rung < messages_ || !host.busy.empty()) return false;
    }
    return true;
  }

  std::mt19937_64 random_;
  Weather weather_;
  int messages_;
  NiNetwork network_;
  std::array<NiReference, 2> reference_{NiReference(0), NiReference(1)};
  std::array<Host, 2> hosts_;
  std::array<uint64_t, kNiCounters> counters_{};
  int corrupted_ = 0;
  bool rings_in_memory_ = false;
  int batch_ = 0, max_pause_ = 0, batch_end_ = 0;
  int64_t resume_ = 0;
};

TEST(NiTraffic, CalmWeatherNeedsNoRetries) {
  Traffic traffic(1, {}, {}, 1500);
  traffic.run();
  EXPECT_EQ(traffic.counter(kCountTimedOut), 0u);
  EXPECT_EQ(traffic.counter(kCountRetransmitted), 0u);
  EXPECT_EQ(traffic.counter(kCountDuplicate), 0u);
  EXPECT_EQ(traffic.counter(kCountIgnored), 0u);
  EXPECT_TRUE(traffic.all_channels());
}

TEST(NiTraffic, StormCoversEverything) {
  Traffic traffic(2, {.tx = 60, .rx = 70, .credit = 20, .axi = 80}, {150, 80, 60, 2500}, 3000);
  traffic.run();
  // Every corner has been turned, many times.
  EXPECT_TRUE(traffic.all_channels());
  EXPECT_GT(traffic.counter(kCountRetransmitted), 200u);
  EXPECT_GT(traffic.counter(kCountTimedOut), 50u);
  EXPECT_GT(traffic.counter(kCountDuplicate), 200u);
  EXPECT_GT(traffic.counter(kCountIgnored), 200u);
  EXPECT_GT(traffic.counter(kCountNackPdid), 20u);
  EXPECT_GT(traffic.counter(kCountNackDisabled), 20u);
  EXPECT_GT(traffic.counter(kCountNackFull), 5u);
  EXPECT_GT(traffic.counter(kCountCrc), 100u);
  EXPECT_GT(traffic.network().busy_rx_cycles(), 100) << "words of both VCs mixed";
  for (int d = 0; d < 2; ++d) {
    EXPECT_GT(traffic.reference(d).late_answers(), 50);
    EXPECT_GT(traffic.reference(d).wraps(), 3);
  }
  // Each spoilt packet was seen as one of these and as nothing good. A spoilt length in the header may be seen more
  // than once; a spoilt kind makes it one for the RDMA unit, which looks at its CRC.
  const uint64_t bad = traffic.counter(kCountFrame) + traffic.counter(kCountLength) + traffic.counter(kCountCrc) +
                       traffic.counter(kCountNode) + traffic.counter(kCountKind) + traffic.counter(kCountRdma);
  EXPECT_GE(bad, static_cast<uint64_t>(traffic.corrupted()));
}

TEST(NiTraffic, RingsInMemory) {
  Traffic traffic(5, {.tx = 60, .rx = 70, .credit = 20, .axi = 60}, {80, 60, 30, 2500}, 2000);
  traffic.with_rings_in_memory();
  traffic.run();
  EXPECT_GT(traffic.counter(kCountDuplicate), 50u);
  EXPECT_GT(traffic.counter(kCountNackFull), 20u);
  for (int d = 0; d < 2; ++d) EXPECT_GT(traffic.reference(d).memory_entries(), 100);
}

// The memory is so slow that copies come while the first is being written.
TEST(NiTraffic, RingsInSlowMemory) {
  Traffic traffic(6, {.tx = 90, .rx = 90, .credit = 50, .axi = 2}, {0, 300, 0, 100}, 300);
  traffic.with_rings_in_memory();
  traffic.run();
  EXPECT_GT(traffic.counter(kCountNoAnswerRoom), 10u) << "copies of messages that have no answer yet";
  for (int d = 0; d < 2; ++d) EXPECT_GT(traffic.reference(d).memory_entries(), 20);
}

TEST(NiTraffic, SlowCredits) {
  Traffic traffic(3, {.tx = 90, .rx = 90, .credit = 2, .axi = 100}, {20, 20, 20, 600}, 800);
  traffic.run();
  // The largest buffers hold all that the hosts of this test can send.
  EXPECT_TRUE(kNiBufferWords > 64 || traffic.network().stall_cycles(0) > 1000);
}

TEST(NiTraffic, SlowLink) { Traffic(4, {.tx = 10, .rx = 12, .credit = 50, .axi = 50}, {20, 20, 20, 600}, 600).run(); }

/// The same with edges left out while a device is idle; time comes round in the midst of it.
class NiIdleEdges : public testing::TestWithParam<uint32_t> {};

TEST_P(NiIdleEdges, ChangeNothing) {
  Traffic traffic(21, {.tx = 80, .rx = 80, .credit = 60, .axi = 90}, {100, 50, 50, 2500}, 200);
  traffic.with_twins(GetParam(), 25, 60000);
  traffic.with_rings_in_memory();
  traffic.run();
  for (int d = 0; d < 2; ++d) {
    EXPECT_GT(traffic.network().device(d).skipped(), 50000) << "of " << traffic.network().now() << " edges";
  }
  EXPECT_GT(traffic.counter(kCountRetransmitted), 20u);
}

INSTANTIATE_TEST_SUITE_P(Wrapped, NiIdleEdges, testing::Values(0u - 100000u));
INSTANTIATE_TEST_SUITE_P(More, NiIdleEdges, testing::Values(0u, 0u - 200000u));

RC_GTEST_PROP(NiTraffic, HoldsUnderAnyWeather, (uint64_t seed)) {
  const NiStalls stalls{*rc::gen::inRange(8, 101), *rc::gen::inRange(8, 101), *rc::gen::inRange(4, 101),
                        *rc::gen::inRange(20, 101), 100};
  const Weather weather{*rc::gen::inRange(0, 300), *rc::gen::inRange(0, 300), *rc::gen::inRange(0, 200),
                        *rc::gen::inRange(0, 4000)};
  Traffic traffic(seed, stalls, weather, 150);
  if (*rc::gen::arbitrary<bool>()) traffic.with_rings_in_memory();
  traffic.run();
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace fabrictwin::test
