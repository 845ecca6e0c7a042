// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/nanet/element/pcie_port.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"

namespace fabrictwin::rtl::nanet::element {
namespace {

using link::HostMessage;

link::Word to_link(const Word& word) { return {uint64_t{word[1]} << 32 | word[0], uint64_t{word[3]} << 32 | word[2]}; }

Word to_pins(const link::Word& word) {
  return {static_cast<uint32_t>(word.lo), static_cast<uint32_t>(word.lo >> 32), static_cast<uint32_t>(word.hi),
          static_cast<uint32_t>(word.hi >> 32)};
}

}  // namespace

absl::Status PciePort::add(const HostMessage& answer) {
  const bool read = answer.operation == link::HostOperation::kMemoryData;
  Fifo<Transaction>& waiting = read ? reads_ : writes_;
  if (waiting.empty() || waiting.front().tag != answer.tag)
    return absl::DataLossError(fmt::format("the memory answers {} {}, which is not the oldest that waits",
                                           read ? "read" : "write", answer.tag));
  if (!read) {
    waiting.pop_front();
    written_.push_back({answer.response != 0});
    return absl::OkStatus();
  }
  if (answer.data_words > waiting.front().left)
    return absl::DataLossError(fmt::format("the memory answers read {} with too many words", answer.tag));
  for (uint32_t i = 0; i < answer.data_words; ++i) data_.push_back({answer.data.at(i), answer.response != 0});
  waiting.front().left -= answer.data_words;
  if (waiting.front().left == 0) waiting.pop_front();
  return absl::OkStatus();
}

Word PciePort::r_data() const { return data_.empty() ? Word{} : to_pins(data_.front().word); }

void PciePort::take_aw(uint64_t address, int beats) {
  addresses_.push_back({address, static_cast<uint32_t>(beats)});
  send_writes();
}

void PciePort::take_w(const Word& data, uint16_t strobe, bool /*last*/) {
  write_credit_ -= link::kWordBytes;
  beats_.push_back({to_link(data), strobe});
  send_writes();
}

void PciePort::send_writes() {
  while (!addresses_.empty() && beats_.size() >= addresses_.front().words) {
    const Address address = addresses_.front();
    addresses_.pop_front();
    send_(HostMessage::memory_write(address.address, address.words, next_tag_, user_));
    writes_.push_back({next_tag_, 0});
    next_tag_ += 2;
    for (uint32_t i = 0; i < address.words; i += link::kHostDataWords) {
      const uint32_t count = std::min<uint32_t>(link::kHostDataWords, address.words - i);
      std::array<link::Word, link::kHostDataWords> words{};
      uint32_t strobes = 0;
      for (uint32_t k = 0; k < count; ++k) {
        words.at(k) = beats_.front().word;
        strobes |= uint32_t{beats_.front().strobe} << (link::kWordBytes * k);
        beats_.pop_front();
      }
      send_(HostMessage::memory_bytes(strobes, words.data(), count));
    }
  }
}

void PciePort::take_ar(uint64_t address, int beats) {
  send_(HostMessage::memory_read(address, static_cast<uint32_t>(beats), next_tag_, user_));
  reads_.push_back({next_tag_, static_cast<uint32_t>(beats)});
  next_tag_ += 2;
}

void PciePort::take_r() {
  read_credit_ -= link::kWordBytes;
  data_.pop_front();
}

void PciePort::edge(double /*now_ns*/, double period_ns) {
  // What was not used in one cycle is kept for one more.
  const double write = rates_.write_gbps * period_ns;
  const double read = rates_.read_gbps * period_ns;
  write_credit_ = std::min(write_credit_ + write, link::kWordBytes + write);
  read_credit_ = std::min(read_credit_ + read, link::kWordBytes + read);
}

}  // namespace fabrictwin::rtl::nanet::element
