// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ape_router/ape_marks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabrictwin::test {
namespace {

constexpr int64_t kKnown = 8;  ///< Edges after which a packet at the head must have been routed.

}  // namespace

ApeMarks::ApeMarks(const ApeShape& shape, const ApeConfig& config) : shape_(shape), config_(config) {
  for (int p = 0; p < shape.ports(); ++p) {
    for (Output& output : outputs_[p]) {
      output.words = config.initial_words[p];
      output.packets = config.initial_packets[p];
    }
  }
}

void ApeMarks::entered(int input, const ApeWord& word, std::optional<ApeHop> hop) {
  std::deque<Packet>& packets = inputs_[input];
  if (word.sop) {
    packets.push_back({hop, 2, now_, false});
  } else if (!word.eop) {
    ++packets.back().words;
  }
}

void ApeMarks::left(int input, int port, const ApeWord& word, int packet_words, bool marked) {
  std::deque<Packet>& packets = inputs_[input];
  while (!packets.front().hop) packets.pop_front();
  Packet& packet = packets.front();
  packet.leaving = true;
  Output& output = outputs_[port][word.vc];
  if (word.sop) --output.packets;
  if (!word.sop && !word.eop) {
    --packet.words;
    --output.words;
  }
  if (!word.eop) return;
  // The queue is known to the output an edge later, and this edge's changes are not in it.
  const Bounds queue = queues_[port][1];
  const bool large = packet_words >= config_.mark_least && config_.mark_threshold > 0;
  const bool host = config_.mark_hosts && port < shape_.intra;
  const bool may = large && queue.most > config_.mark_threshold &&
                   (host || (output.words >= shape_.max_words() && output.packets >= 1));
  // Another packet may have been granted its credits.
  const bool must = large && queue.least > config_.mark_threshold &&
                    (host || (output.words >= 2 * shape_.max_words() && output.packets >= 2));
  if (marked) {
    EXPECT_TRUE(may) << "marked at port " << port << " with " << queue.most << " words, credits " << output.words
                     << " and " << output.packets;
  }
  if (config_.mark_rate == 0 && must) EXPECT_TRUE(marked) << "not marked with " << queue.least << " words";
  Output& count = outputs_[port][0];
  count.may += may;
  count.must += must;
  count.marked += marked;
  marked_ += marked;
  must_ += must;
  unmarked_ += !may;
  packets.pop_front();
  if (!packets.empty()) packets.front().since = std::max(packets.front().since, now_);
}

void ApeMarks::credited(int port, const ApeCredit& credit) {
  outputs_[port][credit.vc].words += credit.words;
  outputs_[port][credit.vc].packets += credit.packets;
}

ApeMarks::Bounds ApeMarks::bounds(int port) const {
  Bounds sum;
  for (int i = 0; i < 2 * shape_.ports(); ++i) {
    const std::deque<Packet>& packets = inputs_[i];
    int certain = 0, possible = 0;
    const Packet* head = nullptr;
    for (const Packet& packet : packets) {
      possible += packet.words;
      if (packet.hop) certain += packet.words;
      if (packet.hop && head == nullptr) head = &packet;
    }
    if (head == nullptr || head->hop->port != port) continue;
    sum.most += possible;
    if (head->leaving || (head == &packets.front() && now_ - head->since >= kKnown)) sum.least += certain;
  }
  return sum;
}

void ApeMarks::edge() {
  ++now_;
  for (int p = 0; p < shape_.ports(); ++p) {
    std::array<Bounds, 3>& queue = queues_[p];
    queue = {bounds(p), queue[0], queue[1]};
  }
}

void ApeMarks::check_end(const std::array<int, kApeMaxPorts>& counted) const {
  for (int p = 0; p < shape_.ports(); ++p) {
    const Output& output = outputs_[p][0];
    const int every = config_.mark_rate + 1;
    EXPECT_EQ(counted[p], output.marked) << "port " << p;
    EXPECT_LE(output.marked, (output.may + every - 1) / every) << "port " << p;
    EXPECT_GE(output.marked, output.must / every) << "port " << p;
  }
}

}  // namespace fabrictwin::test
