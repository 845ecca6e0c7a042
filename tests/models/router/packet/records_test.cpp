// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/records.h"

#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

RC_GTEST_PROP(PacketRecords, APacketKeepsAllThatItSays, ()) {
  nic::NicPacket packet;
  packet.source = *rc::gen::arbitrary<int32_t>();
  packet.destination = *rc::gen::arbitrary<int32_t>();
  packet.message = *rc::gen::arbitrary<uint32_t>();
  packet.message_bytes = *rc::gen::arbitrary<uint32_t>();
  packet.offset = *rc::gen::arbitrary<uint32_t>();
  packet.payload_bytes = *rc::gen::arbitrary<uint16_t>();
  packet.wire_bytes = *rc::gen::arbitrary<uint16_t>();
  packet.user = *rc::gen::arbitrary<uint64_t>();
  packet.kind =
      *rc::gen::element(nic::NicPacket::Kind::kData, nic::NicPacket::Kind::kReadRequest, nic::NicPacket::Kind::kAck);
  packet.flags = *rc::gen::arbitrary<uint8_t>();
  packet.source_port = *rc::gen::arbitrary<uint8_t>();
  packet.destination_port = *rc::gen::arbitrary<uint8_t>();
  const auto random = *rc::gen::arbitrary<uint32_t>();
  router::packet::PacketRecord record(packet, random);
  RC_ASSERT(record.nic() == packet);
  RC_ASSERT(record.route() ==
            (routing::PacketRoute{packet.source, packet.destination, routing::PacketRoute::kNone, random, 0}));
  const routing::PacketRoute route{packet.source, packet.destination, *rc::gen::arbitrary<int32_t>(),
                                   *rc::gen::arbitrary<uint32_t>(), *rc::gen::arbitrary<uint16_t>()};
  record.set_route(route);
  RC_ASSERT(record.route() == route);
  RC_ASSERT(record.nic() == packet);
}

}  // namespace
}  // namespace fabrictwin
