// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/driver/register_packetizer.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"

namespace fabrictwin::nic::exanet::driver {
namespace {

constexpr uint32_t kRegisterBytes = 8;
constexpr uint32_t kDestination = 0x40;
constexpr uint32_t kDoorbell = 0x48;
constexpr uint32_t kConfiguration = 0x80000;
constexpr uint64_t kEnable = uint64_t{1} << 63;
constexpr uint64_t kStateMask = 7;
constexpr uint64_t kOngoing = 1;
constexpr int kNodeShift = 42;
constexpr int kPageShift = 12;

uint32_t base_of(int32_t channel) {
  return static_cast<uint32_t>(channel / 4) << kPageShift | static_cast<uint32_t>(channel % 4) << 7;
}

}  // namespace

void RegisterPacketizer::configure(int32_t interfaces, uint16_t pdid) {
  for (int32_t i = 0; i < interfaces; ++i) {
    port_.write(link::HostRegion::kMessages, kConfiguration + (static_cast<uint32_t>(i) << kPageShift), kRegisterBytes,
                {kEnable | pdid, 0}, [this, i](uint32_t response) {
                  if (response != 0) {
                    port_.fail(fmt::format("the configuration of packetizer interface {} was answered with {}", i,
                                           axi_response_name(response)));
                  }
                });
  }
}

void RegisterPacketizer::send(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) {
  if (channel < 0 || channel >= kNiChannels || channels_[static_cast<size_t>(channel)].busy ||
      payload.size() > static_cast<size_t>(kNiMessageBytes)) {
    return port_.fail(fmt::format("packetizer channel {} cannot take a message of {} bytes: {}", channel,
                                  payload.size(),
                                  channel < 0 || channel >= kNiChannels                   ? "there is none"
                                  : payload.size() > static_cast<size_t>(kNiMessageBytes) ? "too long"
                                                                                          : "it has one"));
  }
  Channel& state = channels_[static_cast<size_t>(channel)];
  state.busy = true;
  state.sent = port_.now();
  const uint32_t base = base_of(channel);
  for (size_t at = 0; at < payload.size(); at += kRegisterBytes) {
    uint64_t word = 0;
    std::memcpy(&word, payload.data() + at, std::min<size_t>(kRegisterBytes, payload.size() - at));
    port_.write(link::HostRegion::kMessages, base + static_cast<uint32_t>(at), kRegisterBytes, {word, 0},
                [this, channel](uint32_t response) { check(channel, "payload", response); });
  }
  const uint64_t destination = uint64_t{node} << kNodeShift | static_cast<uint64_t>(interface) << kPageShift;
  // The register keeps its value.
  if (!state.addressed || state.destination != destination) {
    state.addressed = true;
    state.destination = destination;
    port_.write(link::HostRegion::kMessages, base + kDestination, kRegisterBytes, {destination, 0},
                [this, channel](uint32_t response) { check(channel, "destination", response); });
  }
  port_.write(link::HostRegion::kMessages, base + kDoorbell, kRegisterBytes, {payload.size(), 0},
              [this, channel](uint32_t response) {
                check(channel, "doorbell", response);
                if (response == 0) poll(channel);
              });
}

void RegisterPacketizer::check(int32_t channel, const char* what, uint32_t response) {
  if (response == 0) return;
  port_.fail(fmt::format("the {} of packetizer channel {} (to node {:#x}) was answered with {}", what, channel,
                         channels_[static_cast<size_t>(channel)].destination >> kNodeShift,
                         axi_response_name(response)));
}

void RegisterPacketizer::poll(int32_t channel) {
  port_.read(link::HostRegion::kMessages, base_of(channel) + kDoorbell, kRegisterBytes,
             [this, channel](uint32_t response, const link::Word& value) { take_state(channel, response, value.lo); });
}

void RegisterPacketizer::take_state(int32_t channel, uint32_t response, uint64_t value) {
  check(channel, "state", response);
  if (response != 0) return;
  Channel& state = channels_[static_cast<size_t>(channel)];
  switch (value & kStateMask) {
    case kOngoing: {
      const Time waited = port_.now() - state.sent;
      port_.after(Time::from_fs(waited.fs() / 8 + 1), [this, channel] { poll(channel); });
      return;
    }
    case static_cast<uint64_t>(MessageState::kAcked):
    case static_cast<uint64_t>(MessageState::kNacked):
    case static_cast<uint64_t>(MessageState::kTimedOut):
      state.busy = false;
      client_.message_done(channel, static_cast<MessageState>(value & kStateMask));
      return;
    default:
      port_.fail(
          fmt::format("packetizer channel {} says state {} of a message that was sent", channel, value & kStateMask));
  }
}

}  // namespace fabrictwin::nic::exanet::driver
