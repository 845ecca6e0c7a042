// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a port of the model makes of frames, beside a reader of frames that knows nothing of it.
#include "models/nanet/classify.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "models/nanet/frames.h"
#include "models/nanet/spec.h"
#include "tests/rtl/nanet/frames.h"

namespace fabrictwin::nanet {
namespace {

constexpr test::Station kReference{.mac = 0x020000000002, .ip = 0x0a000002, .netmask = 0xffffff00};
constexpr Station kStation{.mac = kReference.mac, .ip = kReference.ip, .netmask = kReference.netmask};
constexpr test::Mac kPeer = 0x020000000001;
constexpr uint32_t kPeerIp = 0x0a000001;

std::string name_of(rtl::nanet::Result result) {
  for (const auto& [one, name] : rtl::nanet::kResultNames) {
    std::string text = name;
    std::replace(text.begin(), text.end(), '_', ' ');
    if (one == result) return text;
  }
  return "none";
}

Bytes any_good_frame() {
  const int kind = *rc::gen::inRange(0, 4);
  const test::Mac to = kind == 3 ? test::kBroadcast : kReference.mac;
  if (kind == 0) return test::arp_frame(test::kBroadcast, *rc::gen::inRange(1, 3), kPeer, kPeerIp, 0, kReference.ip);
  const auto payload = *rc::gen::resize(200, rc::gen::arbitrary<Bytes>());
  if (kind == 1) return test::echo_frame(to, kPeer, kPeerIp, kReference.ip, 8, payload);
  return test::udp_frame({.destination = to,
                          .source = kPeer,
                          .source_ip = kPeerIp,
                          .ip = *rc::gen::element(kReference.ip, 0xffffffffu, 0x0a0000ffu, 0x0a000003u),
                          .source_port = 7,
                          .port = *rc::gen::arbitrary<uint16_t>(),
                          .checked = *rc::gen::arbitrary<bool>(),
                          .payload = payload});
}

/// Some frames with some bytes that are others, or that are too short.
Bytes any_frame() {
  Bytes frame = any_good_frame();
  const int changes = *rc::gen::inRange(0, 3);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<size_t>(0, std::min<size_t>(frame.size(), 60));
    frame[at] = static_cast<uint8_t>(frame[at] ^ 1u << *rc::gen::inRange(0, 8));
  }
  if (*rc::gen::inRange(0, 5) == 0) frame.resize(*rc::gen::inRange<size_t>(1, frame.size() + 1));
  return frame;
}

RC_GTEST_PROP(Classify, IsAsAReaderOfFramesSays, ()) {
  const Bytes frame = any_frame();
  const bool damaged = *rc::gen::inRange(0, 8) == 0;
  const Classified found = classify(frame, damaged, kStation);
  RC_ASSERT(name_of(found.result) == test::verdict_on(kReference, frame, damaged));
}

RC_GTEST_PROP(Classify, FindsThePayload, ()) {
  const auto bytes = *rc::gen::inRange(kLeastPayload, kMostPayload + 1);
  const Bytes payload = generated_payload(*rc::gen::arbitrary<uint64_t>(), *rc::gen::arbitrary<uint64_t>(), bytes);
  const Bytes frame = udp_frame(0, 5001, payload);
  const Classified found = classify(frame, false, kStation);
  RC_ASSERT(found.result == rtl::nanet::Result::kUdp);
  RC_ASSERT(found.datagram);
  RC_ASSERT(found.udp_port == 5001);
  RC_ASSERT(Bytes(found.payload.begin(), found.payload.end()) == payload);
  const auto content = test::read_udp(frame);
  RC_ASSERT(content.has_value());
  RC_ASSERT(content->checked);
  RC_ASSERT(content->payload == payload);
}

TEST(Classify, GivesTheHeadersOfADamagedDatagram) {
  const Bytes frame = udp_frame(0, 5000, generated_payload(1, 2, 100));
  const Classified found = classify(frame, true, kStation);
  EXPECT_EQ(found.result, rtl::nanet::Result::kFcs);
  EXPECT_TRUE(found.datagram);
  EXPECT_EQ(found.payload.size(), 100u);
}

}  // namespace
}  // namespace fabrictwin::nanet
