// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bandwidth, latency, fairness, priorities, dead links: what a few directed packets show.
#include <gtest/gtest.h>

#include <iomanip>
#include <iostream>

#include "tests/rtl/ape_router/ape_reference.h"

namespace fabrictwin::test {
namespace {

/// Sources that always have a packet for the same destination, on VC 0, and neighbours that return credits at once.
class Stream {
 public:
  explicit Stream(ApeVariant variant)
      : model_(make_ape_model(variant)), config_(ape_config(model_->shape(), {8, 1, 1}, {2, 0, 0})) {
    model_->reset(config_);
    for (int p = 0; p < model_->shape().ports(); ++p)
      room_[p] = {model_->shape().buffer_words(p), model_->shape().header_depth};
  }

  void source(int port, int bytes, std::array<int, 3> to, int tile_port = 0) {
    ApeHeader header;
    header.to = to;
    header.payload_bytes = bytes;
    header.source = port;
    header.tile_port = tile_port;
    packets_[port] = make_ape_packet(model_->shape(), header, 0, static_cast<uint64_t>(port) + 1);
  }
  void stop(int port) { packets_[port].clear(); }
  ApeModel& model() { return *model_; }
  ApeConfig& config() { return config_; }
  void block(int port, bool blocked) { blocked_[port] = blocked; }

  void run(int edges) {
    for (int k = 0; k < edges; ++k) edge();
  }
  /// Words that `port` sent, and packets by the port they came from.
  int words(int port) const { return words_[port]; }
  int packets(int port, int from) const { return counts_[port][from]; }
  void clear() {
    words_ = {};
    counts_ = {};
  }

 private:
  void edge() {
    for (int p = 0; p < model_->shape().ports(); ++p) {
      if (!packets_[p].empty() || next_[p] != 0) {
        if (next_[p] == 0) current_[p] = packets_[p];
        const ApeWord& word = current_[p][next_[p]];
        int free = 1;
        int& room = word.sop ? room_[p].second : word.eop ? free : room_[p].first;
        if (room > 0) {
          --room;
          model_->rx(p, word);
          next_[p] = word.eop ? 0 : next_[p] + 1;
        }
      }
      if (blocked_[p]) continue;
      model_->ready(p);
      if (!model_->tx_valid(p)) continue;
      const ApeWord word = model_->tx(p);
      model_->credit(p, {word.vc, word.sop || word.eop ? 0 : 1, word.eop ? 1 : 0});
      ++words_[p];
      if (word.sop) ++counts_[p][ApeHeader::decode(word).source];
    }
    model_->edge();
    for (int p = 0; p < model_->shape().ports(); ++p) {
      if (!model_->credit_valid(p)) continue;
      room_[p].first += model_->credit(p).words;
      room_[p].second += model_->credit(p).packets;
    }
  }

  std::unique_ptr<ApeModel> model_;
  ApeConfig config_;
  std::array<std::pair<int, int>, kApeMaxPorts> room_{};
  std::array<std::vector<ApeWord>, kApeMaxPorts> packets_;
  std::array<std::vector<ApeWord>, kApeMaxPorts> current_;
  std::array<size_t, kApeMaxPorts> next_{};
  std::array<bool, kApeMaxPorts> blocked_{};
  std::array<int, kApeMaxPorts> words_{};
  std::array<std::array<int, kApeMaxPorts>, kApeMaxPorts> counts_{};
};

constexpr int kLink = 3;  ///< "+" of the 3x2 router.

double efficiency(int bytes, int senders) {
  Stream stream(ApeVariant::k3x2);
  for (int p = 0; p < senders; ++p) stream.source(p, bytes, {4, 0, 0});
  stream.run(1000);
  stream.clear();
  constexpr int kEdges = 20'400;
  stream.run(kEdges);
  int packets = 0;
  for (int p = 0; p < senders; ++p) packets += stream.packets(kLink, p);
  return static_cast<double>(packets) * bytes / (16.0 * kEdges);
}

TEST(ApeRouterBandwidth, ReachesTheLimitOfTheFormat) {
  std::cout << "payload  one sender  two senders  limit   (of 128 bit x 156.25 MHz = 20 Gb/s)\n"
            << std::fixed << std::setprecision(2);
  for (const int bytes : {32, 64, 128, 256, 512}) {
    const double one = efficiency(bytes, 1);
    const double two = efficiency(bytes, 2);
    const double limit = bytes / (bytes + 32.0);
    std::cout << std::setw(5) << bytes << " B   " << std::setw(8) << 100 * one << " % " << std::setw(10) << 100 * two
              << " % " << std::setw(7) << 100 * limit << " %\n";
    // Header and footer follow each other without a gap.
    EXPECT_NEAR(one, limit, 0.001) << bytes;
    EXPECT_NEAR(two, limit, 0.001) << bytes;
    if (bytes == 512) {
      EXPECT_GE(one, 0.93);
      EXPECT_GE(two, 0.93);
    }
  }
}

TEST(ApeRouterBandwidth, SeveralTransactionsAtOnce) {
  Stream stream(ApeVariant::k3x2);
  // Five packets at once: 0 -> "+", 1 -> "-", 2 -> tile 0, "+" -> "-" would share, so "-" in -> tile 1, "+" in ->
  // tile 2.
  stream.source(0, 512, {4, 0, 0});
  stream.source(1, 512, {0, 0, 0});
  stream.source(2, 512, {2, 0, 0}, 0);
  stream.source(3, 512, {2, 0, 0}, 1);
  stream.source(4, 512, {2, 0, 0}, 2);
  stream.run(1000);
  stream.clear();
  stream.run(3400);
  for (int p = 0; p < 5; ++p) EXPECT_EQ(stream.words(p), 3400) << "port " << p;
}

TEST(ApeRouterLatency, HeaderTakesFiveEdges) {
  std::unique_ptr<ApeModel> model = make_ape_model(ApeVariant::k3x2);
  model->reset(ape_config(model->shape(), {8, 1, 1}, {2, 0, 0}));
  ApeHeader header;
  header.to = {4, 0, 0};
  model->rx(0, header.encode(0));
  int edges = 0;
  for (model->edge(); !model->tx_valid(kLink) && edges < 20; ++edges) model->edge();
  std::cout << "header sampled at edge 0 is in the output register after edge " << edges << "\n";
  EXPECT_EQ(edges, 4);
}

TEST(ApeRouterFairness, RoundRobinSharesALinkEqually) {
  Stream stream(ApeVariant::k3x2);
  // Different lengths: turns are packets.
  for (const int p : {0, 1, 2, 4}) stream.source(p, p == 0 ? 512 : 64, {4, 0, 0});
  stream.run(2000);
  stream.clear();
  stream.run(20'000);
  for (const int p : {1, 2, 4}) EXPECT_NEAR(stream.packets(kLink, p), stream.packets(kLink, 0), 1) << "port " << p;
}

TEST(ApeRouterPriority, HighestGoesFirstAndChangesMidTraffic) {
  Stream stream(ApeVariant::k3x2);
  for (const int p : {0, 1, 2}) stream.source(p, 256, {4, 0, 0});
  stream.run(2000);
  // The highest takes all, then another one, then those of equal priority in turn.
  stream.config().fixed_priority = true;
  stream.config().priority = {1, 5, 3};
  stream.model().configure(stream.config());
  stream.run(100);
  stream.clear();
  stream.run(3600);
  EXPECT_GT(stream.packets(kLink, 1), 190);
  EXPECT_EQ(stream.packets(kLink, 0) + stream.packets(kLink, 2), 0);
  stream.config().priority = {7, 5, 7};
  stream.model().configure(stream.config());
  stream.run(100);
  stream.clear();
  stream.run(3600);
  EXPECT_EQ(stream.packets(kLink, 1), 0);
  EXPECT_NEAR(stream.packets(kLink, 0), stream.packets(kLink, 2), 1);
  stream.config().fixed_priority = false;
  stream.model().configure(stream.config());
  stream.run(100);
  stream.clear();
  stream.run(3600);
  EXPECT_NEAR(stream.packets(kLink, 1), stream.packets(kLink, 0), 1);
  EXPECT_NEAR(stream.packets(kLink, 1), stream.packets(kLink, 2), 1);
}

TEST(ApeRouterDisable, DeadLinkHoldsNothing) {
  Stream stream(ApeVariant::k3x2);
  stream.source(0, 512, {4, 0, 0});
  stream.source(1, 512, {0, 0, 0});
  stream.run(500);
  // The link dies in the middle of a packet. The other flow goes on; the packets for the dead link are stuck.
  stream.block(kLink, true);
  stream.run(1000);
  EXPECT_EQ(stream.model().counters(0).dropped_disabled, 0);
  stream.config().port_enable &= ~(1u << kLink);
  stream.model().configure(stream.config());
  stream.clear();
  stream.run(3400);
  EXPECT_EQ(stream.words(4), 3400) << "the other flow is disturbed";
  EXPECT_GE(stream.model().counters(kLink).discarded, 1);
  EXPECT_GT(stream.model().counters(0).dropped_disabled, 20);
  // The source is free again: it reaches another destination behind what was stuck.
  stream.source(0, 512, {2, 0, 0}, 2);
  stream.run(9000);
  EXPECT_GT(stream.packets(2, 0), 100);
  // The link comes back: the next packet begins with a header and all credits are there.
  stream.stop(0);
  stream.run(9000);
  stream.block(kLink, false);
  stream.config().port_enable |= 1u << kLink;
  stream.model().configure(stream.config());
  stream.run(10);
  stream.source(0, 512, {4, 0, 0});
  stream.clear();
  stream.run(20'000);
  EXPECT_GT(stream.packets(kLink, 0), 500);
  EXPECT_EQ(stream.model().errors(), 0u);
}

}  // namespace
}  // namespace fabrictwin::test
