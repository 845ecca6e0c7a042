// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/register_rdma.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

constexpr uint32_t kRegisterBytes = 16;
constexpr uint32_t kPages = 0x10000;
constexpr uint32_t kFirmware = 0x10110;
constexpr uint32_t kTranslations = 0x10120;
constexpr uint32_t kCongestion = 0x10300;
constexpr uint32_t kGaps = 0x10800;
constexpr uint32_t kNoticesSent = 0x10220;  ///< In the upper 32 bits.
constexpr uint64_t kInUse = uint64_t{1} << 16;
constexpr uint64_t kTopBit = uint64_t{1} << 63;  ///< Enables notifications; starts a transfer.
constexpr uint64_t kAddressMask = (uint64_t{1} << 39) - 1;
constexpr int kNodeShift = 42;
constexpr int kNotificationBytes = 8;
constexpr uint64_t kCodeBusy = 1;
constexpr uint64_t kCodeDone = 2;
constexpr uint64_t kMaxBytes = 0xffff'ffff;
/// When a transfer is checked: longer than any successful one should take.
constexpr Time kPatience = Time::from_us(200);
constexpr int64_t kFsForByte = 1'600'000;  ///< Twice the time of a byte at 10 Gb/s.

const char* code_name(uint64_t code) {
  constexpr const char* kNames[] = {"idle",
                                    "busy",
                                    "done",
                                    "local and remote address are not equal modulo 16",
                                    "wrong length",
                                    "own page not in use or of another PDID",
                                    "no answer",
                                    "PDID refused by the other node",
                                    "page fault in the own memory",
                                    "page fault in the other node's memory",
                                    "other node busy",
                                    "page fault of the local notification"};
  return code < std::size(kNames) ? kNames[code] : "unknown code";
}

uint32_t base_of(int32_t channel) {
  return static_cast<uint32_t>(channel / 32) << 12 | static_cast<uint32_t>(channel % 32) << 6;
}

/// The value of the eight bytes at `address` if they are written.
std::optional<uint64_t> written_at(uint64_t address, uint64_t start, std::span<const std::byte> bytes,
                                   const std::array<uint64_t, 4>& strobes) {
  if (address < start || address + 8 > start + bytes.size()) return std::nullopt;
  const uint64_t at = address - start;
  if ((strobes[at / 64] >> (at % 64) & 0xff) != 0xff) return std::nullopt;
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

void RegisterRdma::configure(int32_t pages, uint16_t pdid) {
  pdid_ = pdid;
  for (int32_t page = 0; page < pages; ++page) {
    port_.write(link::HostRegion::kRdma, kPages + static_cast<uint32_t>(page) * kRegisterBytes, kRegisterBytes,
                {kInUse | pdid, 0}, [this, page](uint32_t response) {
                  if (response != 0) {
                    port_.fail(fmt::format("the configuration of RDMA page {} was answered with {}", page,
                                           axi_response_name(response)));
                  }
                });
  }
}

void RegisterRdma::configure(const CcaSettings& congestion) {
  if (!congestion.enabled) return;
  congested_ = true;
  for (int32_t i = 0; i <= congestion.limit; i += CcaSettings::kEntriesOfWrite)
    write_register(kGaps + static_cast<uint32_t>(i / CcaSettings::kEntriesOfWrite) * kRegisterBytes,
                   congestion.entries(i));
  write_register(kCongestion, congestion.register_value());
}

void RegisterRdma::configure_firmware(int32_t cycles) {
  if (cycles > 0) write_register(kFirmware, {static_cast<uint64_t>(cycles), 0});
}

void RegisterRdma::configure_translations() { write_register(kTranslations, {1, 0}); }

void RegisterRdma::write_register(uint32_t address, const link::Word& value) {
  port_.write(link::HostRegion::kRdma, address, kRegisterBytes, value, [this, address](uint32_t response) {
    if (response != 0)
      port_.fail(fmt::format("RDMA register {:#x} was answered with {}", address, axi_response_name(response)));
  });
}

// A notification ends what was written before it. Another one that comes while the counter is read asks again.
void RegisterRdma::count_notices() {
  if (counting_) {
    count_again_ = true;
    return;
  }
  counting_ = true;
  port_.read(link::HostRegion::kRdma, kNoticesSent, kRegisterBytes, [this](uint32_t response, const link::Word& value) {
    if (response != 0)
      return port_.fail(fmt::format("a counter of the RDMA unit was answered with {}", axi_response_name(response)));
    notices_ = value.hi >> 32;
    counting_ = false;
    if (std::exchange(count_again_, false)) count_notices();
  });
}

void RegisterRdma::start(int32_t channel, const Transfer& transfer) {
  if (channel < 0 || channel >= kNiRdmaChannels)
    return port_.fail(fmt::format("RDMA channel {} does not exist", channel));
  if (transfer.bytes < 1 || transfer.bytes > kMaxBytes || (transfer.local ^ transfer.remote) % link::kWordBytes != 0 ||
      (transfer.at_destination && transfer.at_source && transfer.at_destination->data != transfer.at_source->data)) {
    return port_.fail(
        fmt::format("RDMA channel {}: no descriptor says {} bytes from {:#x} to {:#x} of node {:#x}, or two "
                    "notifications that differ",
                    channel, transfer.bytes, transfer.local, transfer.remote, transfer.node));
  }
  Channel& state = channels_[static_cast<size_t>(channel)];
  if (state.next.has_value())
    return port_.fail(fmt::format("RDMA channel {} is given a transfer while another waits for it", channel));
  if (state.busy) {
    state.next = transfer;
    state.finishing = true;
    return ask(channel);
  }
  write_descriptor(channel, transfer);
}

void RegisterRdma::write_descriptor(int32_t channel, const Transfer& transfer) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  state.busy = true;
  state.finishing = false;
  state.transfer = transfer;
  state.started = port_.now();
  ++state.number;
  const auto& source = transfer.at_source;
  const auto& destination = transfer.at_destination;
  const uint64_t data = source ? source->data : destination ? destination->data : 0;
  const std::array<link::Word, 4> words{
      link::Word{uint64_t{transfer.node} << kNodeShift | (transfer.remote & kAddressMask),
                 pdid_ | transfer.bytes << 16},
      link::Word{transfer.local & kAddressMask, data},
      link::Word{destination ? kTopBit | (destination->address & kAddressMask) : 0,
                 source ? kTopBit | (source->address & kAddressMask) : 0},
      link::Word{0, kTopBit}};
  for (uint32_t i = 0; i < words.size(); ++i) {
    port_.write(
        link::HostRegion::kRdma, base_of(channel) + i * kRegisterBytes, kRegisterBytes, words[i],
        [this, channel](uint32_t response) {
          if (response == 0) return;
          port_.fail(fmt::format("the descriptor of RDMA channel {} (to node {:#x}) was answered with {}", channel,
                                 channels_[static_cast<size_t>(channel)].transfer.node, axi_response_name(response)));
        });
  }
  if (source) running_.push_back(channel);
  watch(channel, state.number, kPatience + Time::from_fs(static_cast<int64_t>(transfer.bytes) * kFsForByte));
}

void RegisterRdma::watch(int32_t channel, uint64_t number, Time delay) {
  port_.after(delay, [this, channel, number] {
    const Channel& state = channels_[static_cast<size_t>(channel)];
    if (!state.busy || state.number != number) return;
    ask(channel);
    watch(channel, number, port_.now() - state.started);
  });
}

void RegisterRdma::ask(int32_t channel) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  if (state.asking) return;
  state.asking = true;
  port_.read(link::HostRegion::kRdma, base_of(channel), kRegisterBytes,
             [this, channel](uint32_t response, const link::Word& value) {
               channels_[static_cast<size_t>(channel)].asking = false;
               if (response != 0) {
                 return port_.fail(fmt::format("the state of RDMA channel {} was answered with {}", channel,
                                               axi_response_name(response)));
               }
               take_state(channel, value.lo);
             });
}

void RegisterRdma::take_state(int32_t channel, uint64_t value) {
  Channel& state = channels_[static_cast<size_t>(channel)];
  const uint64_t code = value >> 4 & 0xf;
  if (code == kCodeBusy) {
    if (state.finishing) ask(channel);
    return;
  }
  if (code != kCodeDone) {
    return port_.fail(fmt::format("RDMA channel {}, {} bytes to {:#x} of node {:#x}: {} (code {})", channel,
                                  state.transfer.bytes, state.transfer.remote, state.transfer.node, code_name(code),
                                  code));
  }
  state.busy = false;
  std::erase(running_, channel);
  if (!state.next.has_value()) return;
  const Transfer next = *state.next;
  state.next.reset();
  write_descriptor(channel, next);
}

void RegisterRdma::memory_written(uint64_t address, std::span<const std::byte> bytes,
                                  const std::array<uint64_t, 4>& strobes) {
  int written = 0;
  for (const uint64_t group : strobes) written += std::popcount(group);
  if (congested_ && written == kNotificationBytes) count_notices();
  for (size_t i = 0; i < running_.size(); ++i) {
    const int32_t channel = running_[i];
    Channel& state = channels_[static_cast<size_t>(channel)];
    const Notification& notification = *state.transfer.at_source;
    if (written_at(notification.address, address, bytes, strobes) != notification.data) continue;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    state.finishing = true;
    return ask(channel);
  }
}

}  // namespace fabrictwin::nic::exanet::driver
