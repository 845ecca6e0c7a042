// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts transfers through the registers of an RDMA unit (docs/models/exanet-rdma.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "models/nic/exanet/cca_throttle.h"
#include "models/nic/exanet/driver/register_port.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet::driver {

/// A transfer is complete for its initiator when its notification is written. The unit's channel is free a little
/// later, so its state is read then, and the next transfer of the channel waits for that. A transfer that does not
/// complete is checked after a long time, and again when twice the time has passed, to find out why. Not thread-safe.
class RegisterRdma {
 public:
  /// `port` outlives it.
  explicit RegisterRdma(RegisterPort& port) : port_(port), channels_(kNiRdmaChannels) {}

  /// Assigns pages 0 to `pages` - 1 to `pdid`.
  void configure(int32_t pages, uint16_t pdid);
  /// Writes the register and the table of the reaction to congestion, if it is enabled.
  void configure(const CcaSettings& congestion);
  /// Sets the delay of the firmware in cycles, unless it is zero, as after reset.
  void configure_firmware(int32_t cycles);
  /// Switches the translation cache on.
  void configure_translations();
  /// Implements Port::start_transfer().
  void start(int32_t channel, const Transfer& transfer);
  /// Memory has been written, possibly a notification.
  void memory_written(uint64_t address, std::span<const std::byte> bytes, const std::array<uint64_t, 4>& strobes);

  /// Notices of congestion that the unit has sent, as of the last notification in memory; zero without configure().
  uint64_t notices() const { return notices_; }

 private:
  struct Channel {
    bool busy = false;       ///< The unit is not known to have finished the last transfer.
    bool asking = false;     ///< A read of the state is in progress.
    bool finishing = false;  ///< The notification has arrived, or another transfer waits.
    Transfer transfer;
    std::optional<Transfer> next;
    uint64_t number = 0;  ///< Number of the transfer, for its watchdog.
    Time started;
  };

  void write_descriptor(int32_t channel, const Transfer& transfer);
  void watch(int32_t channel, uint64_t number, Time delay);
  void ask(int32_t channel);
  void take_state(int32_t channel, uint64_t state);
  void count_notices();
  void write_register(uint32_t address, const link::Word& value);

  RegisterPort& port_;
  std::vector<Channel> channels_;
  std::vector<int32_t> running_;  ///< Channels whose own notification is outstanding, in order of start.
  uint16_t pdid_ = 0;
  bool congested_ = false;    ///< There is congestion management.
  bool counting_ = false;     ///< A read of the counter is in progress.
  bool count_again_ = false;  ///< And another one is due.
  uint64_t notices_ = 0;
};

}  // namespace fabrictwin::nic::exanet::driver
