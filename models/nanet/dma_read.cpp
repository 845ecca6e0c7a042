// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/dma_read.h"

#include <algorithm>
#include <utility>

#include "models/nanet/card_timing.h"

namespace fabrictwin::nanet {
namespace {

using timing::edge_of;
using timing::time_of;

constexpr int64_t kBurstBytes = 256;
constexpr int64_t kWordBytes = static_cast<int64_t>(link::kWordBytes);
constexpr int64_t kHalf = kWordBytes / 2;
// Edges from one step to another, as the RTL takes them.
constexpr int64_t kRegister = 4;  ///< From a write to `send` that arrives until a datagram is taken.
constexpr int64_t kLookUp = 2;    ///< From there to the answer of the TLB.
constexpr int64_t kUnpack = 2;    ///< From a word to its first half at the port, if that is the first of a datagram.

}  // namespace

DmaRead::DmaRead(const rtl::nanet::CardSpec& spec, Card card) : card_(std::move(card)), ended_(kBursts, 0) {
  const auto word_fs = [](const Bandwidth& rate) {
    return 8 * kWordBytes * 1'000'000'000'000'000 / rate.bits_per_second;
  };
  word_fs_ = {word_fs(spec.cpu_read_rate), word_fs(spec.gpu_read_rate)};
}

void DmaRead::give(const Datagram& datagram, Time now) {
  queue_.push_back({datagram, edge_of(now) + kRegister});
  plan(now);
}

void DmaRead::resume(Time now) {
  blocked_ = false;
  plan(now);
}

void DmaRead::plan(Time now) {
  if (current_ || planned_ || blocked_ || queue_.empty()) return;
  planned_ = true;
  const int64_t edge = std::max({queue_.front().edge, next_begin_, edge_of(now)});
  card_.at(edge, [this, edge] {
    planned_ = false;
    begin(edge);
  });
}

void DmaRead::begin(int64_t edge) {
  if (!card_.take_space(queue_.front().datagram)) {
    blocked_ = true;
    return;
  }
  current_ = queue_.front().datagram;
  queue_.pop_front();
  asked_ = 0;
  look_up(edge + kLookUp);
}

void DmaRead::look_up(int64_t edge) {
  reading_ = false;
  card_.at(edge, [this, edge] {
    card_.look_up((current_->address + static_cast<uint64_t>(asked_)) / rtl::nanet::kPageBytes, time_of(edge));
  });
}

void DmaRead::translated(std::optional<Tlb::Mapping> mapping, Time now) {
  const int64_t edge = edge_of(now);
  if (mapping) {
    mapping_ = *mapping;
    reading_ = true;
    next_ask_ = edge + 1;
    return ask(now);
  }
  bursts_.push_back({.datagram = *current_, .last = true, .bad = true});
  current_.reset();
  next_begin_ = edge + 1;
  give_on(now);
  plan(now);
}

void DmaRead::ask(Time now) {
  while (current_ && reading_ && !ended_.empty()) {
    const uint64_t address = current_->address + static_cast<uint64_t>(asked_);
    const int64_t edge = std::max({next_ask_, ended_.front() + 1, edge_of(now)});
    ended_.pop_front();
    Burst burst{.datagram = *current_, .gpu = mapping_.gpu};
    burst.bytes = std::min(kBurstBytes - static_cast<int64_t>(address % kBurstBytes), current_->bytes - asked_);
    burst.words = static_cast<size_t>((burst.bytes + kWordBytes - 1) / kWordBytes);
    burst.tag = card_.read(edge, mapping_.physical + address % rtl::nanet::kPageBytes,
                           static_cast<uint32_t>(burst.words), mapping_.gpu);
    asked_ += burst.bytes;
    next_ask_ = edge + 1;
    burst.last = asked_ == current_->bytes;
    const bool last = burst.last;
    const uint64_t end = address + static_cast<uint64_t>(burst.bytes);
    bursts_.push_back(std::move(burst));
    if (last) {
      next_begin_ = edge + 1;
      current_.reset();
      plan(now);
    } else if (end % rtl::nanet::kPageBytes == 0) {
      look_up(edge + kLookUp);
    }
  }
}

bool DmaRead::data(uint32_t tag, std::span<const link::Word> words, bool error, Time now) {
  const auto burst = std::ranges::find_if(bursts_, [tag](const Burst& one) { return one.words > 0 && one.tag == tag; });
  if (burst == bursts_.end() || burst->data.size() + words.size() > burst->words) return false;
  burst->data.insert(burst->data.end(), words.begin(), words.end());
  burst->edges.insert(burst->edges.end(), words.size(), edge_of(now));
  burst->bad = burst->bad || error;
  give_on(now);
  return true;
}

void DmaRead::give_on(Time now) {
  while (!bursts_.empty() && bursts_.front().data.size() == bursts_.front().words) {
    Burst burst = std::move(bursts_.front());
    bursts_.pop_front();
    bad_ = bad_ || burst.bad;
    take_words(burst);
    if (burst.words > 0) ended_.push_back(last_word_);
    if (burst.last) {
      const auto port = static_cast<size_t>(burst.datagram.port);
      card_.deliver(burst.datagram, std::exchange(collected_, {}), std::exchange(bad_, false), port_word_.at(port),
                    now);
    }
  }
  ask(now);
}

// A memory gives a word when the port to it has let through as many bytes; what is not used in one cycle is kept for
// one more. A port takes halves of words, and lets a cycle go by before a datagram.
void DmaRead::take_words(Burst& burst) {
  int64_t& port_word = port_word_.at(static_cast<size_t>(burst.datagram.port));
  if (burst.words == 0) {
    port_word = std::max(port_word, ++last_word_) + kUnpack;
    return;
  }
  int64_t& due = due_fs_.at(burst.gpu ? 1 : 0);
  const int64_t cycle = timing::kCycle.fs();
  for (size_t i = 0; i < burst.words; ++i) {
    const int64_t by_rate = edge_of(Time::from_fs(std::max<int64_t>(0, due - cycle)));
    last_word_ = std::max({last_word_ + 1, burst.edges[i] + 1, by_rate});
    due = std::max(due, last_word_ * cycle) + word_fs_.at(burst.gpu ? 1 : 0);
    const int64_t bytes = std::min(kWordBytes, burst.bytes - static_cast<int64_t>(i) * kWordBytes);
    for (int64_t half = 0; half < bytes; half += kHalf) {
      const int64_t before = collected_.empty() ? kUnpack : 1;
      port_word = std::max(port_word, last_word_) + before;
      for (int64_t byte = half; byte < std::min(half + kHalf, bytes); ++byte) {
        const uint64_t value = byte < kHalf ? burst.data[i].lo : burst.data[i].hi;
        collected_.push_back(static_cast<uint8_t>(value >> (8 * (byte % kHalf))));
      }
    }
  }
}

}  // namespace fabrictwin::nanet
