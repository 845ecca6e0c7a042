// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/nanet/device/driver.h"

#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::rtl::nanet {
namespace {

uint32_t of(uint32_t offset, int copy) { return offset + registers::kStride * static_cast<uint32_t>(copy); }

/// A number of `bytes` bytes, least significant first.
uint32_t number(const Bytes& record, size_t at, int bytes) {
  uint32_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | record.at(at + static_cast<size_t>(i));
  return value;
}

}  // namespace

Driver::Driver(Device& device, uint64_t ring, int ring_log2) : device_(device), ring_(ring), ring_log2_(ring_log2) {
  device_.write(registers::kRingLowOffset, static_cast<uint32_t>(ring));
  device_.write(registers::kRingHighOffset, static_cast<uint32_t>(ring >> 32));
  device_.write(registers::kRingOffset, static_cast<uint32_t>(ring_log2));
}

bool Driver::set_station(int port, const StationAddress& address) {
  return device_.write(of(registers::kMacLowOffset, port), static_cast<uint32_t>(address.mac)) &&
         device_.write(of(registers::kMacHighOffset, port), static_cast<uint32_t>(address.mac >> 32)) &&
         device_.write(of(registers::kIpOffset, port), address.ip) &&
         device_.write(of(registers::kNetmaskOffset, port), address.netmask) &&
         device_.write(of(registers::kGatewayOffset, port), address.gateway);
}

bool Driver::enable(int port, bool enabled) {
  return device_.write(of(registers::kPortOffset, port), uint32_t{enabled});
}

bool Driver::set_stream(int stream, const StreamSettings& settings) {
  released_.at(static_cast<size_t>(stream)) = 0;
  const uint32_t value = settings.port | static_cast<uint32_t>(settings.size_log2) << registers::kStreamSizeLog2Low |
                         static_cast<uint32_t>(settings.buffers_log2) << registers::kStreamBuffersLog2Low |
                         uint32_t{settings.widen} << registers::kStreamWidenLow | 1u << registers::kStreamEnableLow;
  return device_.write(of(registers::kBuffersLowOffset, stream), static_cast<uint32_t>(settings.address)) &&
         device_.write(of(registers::kBuffersHighOffset, stream), static_cast<uint32_t>(settings.address >> 32)) &&
         device_.write(of(registers::kReleasedOffset, stream), 0) &&
         device_.write(of(registers::kStreamOffset, stream), value);
}

std::optional<Event> Driver::poll() {
  const uint32_t written = device_.read(registers::kRingWrittenOffset).value_or(taken_);
  if (static_cast<uint16_t>(written) == taken_) return {};
  const uint64_t index = taken_ & ((uint64_t{1} << ring_log2_) - 1);
  const Bytes record = device_.cpu().read(ring_ + 16 * index, 16);
  device_.write(registers::kRingConsumedOffset, ++taken_);
  return Event{.stream = static_cast<int>(record[1] & 0x3f),
               .buffer = static_cast<uint16_t>(number(record, 2, 2)),
               .bytes = number(record, 4, 4),
               .datagrams = static_cast<int>(number(record, 8, 2)),
               .timed_out = (record[0] & 1) != 0,
               .cycle = number(record, 12, 4)};
}

void Driver::release(int stream) {
  device_.write(of(registers::kReleasedOffset, stream), ++released_.at(static_cast<size_t>(stream)));
}

bool Driver::send(int port, uint64_t address, int bytes, uint32_t ip, uint16_t destination, uint16_t source) {
  if (device_.read(registers::kSendFreeOffset).value_or(0) == 0) return false;
  device_.write(registers::kSendLowOffset, static_cast<uint32_t>(address));
  device_.write(registers::kSendHighOffset, static_cast<uint32_t>(address >> 32));
  device_.write(registers::kSendIpOffset, ip);
  device_.write(registers::kSendPortsOffset, destination | uint32_t{source} << registers::kSendPortsSourceLow);
  return device_.write(registers::kSendOffset, static_cast<uint32_t>(bytes) | static_cast<uint32_t>(port)
                                                                                  << registers::kSendPortLow);
}

}  // namespace fabrictwin::rtl::nanet
