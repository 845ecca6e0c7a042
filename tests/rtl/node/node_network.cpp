// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/node/node_network.h"

#include <algorithm>

namespace fabrictwin::test {

int NodeNetwork::add(std::unique_ptr<NodeDevice> device) {
  devices_.push_back(std::move(device));
  skip_.push_back(false);
  return size() - 1;
}

void NodeNetwork::join(int a, int link_a, int b, int link_b, int delay) {
  lanes_.push_back({.from = a, .from_link = link_a, .to = b, .to_link = link_b, .delay = delay});
  lanes_.push_back({.from = b, .from_link = link_b, .to = a, .to_link = link_a, .delay = delay});
}

void NodeNetwork::join_streams(int a, int link_a, int b, int link_b, int delay, int gear) {
  streams_.push_back({.from = a, .from_link = link_a, .to = b, .to_link = link_b, .delay = delay, .gear = gear});
  streams_.push_back({.from = b, .from_link = link_b, .to = a, .to_link = link_a, .delay = delay, .gear = gear});
}

void NodeNetwork::inject(int d, int l, const LinkWord& word) {
  for (Lane& lane : lanes_) {
    if (lane.to != d || lane.to_link != l) continue;
    const int64_t at = lane.words.empty() ? now_ + 1 : lane.words.back().first + 1;
    lane.words.emplace_back(at, word);
    ++lane.foreign[word.vc];
  }
}

void NodeNetwork::step() {
  for (auto& device : devices_) {
    for (LinkPins& pins : device->links) pins = {};
    for (StreamPins& pins : device->streams) {
      pins.in.reset();
      // Nothing is at the end of a link that is not joined; it takes all.
      pins.out_ready = true;
    }
  }
  for (Lane& lane : lanes_) {
    LinkPins& to = link(lane.to, lane.to_link);
    LinkPins& from = link(lane.from, lane.from_link);
    if (!lane.words.empty() && lane.words.front().first <= now_) {
      to.rx = lane.words.front().second;
      lane.words.pop_front();
    }
    if (!lane.credits.empty() && lane.credits.front().first <= now_) {
      LinkCredit credit = lane.credits.front().second;
      lane.credits.pop_front();
      // The sender knows nothing of injected words.
      const int foreign = std::min(credit.count, lane.foreign[credit.vc]);
      lane.foreign[credit.vc] -= foreign;
      credit.count -= foreign;
      lane.used[credit.vc] -= credit.count;
      EXPECT_GE(lane.used[credit.vc], 0) << "more credits than words";
      if (credit.count > 0) from.credit_in = credit;
    }
    from.tx_ready = !random_.percent(stalls_.link);
  }
  for (Stream& s : streams_) {
    if (dead_) s.words.clear();
    stream(s.to, s.to_link).signal = !dead_;
    if (!s.words.empty() && s.words.front().first <= now_) stream(s.to, s.to_link).in = s.words.front().second;
    stream(s.from, s.from_link).out_ready = now_ >= s.next && !random_.percent(stalls_.stream);
  }
  for (size_t d = 0; d < devices_.size(); ++d) {
    NodeDevice& device = *devices_[d];
    device.drive(now_);
    skip_[d] = skipping_ && device.idle() && device.quiet();
    skipped_ += skip_[d];
    device.sample(now_, !skip_[d]);
    EXPECT_FALSE(skip_[d] && !device.memory.idle()) << "idle with memory accesses under way";
  }
  for (Lane& lane : lanes_) take(lane);
  for (Stream& s : streams_) {
    StreamPins& from = stream(s.from, s.from_link);
    StreamPins& to = stream(s.to, s.to_link);
    if (to.in && to.in_ready) s.words.pop_front();
    if (from.out && from.out_ready) {
      s.words.emplace_back(now_ + s.delay, carried(*from.out));
      s.next = now_ + s.gear;
    }
  }
  for (size_t d = 0; d < devices_.size(); ++d) {
    if (!skip_[d]) devices_[d]->edge();
  }
  ++now_;
}

Word128 NodeNetwork::carried(const Word128& word) {
  if (damage_ == 0 || random_.below(1'000'000) >= damage_) return word;
  ++damaged_;
  Word128 wrong = word;
  const auto bit = random_.below(128);
  wrong[bit / 32] ^= 1u << (bit % 32);
  return wrong;
}

void NodeNetwork::take(Lane& lane) {
  const LinkPins& from = link(lane.from, lane.from_link);
  const LinkPins& to = link(lane.to, lane.to_link);
  if (from.tx && from.tx_ready) leave(lane, *from.tx);
  if (to.credit_out) lane.credits.emplace_back(now_ + lane.delay, *to.credit_out);
}

void NodeNetwork::leave(Lane& lane, const LinkWord& word) {
  auto& packet = lane.packets[word.vc];
  EXPECT_EQ(word.flit.sop, packet.empty());
  packet.push_back(word.flit);
  const size_t length = ((packet.front().data[1] >> 16 & 0x3ff) + 15) / 16 + 2;
  EXPECT_EQ(word.flit.eop, packet.size() == length);
  EXPECT_LE(++lane.used[word.vc], kBufferWords) << "a word without credit";
  mix(static_cast<uint64_t>(now_) << 16 | static_cast<uint64_t>(lane.from) << 8 | uint64_t(lane.from_link) << 1 |
      uint64_t{word.vc});
  for (const uint32_t part : word.flit.data) mix(part);
  lane.words.emplace_back(now_ + lane.delay, word);
  if (packet.size() < length) return;
  if (on_packet) on_packet(lane.from, lane.from_link, packet, word.vc);
  packet.clear();
}

bool NodeNetwork::run_until(const std::function<bool()>& condition, int64_t limit) {
  for (int64_t i = 0; i < limit; ++i) {
    if (condition()) return true;
    step();
  }
  return condition();
}

bool NodeNetwork::idle() const {
  const auto empty = [](const auto& lane) { return lane.words.empty(); };
  return std::all_of(devices_.begin(), devices_.end(),
                     [](const auto& device) {
                       return device->idle() && device->messages.idle() && device->descriptors.idle() &&
                              device->controller.idle();
                     }) &&
         std::all_of(lanes_.begin(), lanes_.end(), empty) && std::all_of(streams_.begin(), streams_.end(), empty) &&
         std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.credits.empty(); });
}

bool NodeNetwork::drain(int64_t limit) {
  return run_until([this] { return idle(); }, limit);
}

void NodeNetwork::expect_all_credits() const {
  for (const Lane& lane : lanes_) {
    EXPECT_EQ(lane.used, (std::array<int, 2>{})) << "device " << lane.from << " link " << lane.from_link;
    EXPECT_EQ(lane.foreign, (std::array<int, 2>{})) << "device " << lane.from << " link " << lane.from_link;
  }
}

}  // namespace fabrictwin::test
