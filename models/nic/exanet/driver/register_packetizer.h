// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends messages through the registers of a packetizer (docs/models/exanet-ni.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "models/nic/exanet/driver/register_port.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet::driver {

/// Reads a channel's state to learn the result of a message: first when the doorbell's response has arrived, then each
/// time after an eighth of the time that has passed, so that completion is noticed at most an eighth and an access
/// late, and a message that waits for long costs few accesses. Not thread-safe.
class RegisterPacketizer {
 public:
  /// `port` and `client` outlive the packetizer.
  RegisterPacketizer(RegisterPort& port, Client& client) : port_(port), client_(client), channels_(kNiChannels) {}

  /// Lets interfaces 0 to `interfaces` - 1 send as `pdid`.
  void configure(int32_t interfaces, uint16_t pdid);
  /// Implements Port::send_message().
  void send(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload);

 private:
  struct Channel {
    bool busy = false;
    bool addressed = false;
    uint64_t destination = 0;  ///< Value of the register, if addressed.
    Time sent;
  };

  void poll(int32_t channel);
  void take_state(int32_t channel, uint32_t response, uint64_t state);
  void check(int32_t channel, const char* what, uint32_t response);

  RegisterPort& port_;
  Client& client_;
  std::vector<Channel> channels_;
};

}  // namespace fabrictwin::nic::exanet::driver
