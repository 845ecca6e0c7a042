// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory and registers of the model.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "models/nanet/card.h"
#include "models/nanet/card_timing.h"
#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::nanet {
namespace {

namespace registers = rtl::nanet::registers;
using link::HostMessage;
using link::HostOperation;

/// The registers from `first` on that a driver may write, `copies` of them.
struct Writable {
  uint32_t first = 0;
  uint32_t copies = 1;
  uint32_t reset = 0;
};
constexpr uint32_t kAllStreams = 16;
constexpr uint32_t kCardPorts = 4;
constexpr Writable kWritable[] = {{registers::kControlOffset},
                                  {registers::kTimeoutOffset},
                                  {registers::kTlbTimeoutOffset, 1, registers::kTlbTimeoutReset},
                                  {registers::kArpTimeoutOffset, 1, registers::kArpTimeoutReset},
                                  {registers::kRingLowOffset},
                                  {registers::kRingHighOffset},
                                  {registers::kRingOffset, 1, registers::kRingReset},
                                  {registers::kRingConsumedOffset},
                                  {registers::kPhysicalLowOffset},
                                  {registers::kPhysicalHighOffset},
                                  {registers::kRefillOffset},
                                  {registers::kSendLowOffset},
                                  {registers::kSendHighOffset},
                                  {registers::kSendIpOffset},
                                  {registers::kSendPortsOffset},
                                  {registers::kSendOffset},
                                  {registers::kCounterSelectOffset},
                                  {registers::kPortOffset, kCardPorts},
                                  {registers::kMacLowOffset, kCardPorts},
                                  {registers::kMacHighOffset, kCardPorts},
                                  {registers::kIpOffset, kCardPorts},
                                  {registers::kNetmaskOffset, kCardPorts, registers::kNetmaskReset},
                                  {registers::kGatewayOffset, kCardPorts},
                                  {registers::kStreamOffset, kAllStreams},
                                  {registers::kBuffersLowOffset, kAllStreams},
                                  {registers::kBuffersHighOffset, kAllStreams},
                                  {registers::kReleasedOffset, kAllStreams}};

const Writable* writable(uint32_t offset) {
  const auto* const found = std::ranges::find_if(kWritable, [offset](const Writable& one) {
    return offset >= one.first && offset < one.first + registers::kStride * one.copies && offset % 4 == 0;
  });
  return found == std::end(kWritable) ? nullptr : found;
}

/// Whether `count` is not below `target`, modulo 2^16.
bool reached(uint16_t count, uint16_t target) { return static_cast<uint16_t>(count - target) < 0x8000; }

constexpr uint32_t kSlaveError = 2;

}  // namespace

void Card::serve(Time now) {
  while (!missing_ && !jobs_.empty()) {
    Job& job = jobs_.front();
    if (job.event) {
      events_.push_back({.record = std::move(job.record), .issued = issued_});
      jobs_.pop_front();
      try_events(now);
      continue;
    }
    const uint64_t page = job.address / rtl::nanet::kPageBytes;
    const std::optional<Tlb::Mapping> mapping = tlb_.find(page);
    if (mapping) {
      ++tlb_hits_;
      write_burst(job, *mapping, now);
      jobs_.pop_front();
      continue;
    }
    miss(page, now);
  }
  update_interrupt(now);
}

void Card::miss(uint64_t page, Time now) {
  ++tlb_misses_;
  missing_ = true;
  miss_page_ = page;
  const uint64_t miss = ++misses_;
  if (const uint32_t cycles = value_of(registers::kTlbTimeoutOffset); cycles > 0) {
    const Time end = now + timing::cycles(cycles);
    at(end, static_cast<int32_t>(lines_.size()), [this, miss, end] {
      if (missing_ && misses_ == miss) answer_miss(std::nullopt, end);
    });
  }
}

void Card::answer_miss(std::optional<Tlb::Mapping> mapping, Time now) {
  missing_ = false;
  if (mapping) {
    tlb_.learn(miss_page_, *mapping);
  } else {
    ++tlb_failures_;
  }
  if (std::exchange(missing_to_send_, false)) {
    const Time told = timing::time_of(timing::edge_of(now)) + timing::kTold;
    at(told, static_cast<int32_t>(lines_.size()), [this, mapping, told] { dma_read_.translated(mapping, told); });
  } else {
    free_ = std::max(free_, now + timing::kRefill);
    if (mapping) {
      --tlb_hits_;  // The burst is looked up again.
    } else {
      ++skipped_;
      lines_[static_cast<size_t>(jobs_.front().line)].waiting_words -= jobs_.front().gate_words;
      jobs_.pop_front();
    }
  }
  serve(now);
  if (const auto page = std::exchange(waiting_to_send_, std::nullopt)) look_up_to_send(*page, now);
}

void Card::write_burst(const Job& job, const Tlb::Mapping& mapping, Time now) {
  const auto words = static_cast<int64_t>((job.data.size() + link::kWordBytes - 1) / link::kWordBytes);
  const Time service = Clock::of_words(spec_.write_rate, link::kWordBits).edge(words) + timing::kBetween;
  free_ = std::max(job.ready + timing::kReceive, free_ + service);
  const Time time = std::max(now, free_);
  send_burst(mapping.physical + job.address % rtl::nanet::kPageBytes, job.data, mapping.gpu ? 1 : 0, time);
  at(time, job.line,
     [this, line = static_cast<size_t>(job.line), words = job.gate_words] { lines_[line].waiting_words -= words; });
}

void Card::send_burst(uint64_t address, const Bytes& data, uint32_t memory, Time time) {
  const size_t words = (data.size() + link::kWordBytes - 1) / link::kWordBytes;
  ++issued_.at(memory);
  written_to_[++tag_] = memory;
  computer_.send(time, HostMessage::memory_write(address, static_cast<uint32_t>(words), tag_, memory));
  for (size_t i = 0; i < words; i += link::kHostDataWords) {
    const size_t count = std::min<size_t>(link::kHostDataWords, words - i);
    std::array<link::Word, link::kHostDataWords> pair{};
    uint32_t strobes = 0;
    for (size_t byte = 0; byte < count * link::kWordBytes && i * link::kWordBytes + byte < data.size(); ++byte) {
      link::Word& word = pair.at(byte / link::kWordBytes);
      uint64_t& half = byte % link::kWordBytes < 8 ? word.lo : word.hi;
      half |= uint64_t{data[i * link::kWordBytes + byte]} << (8 * (byte % 8));
      strobes |= 1u << byte;
    }
    computer_.send(time, HostMessage::memory_bytes(strobes, pair.data(), static_cast<uint32_t>(count)));
  }
}

void Card::try_events(Time now) {
  const uint32_t ring_log2 = value_of(registers::kRingOffset) & 0xf;
  while (!events_.empty()) {
    WaitingEvent& event = events_.front();
    const auto in_ring = static_cast<uint16_t>(ring_started_ - value_of(registers::kRingConsumedOffset));
    if (!reached(acked_[0], event.issued[0]) || !reached(acked_[1], event.issued[1]) || in_ring >= 1u << ring_log2)
      return;
    const uint64_t ring = uint64_t{value_of(registers::kRingHighOffset)} << 32 | value_of(registers::kRingLowOffset);
    const auto cycle = static_cast<uint64_t>((now + timing::kEvent).fs() / timing::kCycle.fs());
    for (int i = 0; i < 4; ++i) event.record.push_back(static_cast<uint8_t>(cycle >> (8 * i)));
    send_burst(ring + event.record.size() * (ring_started_ & ((1u << ring_log2) - 1)), event.record, 0,
               now + timing::kEvent);
    records_.push_back(issued_[0]);
    ++ring_started_;
    events_.pop_front();
  }
}

void Card::update_interrupt(Time now) {
  const bool asserted = missing_ || ring_written_ != static_cast<uint16_t>(value_of(registers::kRingConsumedOffset));
  if (asserted && !interrupt_) computer_.send(now, HostMessage::event(0));
  interrupt_ = asserted;
}

absl::Status Card::take_computer(const link::Record& record) {
  if (record.kind != link::RecordKind::kHost) return absl::DataLossError("a record that is none of a computer");
  const absl::StatusOr<HostMessage> message = HostMessage::decode(record);
  if (!message.ok()) return message.status();
  const Time now = record.time();
  switch (message->operation) {
    case HostOperation::kRegisterRead:
    case HostOperation::kRegisterWrite:
      access(*message, now);
      return absl::OkStatus();
    case HostOperation::kMemoryData:
      if (!dma_read_.data(message->tag, std::span(message->data).first(message->data_words), message->response != 0,
                          now))
        return absl::DataLossError("data that no read waits for");
      return absl::OkStatus();
    case HostOperation::kMemoryWritten: {
      const auto memory = written_to_.find(message->tag);
      if (memory == written_to_.end()) return absl::DataLossError("an answer to no write");
      ++acked_.at(memory->second);
      written_to_.erase(memory);
      if (message->response != 0) ++bus_errors_;
      for (; !records_.empty() && reached(acked_[0], records_.front()); records_.pop_front()) ++ring_written_;
      try_events(now);
      update_interrupt(now);
      return absl::OkStatus();
    }
    default:
      return absl::DataLossError("an operation that this card does not ask for");
  }
}

void Card::access(const HostMessage& message, Time now) {
  const auto offset = static_cast<uint32_t>(message.address);
  const bool there = message.bytes == 4 && message.address < 0x1000;
  if (message.operation == HostOperation::kRegisterWrite) {
    const bool ok = there && write_register(offset, static_cast<uint32_t>(message.data[0].lo), now);
    computer_.send(now + timing::kAccess, HostMessage::register_written(message.tag, ok ? 0 : kSlaveError));
    return;
  }
  const std::optional<uint32_t> value = there ? read_register(offset) : std::nullopt;
  computer_.send(now + timing::kAccess,
                 HostMessage::register_data(message.tag, value ? 0 : kSlaveError, {.lo = value.value_or(0)}));
}

bool Card::write_register(uint32_t offset, uint32_t value, Time now) {
  const Writable* const found = writable(offset);
  if (found == nullptr || (found->first == registers::kPortOffset && value > 1)) return false;
  if (offset == registers::kSendOffset && !give_datagram(value, now)) return false;
  registers_[offset] = value;
  if (offset == registers::kControlOffset && (value & 1) != 0) tlb_.flush();
  if (offset == registers::kControlOffset && (value & 2) != 0) {
    for (Line& line : lines_) line.transmit->flush();
  }
  if (offset == registers::kRefillOffset && missing_ &&
      (value & 0xffff0000) == static_cast<uint32_t>(miss_page_ * rtl::nanet::kPageBytes)) {
    const uint64_t physical =
        uint64_t{value_of(registers::kPhysicalHighOffset)} << 32 | value_of(registers::kPhysicalLowOffset);
    const bool known = (value >> registers::kRefillKnownLow & 1) != 0;
    const Tlb::Mapping mapping{.physical = physical / rtl::nanet::kPageBytes * rtl::nanet::kPageBytes,
                               .gpu = (value >> registers::kRefillGpuLow & 1) != 0};
    answer_miss(known ? std::optional(mapping) : std::nullopt, now);
  }
  if (offset == registers::kRingConsumedOffset) {
    try_events(now);
    update_interrupt(now);
  }
  if (found->first == registers::kStreamOffset && (value >> registers::kStreamEnableLow & 1) == 0) {
    const auto number = static_cast<int32_t>((offset - registers::kStreamOffset) / registers::kStride);
    const auto line = static_cast<size_t>(number / rtl::nanet::kPortStreams);
    if (line < lines_.size()) lines_[line].streams.at(static_cast<size_t>(number % rtl::nanet::kPortStreams)) = {};
  }
  return true;
}

uint32_t Card::value_of(uint32_t offset, int32_t copy) const {
  offset += registers::kStride * static_cast<uint32_t>(copy);
  const auto found = registers_.find(offset);
  if (found != registers_.end()) return found->second;
  const Writable* const one = writable(offset);
  return one == nullptr ? 0 : one->reset;
}

std::optional<uint32_t> Card::read_register(uint32_t offset) const {
  switch (offset) {
    case registers::kIdentificationOffset:
      return registers::kIdentificationReset;
    case registers::kVersionOffset:
      return registers::kVersionReset;
    case registers::kShapeOffset:
      return static_cast<uint32_t>(lines_.size()) | uint32_t{rtl::nanet::kPortStreams} << 8;
    case registers::kRingWrittenOffset:
      return ring_written_;
    case registers::kMissOffset:
      return missing_ ? 1 : 0;
    case registers::kMissLowOffset:
      return static_cast<uint32_t>(miss_page_ * rtl::nanet::kPageBytes);
    case registers::kMissHighOffset:
      return static_cast<uint32_t>(miss_page_ * rtl::nanet::kPageBytes >> 32);
    case registers::kSendFreeOffset:
      return dma_read_.free();
    case registers::kCounterOffset: {
      const uint32_t select = value_of(registers::kCounterSelectOffset);
      const size_t line = select >> registers::kCounterSelectPortLow & 3;
      return line < lines_.size() ? lines_[line].counters.at(select & 0x1f) : 0;
    }
    case registers::kTlbHitsOffset:
      return tlb_hits_;
    case registers::kTlbMissesOffset:
      return tlb_misses_;
    case registers::kTlbFailuresOffset:
      return tlb_failures_;
    case registers::kPacketsSkippedOffset:
      return skipped_;
    case registers::kBusErrorsOffset:
      return bus_errors_;
    default:
      break;
  }
  if (writable(offset) == nullptr) return std::nullopt;
  return value_of(offset);
}

}  // namespace fabrictwin::nanet
