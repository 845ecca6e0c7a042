// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any frames, and frames with any damage, beside a reader that knows nothing of the offload: each gets the verdict that
// it should, and good datagrams come through whatever is around them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "rapidcheck/gtest.h"
#include "tests/rtl/nanet/frames.h"
#include "tests/rtl/nanet/offload_bench.h"

namespace fabrictwin::test {
namespace {

enum class Kind : int { kUdp, kArp, kEcho, kNothing };

/// A frame of a kind, in which bytes are replaced, and which is cut or filled up.
struct AnyFrame {
  Kind kind = Kind::kUdp;
  Bytes payload;
  std::vector<std::pair<uint16_t, uint8_t>> replaced;  ///< Where, modulo the length, and by what.
  std::optional<uint16_t> length;
  bool damaged = false;
  bool mended = false;  ///< The checksum of its IP header is right afterwards.
};

std::ostream& operator<<(std::ostream& out, const AnyFrame& frame) {
  out << "kind " << static_cast<int>(frame.kind) << ", " << frame.payload.size() << " bytes";
  for (const auto& [at, value] : frame.replaced) out << ", [" << at << "] = " << static_cast<int>(value);
  if (frame.length) out << ", length " << *frame.length;
  return out << (frame.damaged ? ", damaged" : "") << (frame.mended ? ", mended" : "");
}

rc::Gen<AnyFrame> any_frame() {
  // Most of what is looked at is in the headers.
  const auto place = rc::gen::oneOf(rc::gen::inRange<uint16_t>(12, 45), rc::gen::inRange<uint16_t>(0, 1514));
  const auto byte = rc::gen::arbitrary<uint8_t>();
  return rc::gen::build<AnyFrame>(
      rc::gen::set(&AnyFrame::kind, rc::gen::element(Kind::kUdp, Kind::kUdp, Kind::kArp, Kind::kEcho, Kind::kNothing)),
      rc::gen::set(&AnyFrame::payload,
                   rc::gen::mapcat(rc::gen::oneOf(rc::gen::inRange<size_t>(1, 60), rc::gen::inRange<size_t>(1, 1473)),
                                   [byte](size_t bytes) { return rc::gen::container<Bytes>(bytes, byte); })),
      rc::gen::set(&AnyFrame::replaced,
                   rc::gen::mapcat(rc::gen::element<size_t>(0, 0, 1, 1, 2, 4),
                                   [place, byte](size_t count) {
                                     return rc::gen::container<std::vector<std::pair<uint16_t, uint8_t>>>(
                                         count, rc::gen::pair(place, byte));
                                   })),
      rc::gen::set(&AnyFrame::length,
                   rc::gen::oneOf(rc::gen::just(std::optional<uint16_t>()),
                                  rc::gen::map(rc::gen::inRange<uint16_t>(1, 1515),
                                               [](uint16_t length) { return std::optional<uint16_t>(length); }))),
      rc::gen::set(&AnyFrame::damaged, rc::gen::map(rc::gen::inRange(0, 20), [](int i) { return i == 0; })),
      rc::gen::set(&AnyFrame::mended));
}

Bytes bytes_of(const AnyFrame& any) {
  Bytes frame;
  switch (any.kind) {
    case Kind::kUdp:
      frame = udp_frame({.destination = kStation.mac,
                         .source = kPeer,
                         .source_ip = kPeerIp,
                         .ip = kStation.ip,
                         .source_port = 999,
                         .port = 5000,
                         .checked = any.payload.size() % 4 != 0,
                         .payload = any.payload});
      break;
    case Kind::kArp:
      frame = arp_frame(kStation.mac, 1, kPeer, kPeerIp, 0, kStation.ip);
      break;
    case Kind::kEcho:
      frame = echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any.payload);
      break;
    default:
      frame = any.payload;
  }
  if (any.length) frame.resize(*any.length);
  for (const auto& [at, value] : any.replaced) frame[at % frame.size()] = value;
  if (any.mended && frame.size() >= 34) {
    set_field(frame, 24, 2, 0);
    set_field(frame, 24, 2, static_cast<uint16_t>(~internet_sum(frame, 14, 34)));
  }
  return frame;
}

RC_GTEST_FIXTURE_PROP(NanetOffload, GivesAnyFramesTheirVerdict, ()) {
  const auto frames = *rc::gen::container<std::vector<AnyFrame>>(40, any_frame());
  const unsigned busy = *rc::gen::inRange(10u, 100u);
  std::vector<std::string> expected;
  std::vector<Bytes> good;
  for (const AnyFrame& any : frames) {
    const Bytes frame = bytes_of(any);
    expected.push_back(verdict_on(kStation, frame, any.damaged));
    if (const std::optional<UdpFrame> content = read_udp(frame); expected.back() == "udp" && content) {
      if (!content->payload.empty()) good.push_back(content->payload);
    }
    receive(frame, any.damaged);
  }
  // A good one at the end: nothing before it holds it up.
  const Bytes last = udp_frame({.destination = kStation.mac,
                                .source = kPeer,
                                .source_ip = kPeerIp,
                                .ip = kStation.ip,
                                .source_port = 999,
                                .port = 5001,
                                .payload = Bytes(48, 7)});
  expected.emplace_back("udp");
  good.emplace_back(48, 7);
  receive(last);
  finish(busy);
  RC_ASSERT(!HasFatalFailure());
  RC_ASSERT(results_ == expected);
  std::vector<Bytes> found;
  for (const Received& received : in_) {
    if (received.good) found.push_back(received.payload);
  }
  RC_ASSERT(found == good);
}

}  // namespace
}  // namespace fabrictwin::test
