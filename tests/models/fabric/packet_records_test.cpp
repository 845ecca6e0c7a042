// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/packet_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/models/fabric/packet_channel.h"

namespace fabrictwin::fabric {
namespace {

using nic::NicPacket;
using routing::PacketRoute;
using ::testing::HasSubstr;

constexpr int32_t kHosts = 8;
constexpr int32_t kRouters = 4;

/// A packet from host 1 to host 7.
CrossingPacket packet() {
  CrossingPacket packet;
  packet.nic = {.source = 1, .destination = 7, .payload_bytes = 100, .wire_bytes = 124};
  packet.route.source = 1;
  packet.route.destination = 7;
  packet.route.intermediate = PacketRoute::kNone;
  return packet;
}

absl::StatusOr<CrossingPacket> cross(const CrossingPacket& packet) {
  PacketChannel channel;
  const PacketRecords records = packet_records(packet, 1);
  EXPECT_TRUE(channel.send({records.packet, records.message}).ok());
  return take_packet(channel.receiver, kHosts, kRouters);
}

std::string error_of(const CrossingPacket& packet) { return std::string(cross(packet).status().message()); }

TEST(PacketRecordsTest, LastRouterAndHostAreTaken) {
  CrossingPacket detour = packet();
  detour.route.intermediate = kRouters - 1;
  const absl::StatusOr<CrossingPacket> taken = cross(detour);
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(taken->route.intermediate, kRouters - 1);
  EXPECT_EQ(taken->nic, detour.nic);
  EXPECT_TRUE(cross(packet()).ok());
}

TEST(PacketRecordsTest, NumbersThatNothingHasAreRefused) {
  CrossingPacket wrong = packet();
  wrong.nic.destination = kHosts;
  EXPECT_THAT(error_of(wrong), HasSubstr("a packet from host 1 to host 8, and there are 8"));
  wrong = packet();
  wrong.route.intermediate = kRouters;
  EXPECT_THAT(error_of(wrong), HasSubstr("a packet through router 4, and there are 4"));
  wrong.route.intermediate = PacketRoute::kNone - 1;
  EXPECT_THAT(error_of(wrong), HasSubstr("a packet through router"));
  wrong = packet();
  wrong.nic.kind = static_cast<NicPacket::Kind>(static_cast<int>(NicPacket::Kind::kNotice) + 1);
  EXPECT_THAT(error_of(wrong), HasSubstr("a packet of kind 5, which does not exist"));
  wrong = packet();
  wrong.nic.payload_bytes = 125;
  EXPECT_THAT(error_of(wrong), HasSubstr("a packet of 124 bytes with 125 of a message"));
}

}  // namespace
}  // namespace fabrictwin::fabric
