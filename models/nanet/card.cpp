// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Ethernet ports and receive buffers of the model.
#include "models/nanet/card.h"

#include <algorithm>
#include <utility>

#include "cosim/base/clock.h"
#include "models/nanet/card_timing.h"
#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::nanet {
namespace {

namespace registers = rtl::nanet::registers;
using rtl::nanet::Result;

constexpr int64_t kBurstBytes = 256;
constexpr int64_t kGateWords = 512;  ///< A port holds so many words of 64 bits for the memory.
constexpr int64_t kWordBytes = 8;
constexpr uint32_t kEnable = 1;
/// Streams of all ports are numbered; the fields of their registers are those of nanet_registers.h.
uint32_t bits(uint32_t value, int low, int width) { return value >> low & ((1u << width) - 1); }

/// Makes a 32-bit word of each 16-bit word.
Bytes widened(std::span<const uint8_t> payload) {
  Bytes wide;
  for (size_t i = 0; i < payload.size(); i += 2)
    wide.insert(wide.end(), {payload[i], i + 1 < payload.size() ? payload[i + 1] : uint8_t{0}, 0, 0});
  return wide;
}

int64_t rounded(int64_t bytes) { return (bytes + link::kWordBytes - 1) / link::kWordBytes * link::kWordBytes; }

}  // namespace

Card::Card(std::string name, const rtl::nanet::CardSpec& spec, std::vector<Port*> lines, Port& computer)
    : name_(std::move(name)), spec_(spec), dma_read_(spec, reading()), computer_(computer) {
  for (Port* const port : lines) lines_.push_back({.port = port});
  for (int32_t port = 0; port < static_cast<int32_t>(lines_.size()); ++port) add_transmit(port);
}

void Card::at(Time time, int32_t order, Action action) {
  actions_.emplace(std::tuple(time, order, turn_++), std::move(action));
}

absl::Status Card::act(Time now) {
  while (next() <= now) {
    const Action action = std::move(actions_.begin()->second);
    actions_.erase(actions_.begin());
    action();
  }
  return absl::OkStatus();
}

absl::Status Card::receive(int32_t port, const link::Record& record) {
  return static_cast<size_t>(port) < lines_.size() ? take_line(port, record) : take_computer(record);
}

absl::Status Card::take_line(int32_t port, const link::Record& record) {
  if (record.kind != link::RecordKind::kBurst) return absl::DataLossError("a record that is no word of a frame");
  Line& line = lines_[static_cast<size_t>(port)];
  const int64_t first = line.port->first_slot(record);
  for (int i = 0; i < record.count; ++i) {
    uint8_t flags = i == 0 ? record.flags & link::kStartOfPacket : 0;
    if (i + 1 == record.count) flags |= record.flags & link::kEndOfPacket;
    std::optional<rtl::nanet::Beat> beat;
    if (absl::Status status = line.reader.take(record.words.at(static_cast<size_t>(i)), flags, beat); !status.ok())
      return status;
    if (!beat) continue;
    // A frame that is too long for any is cut, which leaves it too long.
    if (line.frame.size() < 2 * kMostFrame) rtl::nanet::take_word(line.frame, *beat);
    if (!beat->last) continue;
    const Time time = line.port->arrival(first + i);
    at(time, port, [this, port, frame = std::exchange(line.frame, {}), damaged = beat->error, time] {
      take_frame(port, frame, damaged, time);
    });
  }
  return absl::OkStatus();
}

Station Card::station(int32_t port) const {
  return {.mac = uint64_t{value_of(registers::kMacHighOffset, port)} << 32 | value_of(registers::kMacLowOffset, port),
          .ip = value_of(registers::kIpOffset, port),
          .netmask = value_of(registers::kNetmaskOffset, port)};
}

void Card::take_frame(int32_t port, const Bytes& frame, bool damaged, Time now) {
  if ((value_of(registers::kPortOffset, port) & kEnable) == 0) return;
  const Classified found = classify(frame, damaged, station(port));
  count(port, found.result);
  if (found.datagram) take_datagram(port, found, now);
  if (found.result == Result::kArp) {
    lines_[static_cast<size_t>(port)].transmit->heard(frame, now);
    answer_arp(port, frame, now);
  }
  if (found.result == Result::kIcmp) answer_echo(port, frame, now);
}

void Card::take_datagram(int32_t port, const Classified& found, Time now) {
  Line& line = lines_[static_cast<size_t>(port)];
  for (int32_t stream = 0; stream < rtl::nanet::kPortStreams; ++stream) {
    const uint32_t row = value_of(registers::kStreamOffset, port * rtl::nanet::kPortStreams + stream);
    if (bits(row, registers::kStreamEnableLow, 1) == 0 || (row & 0xffff) != found.udp_port) continue;
    const int64_t words = (static_cast<int64_t>(found.payload.size()) + kWordBytes - 1) / kWordBytes;
    if (line.waiting_words + words > kGateWords) return count(port, Result::kOverflow);
    return store(port, stream, found.payload, found.result == Result::kUdp, now);
  }
  count(port, Result::kNoStream);
}

void Card::store(int32_t port, int32_t stream, std::span<const uint8_t> payload, bool good, Time now) {
  Line& line = lines_[static_cast<size_t>(port)];
  Stream& state = line.streams.at(static_cast<size_t>(stream));
  const int32_t number = port * rtl::nanet::kPortStreams + stream;
  const uint32_t row = value_of(registers::kStreamOffset, number);
  const auto size_log2 = static_cast<int>(bits(row, registers::kStreamSizeLog2Low, registers::kStreamSizeLog2Width));
  const uint32_t buffers = 1u << bits(row, registers::kStreamBuffersLog2Low, registers::kStreamBuffersLog2Width);
  const bool widen = bits(row, registers::kStreamWidenLow, 1) != 0;
  const Bytes data = widen ? widened(payload) : Bytes(payload.begin(), payload.end());
  const int64_t space = rounded(static_cast<int64_t>(data.size()));
  if (space > int64_t{1} << size_log2) return count(port, Result::kTooLarge);
  if (state.open && state.fill + space > int64_t{1} << size_log2) close(port, stream, false, now);
  const auto waiting = static_cast<uint16_t>(state.closed - value_of(registers::kReleasedOffset, number));
  if (!state.open && waiting >= buffers) return count(port, Result::kNoBuffer);
  const uint64_t base =
      uint64_t{value_of(registers::kBuffersHighOffset, number)} << 32 | value_of(registers::kBuffersLowOffset, number);
  const uint64_t address = base + (uint64_t{state.closed % buffers} << size_log2) + state.fill;
  // Bursts end at multiples of their length, and each is ready when its last byte has come.
  const auto total = static_cast<int64_t>(data.size());
  for (int64_t done = 0; done < total;) {
    const auto left_of_burst =
        kBurstBytes - static_cast<int64_t>((address + static_cast<uint64_t>(done)) % kBurstBytes);
    const int64_t bytes = std::min(left_of_burst, total - done);
    const int64_t later = (total - done - bytes) / (widen ? 2 : 1);
    const int64_t words = (bytes / (widen ? 2 : 1) + kWordBytes - 1) / kWordBytes;
    line.waiting_words += words;
    jobs_.push_back({.line = port,
                     .address = address + static_cast<uint64_t>(done),
                     .data = Bytes(data.begin() + done, data.begin() + done + bytes),
                     .ready = now - Time::from_fs(std::min(now.fs(), line.port->word_clock().edge(later / 8).fs())),
                     .gate_words = words});
    done += bytes;
  }
  ++line.sequence;
  if (good) {
    if (!state.open) {
      state.open = true;
      const uint64_t opening = ++state.opening;
      if (const uint32_t cycles = value_of(registers::kTimeoutOffset); cycles > 0) {
        const Time end = now + timing::kReceive + timing::cycles(cycles);
        at(end, port, [this, port, stream, opening, end] {
          const Stream& open = lines_[static_cast<size_t>(port)].streams.at(static_cast<size_t>(stream));
          if (open.open && open.opening == opening) close(port, stream, true, end);
        });
      }
    }
    state.fill += static_cast<uint32_t>(space);
    ++state.datagrams;
    if (state.fill == uint32_t{1} << size_log2) close(port, stream, false, now);
  }
  serve(now);
}

void Card::close(int32_t port, int32_t stream, bool timed_out, Time now) {
  Line& line = lines_[static_cast<size_t>(port)];
  Stream& state = line.streams.at(static_cast<size_t>(stream));
  const int32_t number = port * rtl::nanet::kPortStreams + stream;
  const uint32_t row = value_of(registers::kStreamOffset, number);
  const uint32_t buffers = 1u << bits(row, registers::kStreamBuffersLog2Low, registers::kStreamBuffersLog2Width);
  Bytes record;
  const auto little = [&record](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) record.push_back(static_cast<uint8_t>(value >> (8 * i)));
  };
  little(timed_out ? 1 : 0, 1);
  little(static_cast<uint64_t>(number), 1);
  little(state.closed % buffers, 2);
  little(state.fill, 4);
  little(state.datagrams, 2);
  little(line.sequence++, 2);
  jobs_.push_back({.line = port, .event = true, .record = std::move(record)});
  ++state.closed;
  state.open = false;
  state.fill = state.datagrams = 0;
  if (timed_out) serve(now);
}

void Card::answer_arp(int32_t port, const Bytes& frame, Time now) {
  const Station own = station(port);
  if (asks_for(frame, own.ip)) send_frame(port, arp_answer(frame, own.mac, own.ip), now);
}

void Card::answer_echo(int32_t port, const Bytes& frame, Time now) {
  constexpr size_t kMessage = 34;
  constexpr size_t kEchoRequest = 8;
  const size_t end = 14 + number_at(frame, 16, 2);
  if (frame[kMessage] != kEchoRequest || frame[kMessage + 1] != 0 || end > frame.size() || end < kMessage + 8) return;
  if (ones_sum(std::span(frame).subspan(kMessage, end - kMessage)) != 0xffff) return;
  const Station own = station(port);
  Bytes answer(frame.begin() + 6, frame.begin() + 12);
  append(answer, 6, own.mac);
  answer.insert(answer.end(), frame.begin() + 12, frame.begin() + 26);
  append(answer, 4, own.ip);
  answer.insert(answer.end(), frame.begin() + 26, frame.begin() + 30);
  answer.insert(answer.end(), frame.begin() + kMessage, frame.end());
  // Type 8 becomes 0, so the checksum rises by 8 in its first byte.
  answer[kMessage] = 0;
  uint32_t sum = static_cast<uint32_t>(number_at(answer, kMessage + 2, 2)) + 0x0800;
  sum = (sum & 0xffff) + (sum >> 16);
  answer[kMessage + 2] = static_cast<uint8_t>(sum >> 8);
  answer[kMessage + 3] = static_cast<uint8_t>(sum);
  count(port, Result::kEcho);
  send_frame(port, answer, now);
}

void Card::send_frame(int32_t port, const Bytes& frame, Time now) {
  put_frame(port, frame, lines_[static_cast<size_t>(port)].port->word_clock().edge_at_or_after(now + timing::kAnswer));
}

int64_t Card::put_frame(int32_t port, const Bytes& frame, int64_t slot) {
  Line& line = lines_[static_cast<size_t>(port)];
  slot = std::max(line.free_slot, slot);
  const int64_t end = slot + (static_cast<int64_t>(frame.size()) + kWordBytes - 1) / kWordBytes;
  // What is no whole slot of the gap behind a frame is left to the next one.
  line.owed_bytes += line_bytes(static_cast<int64_t>(frame.size())) - (end - slot) * kWordBytes;
  line.free_slot = end + line.owed_bytes / kWordBytes;
  line.owed_bytes %= kWordBytes;
  for (size_t byte = 0; byte < frame.size(); byte += kWordBytes) {
    const rtl::nanet::Beat beat = rtl::nanet::word_of(frame, byte);
    line.port->send_word(slot++, byte == 0 ? link::kStartOfPacket : 0, {.lo = beat.data});
    if (beat.last) line.port->send_word(slot++, link::kEndOfPacket, rtl::nanet::element::footer_of(beat));
  }
  return end - 1;
}

}  // namespace fabrictwin::nanet
