// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the drivers of two nodes say to each other, and how a driver divides its virtual addresses:
// docs/models/exanet-node.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "models/endpoint.h"
#include "models/ni_port.h"

namespace fabrictwin::driver {

inline constexpr int32_t kDataMailbox = 0;   ///< Eager messages and requests to send.
inline constexpr int32_t kClearMailbox = 1;  ///< Clears to send.
inline constexpr uint64_t kEagerBytes = 32;  ///< Largest body that goes with its envelope.
inline constexpr uint64_t kMaxBytes = 0xffffffff;
// Channels of the packetizer for each peer, two of the four of a virtual interface: one for eager messages and
// requests, of which one at a time is under way, as one that was refused must not be overtaken; one for clears, which
// keep no order with them. Peers that are equal modulo kPeers share them.
inline constexpr int32_t kPeerChannels = 2;
inline constexpr int32_t kPeers = kNiChannels / kPeerChannels;

/// Channels that a driver among so many hosts uses: 0 to this.
constexpr int32_t channels_for(int32_t hosts) { return (hosts < kPeers ? hosts : kPeers) * kPeerChannels; }
/// The virtual interfaces that have them.
constexpr int32_t interfaces_for(int32_t hosts) { return (channels_for(hosts) + 3) / 4; }

inline constexpr int32_t kRdmaChannels = 32;  ///< Write channels that are used: those of page 0.
inline constexpr int32_t kMaxReceiveWindows = 64;

inline constexpr size_t kEnvelopeBytes = sizeof(Envelope);
inline constexpr size_t kRequestBytes = kEnvelopeBytes + 8;  ///< Envelope, handle.
inline constexpr size_t kClearBytes = 24;                    ///< Handle, address of the buffer, of the notification.

/// A clear to send.
struct Clear {
  uint64_t handle = 0;        ///< Of the request; also what the notifications will say.
  uint64_t address = 0;       ///< Where the body is to be written.
  uint64_t notification = 0;  ///< Where the receiver wants to be notified.
};
static_assert(sizeof(Clear) == kClearBytes);

// Virtual addresses, 39 bits: 0wwwwww and 32 bits for receive window w; 10ccccc and 32 bits for send window c, one for
// each RDMA channel; 110, zeros and 8 * w, 111, zeros and 8 * c for their notifications.
inline constexpr uint64_t kSendBase = uint64_t{1} << 38;
inline constexpr uint64_t kNotifyBase = uint64_t{3} << 37;
inline constexpr uint64_t kNotifySend = uint64_t{1} << 36;

constexpr uint64_t receive_window(int32_t window) { return static_cast<uint64_t>(window) << 32; }
constexpr uint64_t send_window(int32_t channel) { return kSendBase | static_cast<uint64_t>(channel) << 32; }
constexpr uint64_t receive_notification(int32_t window) { return kNotifyBase | static_cast<uint64_t>(window) << 3; }
constexpr uint64_t send_notification(int32_t channel) {
  return kNotifyBase | kNotifySend | static_cast<uint64_t>(channel) << 3;
}

/// What an address belongs to.
struct Place {
  enum class Kind : uint8_t { kReceive, kSend, kReceiveNotification, kSendNotification, kNone };
  Kind kind = Kind::kNone;
  int32_t index = 0;    ///< Window or channel.
  uint64_t offset = 0;  ///< In the window or notification.
};

constexpr Place place_of(uint64_t address) {
  if (address >> 39 != 0) return {};
  const uint64_t low = address & kMaxBytes;
  if ((address & kSendBase) == 0) return {Place::Kind::kReceive, static_cast<int32_t>(address >> 32), low};
  if ((address & kNotifyBase) == kSendBase) {
    return {Place::Kind::kSend, static_cast<int32_t>(address >> 32 & 0x1f), low};
  }
  const uint64_t rest = address & (kNotifySend - 1);
  const bool send = (address & kNotifySend) != 0;
  if (rest >= uint64_t{8} * (send ? kRdmaChannels : kMaxReceiveWindows)) return {};
  return {send ? Place::Kind::kSendNotification : Place::Kind::kReceiveNotification, static_cast<int32_t>(rest >> 3),
          rest & 7};
}

}  // namespace fabrictwin::driver
