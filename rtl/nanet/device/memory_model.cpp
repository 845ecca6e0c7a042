// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/nanet/device/memory_model.h"

#include <algorithm>

namespace fabrictwin::rtl::nanet {

Bytes MemoryModel::read(uint64_t address, size_t bytes) const {
  Bytes result(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    const uint64_t at = address + i;
    const auto word = words_.find(at / 16);
    if (word != words_.end()) result[i] = static_cast<uint8_t>(word->second.at(at % 16 / 4) >> (8 * (at % 4)));
  }
  return result;
}

void MemoryModel::write(uint64_t address, const Bytes& bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint64_t at = address + i;
    uint32_t& part = words_[at / 16].at(at % 16 / 4);
    part = (part & ~(0xffu << (8 * (at % 4)))) | uint32_t{bytes[i]} << (8 * (at % 4));
  }
}

void MemoryModel::take_aw(uint64_t address, int /*beats*/) {
  write_addresses_.push_back(address);
  finish_beats();
}

void MemoryModel::take_w(const Word& data, uint16_t strobe, bool last) {
  write_credit_ -= kWordBytes;
  beats_.push_back({.data = data, .strobe = strobe, .last = last});
  finish_beats();
}

void MemoryModel::finish_beats() {
  while (!beats_.empty() && !write_addresses_.empty()) {
    const Beat128& beat = beats_.front();
    uint64_t& address = write_addresses_.front();
    for (size_t i = 0; i < 16; ++i) {
      if ((beat.strobe >> i & 1) == 0) continue;
      write(address + i, {static_cast<uint8_t>(beat.data.at(i / 4) >> (8 * (i % 4)))});
      ++bytes_written_;
    }
    address += 16;
    if (beat.last) {
      write_addresses_.pop_front();
      last_write_ns_ = now_ns_;
      acknowledgements_.push_back({.due_ns = now_ns_ + timing_.write_ns, .error = fails_});
    }
    beats_.pop_front();
  }
}

void MemoryModel::take_ar(uint64_t address, int beats) {
  reads_.push_back({.address = address, .beats = beats, .due_ns = now_ns_ + timing_.read_ns, .error = fails_});
}

Word MemoryModel::r_data() const {
  if (reads_.empty()) return {};
  const auto word = words_.find(reads_.front().address / 16);
  return word == words_.end() ? Word{} : word->second;
}

void MemoryModel::take_r() {
  read_credit_ -= kWordBytes;
  bytes_read_ += static_cast<uint64_t>(kWordBytes);
  Read& read = reads_.front();
  read.address += 16;
  if (--read.beats == 0) reads_.pop_front();
}

void MemoryModel::edge(double now_ns, double period_ns) {
  now_ns_ = now_ns;
  // What was not used in one cycle is kept for one more.
  write_credit_ = std::min(write_credit_ + timing_.write_gbps * period_ns, kWordBytes + timing_.write_gbps * period_ns);
  read_credit_ = std::min(read_credit_ + timing_.read_gbps * period_ns, kWordBytes + timing_.read_gbps * period_ns);
}

}  // namespace fabrictwin::rtl::nanet
