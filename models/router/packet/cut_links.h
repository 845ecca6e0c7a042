// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The links of a packet network that lead to another partition, as channels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "cosim/run/cut_port.h"
#include "models/fabric/foreign_messages.h"
#include "models/router/packet/network.h"
#include "models/router/packet/outbox.h"
#include "models/router/packet/tables.h"

namespace fabrictwin::router::packet {

/// Turns what a shard has for the routers of other partitions into records, and their records into what the shard
/// takes. Such routers are together one shard of the tables, with the number kRemote, whose records of the tables
/// nobody uses. A packet is the records kPacket and kMessage of docs/bridge-protocol.md; the stamp is when its head has
/// arrived (at a switch that stores packets: all of it), and the pipeline of the router comes after that. A credit is
/// the record kReturned; the delay of credits comes after its stamp. Not thread-safe.
class CutLinks {
 public:
  static constexpr uint8_t kRemote = 1;

  /// `ports` are all cut links of the partition. What it points to, and the arguments but `ports`, must outlive it.
  CutLinks(const NetworkConfig& config, const Tables& tables, std::vector<run::CutPort> ports, Network& network,
           fabric::ForeignMessages& messages);

  /// Gives the network the records that arrive before `until`; it has not gone beyond the first of them. DataLoss, with
  /// channel and time, for records that no such network sends.
  absl::Status receive(Time until);
  /// Sends what the network has for other partitions.
  void send();

 private:
  static absl::Status broken(const link::ChannelReceiver& receiver, std::string_view what);
  absl::Status receive_packet(link::ChannelReceiver& receiver, uint32_t vc);
  void send_packet(const PacketRecord& packet);

  const Tables& tables_;
  Network& network_;
  fabric::ForeignMessages& messages_;
  int64_t pipeline_;
  int64_t credit_delay_;
  std::vector<run::CutPort> ports_;
  std::vector<uint32_t> numbers_;  ///< By cut port: its number in the tables.
  std::vector<int32_t> cut_at_;    ///< By port of the tables: the cut port, or -1.
  Outbox inbox_;
};

}  // namespace fabrictwin::router::packet
