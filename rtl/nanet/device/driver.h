// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What software does with a NaNet-10: addresses, streams with their buffers, events, datagrams to send.
#pragma once

#include <cstdint>
#include <optional>

#include "rtl/nanet/device/device.h"
#include "rtl/nanet/interface/results.h"

namespace fabrictwin::rtl::nanet {

struct StationAddress {
  uint64_t mac = 0;  ///< The first byte on the wire in bits 47..40.
  uint32_t ip = 0;   ///< The first byte in bits 31..24.
  uint32_t netmask = 0xffffff00;
  uint32_t gateway = 0;
};

struct StreamSettings {
  uint16_t port = 0;     ///< UDP port.
  int size_log2 = 12;    ///< Bytes of a buffer, 9 to 20.
  int buffers_log2 = 2;  ///< Buffers, 0 to 12.
  uint64_t address = 0;  ///< Virtual address of the first one.
  bool widen = false;
};

/// A buffer that was handed over.
struct Event {
  int stream = 0;  ///< Number within the device: each port has 4.
  uint16_t buffer = 0;
  uint32_t bytes = 0;
  int datagrams = 0;
  bool timed_out = false;
  uint32_t cycle = 0;  ///< When the event was written.
};

/// The driver. Used by one thread.
class Driver {
 public:
  /// The ring of events, of 2^`ring_log2` records, is at the physical address `ring` of the CPU's memory.
  explicit Driver(Device& device, uint64_t ring = 0xff0000, int ring_log2 = 8);

  bool set_station(int port, const StationAddress& address);
  bool enable(int port, bool enabled = true);
  /// False if the device refuses the settings.
  bool set_stream(int stream, const StreamSettings& settings);
  /// The oldest event that was not taken, if there is one in the ring.
  std::optional<Event> poll();
  /// The oldest buffer of a stream may be filled again.
  void release(int stream);
  /// Sends the datagram at a virtual address. False if the device has no space or refuses it.
  bool send(int port, uint64_t address, int bytes, uint32_t ip, uint16_t destination, uint16_t source);

 private:
  Device& device_;
  uint64_t ring_;
  int ring_log2_;
  uint16_t taken_ = 0;
  std::array<uint16_t, 4 * kPorts> released_{};
};

}  // namespace fabrictwin::rtl::nanet
