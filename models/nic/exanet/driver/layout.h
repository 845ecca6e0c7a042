// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The protocol between the drivers of two nodes, and a driver's layout of virtual addresses:
// docs/models/exanet-node.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "models/host/endpoint.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet::driver {

inline constexpr int32_t kDataMailbox = 0;   ///< Eager messages and requests to send.
inline constexpr int32_t kClearMailbox = 1;  ///< CTS messages.
inline constexpr int32_t kMailboxes = 2;
inline constexpr uint64_t kEagerBytes = 32;  ///< The largest body that is sent with its envelope.
inline constexpr uint64_t kMaxBytes = 0xffffffff;
// Channels of the packetizer for each peer, two of the four of a virtual interface. One is for eager messages and
// requests, of which only one at a time is in progress, as one that was refused must not be overtaken. The other is for
// CTS messages, which need no order relative to those. Peers that are equal modulo kPeers share them.
inline constexpr int32_t kPeerChannels = 2;
inline constexpr int32_t kPeers = kNiChannels / kPeerChannels;

/// The number of channels that a driver among so many hosts uses.
constexpr int32_t channels_for(int32_t hosts) { return (hosts < kPeers ? hosts : kPeers) * kPeerChannels; }
/// The number of virtual interfaces that these channels belong to.
constexpr int32_t interfaces_for(int32_t hosts) { return (channels_for(hosts) + 3) / 4; }

inline constexpr int32_t kRdmaChannels = 32;  ///< RDMA write channels in use: those of page 0.
inline constexpr int32_t kMaxReceiveWindows = 64;

inline constexpr size_t kEnvelopeBytes = sizeof(Envelope);
inline constexpr size_t kRequestBytes = kEnvelopeBytes + 8;  ///< Envelope and handle.
inline constexpr size_t kClearBytes = 24;  ///< Handle, address of the buffer, address of the notification.

/// A CTS (clear to send).
struct Clear {
  uint64_t handle = 0;        ///< Handle of the request; also the data of the notifications.
  uint64_t address = 0;       ///< Where the body is to be written.
  uint64_t notification = 0;  ///< Where the receiver wants its notification.
};
static_assert(sizeof(Clear) == kClearBytes);

// Virtual addresses, 39 bits: 0wwwwww and 32 bits for receive window w; 10ccccc and 32 bits for send window c, one for
// each RDMA channel; 110, zeros and 8 * w, 111, zeros and 8 * c for their notifications; 1101, zeros, i and 19 bits for
// the ring of mailbox i, if rings are in memory.
inline constexpr uint64_t kSendBase = uint64_t{1} << 38;
inline constexpr uint64_t kNotifyBase = uint64_t{3} << 37;
inline constexpr uint64_t kNotifySend = uint64_t{1} << 36;
inline constexpr uint64_t kRingBase = kNotifyBase | uint64_t{1} << 35;
inline constexpr int kRingShift = 19;
inline constexpr uint64_t kRingEntryBytes = 128;
inline constexpr int32_t kMaxRingEntries = static_cast<int32_t>((uint64_t{1} << kRingShift) / kRingEntryBytes);

constexpr uint64_t receive_window(int32_t window) { return static_cast<uint64_t>(window) << 32; }
constexpr uint64_t send_window(int32_t channel) { return kSendBase | static_cast<uint64_t>(channel) << 32; }
constexpr uint64_t receive_notification(int32_t window) { return kNotifyBase | static_cast<uint64_t>(window) << 3; }
constexpr uint64_t send_notification(int32_t channel) {
  return kNotifyBase | kNotifySend | static_cast<uint64_t>(channel) << 3;
}

/// The ring of a mailbox in memory.
constexpr uint64_t mailbox_ring(int32_t mailbox) { return kRingBase | static_cast<uint64_t>(mailbox) << kRingShift; }

/// The window, notification or ring that an address belongs to.
struct Region {
  enum class Kind : uint8_t { kReceive, kSend, kReceiveNotification, kSendNotification, kRing, kNone };
  Kind kind = Kind::kNone;
  int32_t index = 0;    ///< Window, channel or mailbox.
  uint64_t offset = 0;  ///< Offset in it.
};

constexpr Region region_of(uint64_t address) {
  if (address >> 39 != 0) return {};
  const uint64_t low = address & kMaxBytes;
  if ((address & kSendBase) == 0) return {Region::Kind::kReceive, static_cast<int32_t>(address >> 32), low};
  if ((address & kNotifyBase) == kSendBase) {
    return {Region::Kind::kSend, static_cast<int32_t>(address >> 32 & 0x1f), low};
  }
  if (address >> 35 == kRingBase >> 35) {
    const uint64_t mailbox = (address ^ kRingBase) >> kRingShift;
    if (mailbox >= kMailboxes) return {};
    return {Region::Kind::kRing, static_cast<int32_t>(mailbox), address & ((uint64_t{1} << kRingShift) - 1)};
  }
  const uint64_t rest = address & (kNotifySend - 1);
  const bool send = (address & kNotifySend) != 0;
  if (rest >= uint64_t{8} * (send ? kRdmaChannels : kMaxReceiveWindows)) return {};
  return {send ? Region::Kind::kSendNotification : Region::Kind::kReceiveNotification, static_cast<int32_t>(rest >> 3),
          rest & 7};
}

}  // namespace fabrictwin::nic::exanet::driver
