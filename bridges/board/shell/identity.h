// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a board with a shell says of itself, and whether it lives.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "bridges/board/heartbeat.h"
#include "bridges/board/shell/device.h"
#include "cosim/link/link_type.h"

namespace fabrictwin::bridges::board::shell {

/// What reads of a device give that is not on its bus.
inline constexpr uint32_t kAllOnes = ~uint32_t{0};
/// Cycles of the shell's clock from one beat of its heart to the next.
inline constexpr int64_t kCyclesOfHeartbeat = 4096;

/// The field of `width` bits from bit `low` on, as registers have it.
constexpr uint32_t field(uint32_t value, int low, int width) {
  return value >> low & (width == 32 ? ~0u : (1u << width) - 1);
}

/// What a shell's registers say of the board.
struct Identity {
  board::Element element = board::Element::kRouter;
  link::LinkType words;        ///< What its links carry.
  int32_t buffer_credits = 0;  ///< For which the buffer of each VC of a port is; 0 if the shell does not say it.
  int32_t ports = 0;
  uint32_t slots = 0;              ///< The slots of each ring.
  int32_t route_destinations = 0;  ///< In the route table; 0 without one.
  size_t ring_offset = 0;          ///< In the window: the ring to the board, followed by that from it.
  uint32_t clock_hertz = 0;

  /// Bits of a VC in records of credits.
  int vc_bits() const;
};

/// Unavailable if the window reads all ones, as that of a PCIe card does that fell off the bus.
absl::Status check_bus(const Device& device);

/// Reads and checks the identity. Unavailable if the window reads all ones; FailedPrecondition if it is not that of a
/// shell, or of another version, or shorter than it says.
absl::StatusOr<Identity> read_identity(const Device& device);

/// How long a heartbeat may stand: `least`, or three beats of a clock that needs longer for them.
std::chrono::milliseconds heartbeat_patience(const Identity& identity,
                                             std::chrono::milliseconds least = kHeartbeatPatience);

/// Notices that a board has died: its heartbeat stands, or all its registers read ones. Used by one thread; several may
/// have one each.
class Pulse {
 public:
  Pulse(const Device& device, std::chrono::milliseconds patience) : device_(device), heartbeat_(patience) {}

  /// Cheap unless some time has passed since it looked last. Unavailable if the heartbeat has stood for `patience`, or
  /// all registers read ones.
  absl::Status check();

 private:
  using SteadyClock = std::chrono::steady_clock;

  const Device& device_;
  board::Heartbeat heartbeat_;
  SteadyClock::time_point looked_ = SteadyClock::now();
};

}  // namespace fabrictwin::bridges::board::shell
