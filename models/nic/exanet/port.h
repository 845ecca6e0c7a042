// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNet network interface as its driver sees it, whether a model or RTL behind a host port.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace fabrictwin::nic::exanet {

/// Node number as in packets, 22 bits; see docs/models/exanet-node.md.
using Node = uint32_t;

inline constexpr int kNiMessageBytes = 64;   ///< Largest message of the packetizer.
inline constexpr int kNiInterfaces = 64;     ///< Virtual interfaces of packetizer and mailbox.
inline constexpr int kNiChannels = 256;      ///< Channels of the packetizer: 4 * interface + channel.
inline constexpr int kNiRdmaChannels = 512;  ///< RDMA write channels: 32 * page + channel.

/// How a message ended at its sender.
enum class MessageState : uint8_t { kAcked = 2, kNacked = 3, kTimedOut = 4 };

/// A message as read from the mailbox.
struct Message {
  Node source = 0;
  int32_t interface = 0;  ///< Interface of the mailbox.
  int32_t channel = 0;    ///< Channel of the sender's packetizer.
  uint32_t sequence = 0;  ///< Sequence number in that channel, 24 bits.
  int32_t bytes = 0;
  std::array<std::byte, kNiMessageBytes> payload{};
};

/// Eight bytes that are written when a transfer is complete.
struct Notification {
  uint64_t address = 0;  ///< A multiple of 8.
  uint64_t data = 0;
};

/// An RDMA write. `local` and `remote` are equal modulo 16.
struct Transfer {
  Node node = 0;
  uint64_t remote = 0;  ///< 39 bits.
  uint64_t local = 0;
  uint64_t bytes = 0;  ///< 1 to 2^32 - 1.
  std::optional<Notification> at_destination;
  std::optional<Notification> at_source;
};

/// Calls of the network interface to its host, all from the SystemC kernel. Only functions that say so may call the
/// Port before they return.
class Client {
 public:
  virtual ~Client() = default;
  /// A message has been taken from the mailbox. May call the Port.
  virtual void message_arrived(const Message& message) = 0;
  /// Reports how the message on this channel ended; the channel is free again. May call the Port.
  virtual void message_done(int32_t channel, MessageState state) = 0;
  /// The network interface reads or writes memory; `address` may be that of a notification. An access stays within a
  /// block of 256 bytes. Bit i of `strobes` says that byte i is written.
  virtual void read_memory(uint64_t address, std::span<std::byte> bytes) = 0;
  virtual void write_memory(uint64_t address, std::span<const std::byte> bytes,
                            const std::array<uint64_t, 4>& strobes) = 0;
  /// Reports a failure that ends the run ("RDMA channel 3: page fault").
  virtual void ni_failed(const std::string& what) = 0;
};

/// The network interface. Used from the SystemC kernel.
class Port {
 public:
  virtual ~Port() = default;
  /// Sends up to kNiMessageBytes through `channel` of the packetizer, which must be free (never used, or message_done()
  /// was called), to mailbox `interface` of `node`.
  virtual void send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) = 0;
  /// Starts a transfer on an idle write channel; it is complete when its notifications have been written.
  virtual void start_transfer(int32_t channel, const Transfer& transfer) = 0;
};

}  // namespace fabrictwin::nic::exanet
