// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/nanet/device/mac_model.h"

#include <algorithm>

namespace fabrictwin::rtl::nanet {
namespace {

constexpr int64_t kWordBytes = 8;
constexpr int64_t kOverhead = 8 + 4 + 12;  // Preamble, frame check sequence, gap.
constexpr int64_t kLeastFrame = 60;

/// Bytes of the line that a frame takes.
int64_t line_bytes(size_t frame) { return std::max<int64_t>(kLeastFrame, static_cast<int64_t>(frame)) + kOverhead; }

}  // namespace

int64_t MacModel::receive(const Bytes& frame, bool damaged, int64_t cycle) {
  // In bytes, so that frames whose line time is no whole number of words come at line rate.
  const int64_t begin = std::max({free_bytes_, cycle * kWordBytes, now_ * kWordBytes});
  int64_t at = (begin + kWordBytes - 1) / kWordBytes;
  if (!words_.empty()) at = std::max(at, words_.back().cycle + 1);
  const int64_t first = at;
  for (size_t i = 0; i < frame.size(); i += kWordBytes) words_.push_back({at++, word_of(frame, i, damaged)});
  free_bytes_ = begin + line_bytes(frame.size());
  free_cycle_ = (free_bytes_ + kWordBytes - 1) / kWordBytes;
  return first;
}

void MacModel::edge(const Beat* sent) {
  if (presented_) words_.pop_front();
  presented_ = false;
  if (sent != nullptr) {
    if (sending_.empty()) first_cycle_ = now_;
    take_word(sending_, *sent);
    if (word_sink_) word_sink_(*sent, now_);
    if (peer_ != nullptr) peer_->words_.push_back({peer_->now_ + peer_cycles_, *sent});
    if (sent->last) {
      // The rest of the line time, whose fraction of a word is left to the next gap.
      const auto words = static_cast<int64_t>((sending_.size() + kWordBytes - 1) / kWordBytes);
      tx_debt_ += line_bytes(sending_.size()) - words * kWordBytes;
      const int64_t gap = tx_debt_ / kWordBytes;
      tx_debt_ -= gap * kWordBytes;
      next_tx_ = now_ + 1 + gap;
      if (sink_) sink_(sending_, first_cycle_);
      sending_.clear();
    }
  } else if (!sending_.empty()) {
    ++underruns_;
  }
  ++now_;
}

}  // namespace fabrictwin::rtl::nanet
