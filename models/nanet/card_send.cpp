// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Datagrams of the computer: what the parts of the transmit path ask of the rest of the model.
#include <utility>

#include "models/nanet/card.h"
#include "models/nanet/card_timing.h"
#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::nanet {
namespace {

namespace registers = rtl::nanet::registers;
using rtl::nanet::Result;

/// From the edge at which a word enters the queue to the clock of the line until the slot in which it leaves.
constexpr int64_t kCrossingSlots = 2;

}  // namespace

DmaRead::Card Card::reading() {
  const auto at_edge = [this](int64_t edge, Action action) {
    at(timing::time_of(edge), static_cast<int32_t>(lines_.size()), std::move(action));
  };
  const auto read = [this](int64_t edge, uint64_t physical, uint32_t words, bool gpu) {
    computer_.send(timing::time_of(edge), link::HostMessage::memory_read(physical, words, ++tag_, gpu ? 1 : 0));
    return tag_;
  };
  const auto take_space = [this](const DmaRead::Datagram& datagram) {
    return lines_[static_cast<size_t>(datagram.port)].transmit->take_space(datagram.bytes);
  };
  const auto deliver = [this](const DmaRead::Datagram& datagram, Bytes data, bool bad, int64_t edge, Time now) {
    lines_[static_cast<size_t>(datagram.port)].transmit->take(datagram, std::move(data), bad, edge, now);
  };
  return {.at = at_edge,
          .look_up = [this](uint64_t page, Time now) { look_up_to_send(page, now); },
          .read = read,
          .take_space = take_space,
          .deliver = deliver};
}

void Card::add_transmit(int32_t port) {
  Line& line = lines_[static_cast<size_t>(port)];
  const auto settings = [this, port] {
    return UdpTransmit::Settings{.station = station(port),
                                 .gateway = value_of(registers::kGatewayOffset, port),
                                 .arp_timeout = value_of(registers::kArpTimeoutOffset)};
  };
  const auto send = [this, port](const Bytes& frame, int64_t edge) {
    const Clock& clock = lines_[static_cast<size_t>(port)].port->word_clock();
    // The first edge of the line that is later sees the word.
    const int64_t seen = clock.edge_at_or_after(timing::time_of(edge) + Time::from_fs(1));
    return put_frame(port, frame, seen + kCrossingSlots);
  };
  const auto ended = [this, port](Result result, Time now) {
    count(port, result);
    dma_read_.resume(now);
  };
  line.transmit = std::make_unique<UdpTransmit>(
      line.port->word_clock(),
      UdpTransmit::Card{
          .at = [this, port](int64_t edge, Action action) { at(timing::time_of(edge), port, std::move(action)); },
          .settings = settings,
          .send = send,
          .ended = ended});
}

// One page at a time is asked for, and received datagrams come first.
void Card::look_up_to_send(uint64_t page, Time now) {
  if (missing_) {
    waiting_to_send_ = page;
    return;
  }
  if (const std::optional<Tlb::Mapping> mapping = tlb_.find(page)) {
    ++tlb_hits_;
    dma_read_.translated(mapping, now);
    return;
  }
  missing_to_send_ = true;
  miss(page, now);
  update_interrupt(now);
}

bool Card::give_datagram(uint32_t value, Time now) {
  const auto field = [](uint32_t word, int low, int width) { return word >> low & ((1u << width) - 1); };
  const uint32_t bytes = field(value, registers::kSendBytesLow, registers::kSendBytesWidth);
  const uint32_t port = field(value, registers::kSendPortLow, registers::kSendPortWidth);
  if (bytes == 0 || bytes > static_cast<uint32_t>(kMostPayload) || port >= lines_.size() || dma_read_.free() == 0)
    return false;
  const uint32_t ports = value_of(registers::kSendPortsOffset);
  dma_read_.give({.port = static_cast<int32_t>(port),
                  .bytes = bytes,
                  .address = uint64_t{value_of(registers::kSendHighOffset)} << 32 |
                             (value_of(registers::kSendLowOffset) & ~uint32_t{0xf}),
                  .ip = value_of(registers::kSendIpOffset),
                  .to_port = static_cast<uint16_t>(ports),
                  .from_port = static_cast<uint16_t>(ports >> 16)},
                 now);
  return true;
}

}  // namespace fabrictwin::nanet
