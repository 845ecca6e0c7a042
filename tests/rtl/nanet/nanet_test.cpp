// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole NaNet-10 between models of MACs and memories, beside what its contract says of streams, buffers and events.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "rtl/nanet/nanet_registers.h"
#include "tests/rtl/nanet/frames.h"
#include "tests/rtl/nanet/nanet_bench.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

/// The devices begin with random values.
const RandomDevices kRandomDevices;

TEST_F(Nanet, SaysWhatItIs) {
  EXPECT_EQ(device_.read(registers::kIdentificationOffset), registers::kIdentificationReset);
  EXPECT_EQ(device_.read(registers::kShapeOffset), 0x0404u);
  EXPECT_EQ(device_.read(registers::kNetmaskOffset + 4), 0xffffff00u);
}

TEST_F(Nanet, RefusesWhatMakesNoSense) {
  EXPECT_FALSE(device_.read(0x400));
  EXPECT_FALSE(device_.write(registers::kIdentificationOffset, 1));
  EXPECT_FALSE(device_.write(registers::kRingOffset, 0));
  EXPECT_FALSE(device_.write(registers::kArpTimeoutOffset, 0));
  EXPECT_FALSE(device_.write(registers::kSendOffset, 0));
  EXPECT_FALSE(device_.write(registers::kSendOffset, 1473));
  EXPECT_FALSE(device_.write(registers::kGeneratorShapeOffset, 15));
  EXPECT_FALSE(driver_.set_stream(0, {.size_log2 = 8}));
  EXPECT_FALSE(driver_.set_stream(0, {.size_log2 = 21}));
  EXPECT_FALSE(driver_.set_stream(0, {.buffers_log2 = 13}));
  EXPECT_FALSE(device_.write(registers::kPortOffset + 4 * kPorts, 1));
  EXPECT_EQ(device_.read(registers::kStreamOffset), registers::kStreamReset);
}

TEST_F(Nanet, FillsBuffersInBothMemories) {
  for (const int s : {0, 1, 6, 11, 12}) open_stream(s, 9 + draw(4), 4 + draw(2));
  // The host takes its time to tell where the first pages are.
  for (const int s : {0, 1, 6, 11, 12}) receive(s, any_bytes(20));
  run_ns(30000);
  for (int i = 0; i < 1500; ++i) {
    const std::array streams{0, 1, 6, 11, 12};
    receive(streams.at(static_cast<size_t>(draw(5))), any_bytes(1 + draw(i % 5 == 0 ? 500 : 100)));
    if (i % 4 == 0) run_ns(1000);
  }
  run_ns(300000);
  all_events_came();
  EXPECT_GT(events_[6], 20);
  for (int port = 0; port < kPorts; ++port) {
    EXPECT_EQ(count(port, Result::kNoBuffer), 0u);
    EXPECT_EQ(count(port, Result::kOverflow), 0u);
  }
}

TEST_F(Nanet, ClosesBuffersAfterAWhile) {
  ASSERT_TRUE(device_.write(registers::kTimeoutOffset, 2000));
  open_stream(0, 12, 2);
  open_stream(3, 12, 2);
  receive(0, any_bytes(100));
  receive(0, any_bytes(50));
  receive(3, any_bytes(70));
  models_[0].close();
  models_[3].close();
  run_ns(9000);
  EXPECT_EQ(events_[0], 0) << "too early";
  run_ns(20000);
  all_events_came();
}

TEST_F(Nanet, OverwritesWhatIsDamaged) {
  open_stream(0, 9, 2);
  for (int i = 0; i < 60; ++i) {
    receive(0, any_bytes(1 + draw(200)), i % 3 == 0);
    if (i % 5 == 0) receive_wrong(60 + draw(120));
    if (i % 7 == 0) receive_wrong(60 + draw(60));
    run_ns(2000);
  }
  run_ns(20000);
  all_events_came();
  EXPECT_GT(events_[0], 5);
  EXPECT_EQ(count(0, Result::kFcs), 20u);
  EXPECT_EQ(count(0, Result::kUdp), 40u);
}

TEST_F(Nanet, DropsAndCountsWhatHasNoPlace) {
  open_stream(0, 9, 1);
  device_.mac(0).receive(datagram(1, any_bytes(20)));
  device_.mac(0).receive(datagram(0, any_bytes(513)));
  for (int i = 0; i < 5; ++i) device_.mac(0).receive(datagram(0, any_bytes(512)));
  device_.run_ns(20000);
  EXPECT_EQ(count(0, Result::kNoStream), 1u);
  EXPECT_EQ(count(0, Result::kTooLarge), 1u);
  EXPECT_EQ(count(0, Result::kNoBuffer), 3u);
  // Released buffers are filled again.
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(driver_.poll());
  EXPECT_FALSE(driver_.poll());
  driver_.release(0);
  device_.mac(0).receive(datagram(0, any_bytes(512)));
  device_.run_ns(20000);
  const std::optional<Event> event = driver_.poll();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->buffer, 0);
}

TEST_F(Nanet, WidensWords) {
  open_stream(0, 9, 0, true, true);
  device_.mac(0).receive(datagram(0, any_bytes(200)));
  Bytes payload = any_bytes(203);
  device_.mac(0).receive(datagram(0, payload));
  ASSERT_TRUE(device_.write(registers::kTimeoutOffset, 100));
  device_.run_ns(20000);
  const std::optional<Event> event = driver_.poll();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->bytes, 400u);
  EXPECT_FALSE(driver_.poll());
  driver_.release(0);
  device_.mac(0).receive(datagram(0, payload));
  device_.run_ns(20000);
  ASSERT_TRUE(driver_.poll());
  Bytes wide;
  payload.resize(204);
  for (size_t i = 0; i < payload.size(); i += 2) wide.insert(wide.end(), {payload[i], payload[i + 1], 0, 0});
  EXPECT_EQ(memory(0, kVirtual, wide.size()), wide);
}

TEST_F(Nanet, AsksTheHostForPages) {
  // 256 pages for 128 entries.
  open_stream(0, 16, 8);
  ASSERT_TRUE(device_.write(registers::kTimeoutOffset, 1));
  for (int i = 0; i < 300; ++i) {
    receive(0, any_bytes(257 + draw(100)));
    models_[0].close();
    run_ns(4000);
  }
  run_ns(20000);
  all_events_came();
  EXPECT_EQ(events_[0], 300);
  EXPECT_GE(device_.read(registers::kTlbMissesOffset).value_or(0), 300u);
  EXPECT_GE(device_.read(registers::kTlbHitsOffset).value_or(0), 300u);
  EXPECT_EQ(device_.read(registers::kTlbFailuresOffset), 0u);
}

TEST_F(Nanet, GoesOnWithoutThePage) {
  open_stream(0, 9, 2, false);
  open_stream(1, 9, 2);
  device_.mac(0).receive(datagram(0, any_bytes(512)));
  device_.mac(0).receive(datagram(1, any_bytes(512)));
  device_.run_ns(30000);
  EXPECT_EQ(device_.read(registers::kTlbFailuresOffset), 2u);
  EXPECT_EQ(device_.read(registers::kPacketsSkippedOffset), 2u);
  EXPECT_EQ(device_.cpu().bytes_written(), 32u) << "both events only";
  // Nobody answers: the device does not wait for ever.
  device_.ignore_misses(true);
  ASSERT_TRUE(device_.write(registers::kControlOffset, 1));
  ASSERT_TRUE(device_.write(registers::kControlOffset, 0));
  ASSERT_TRUE(device_.write(registers::kTlbTimeoutOffset, 500));
  receive(1, any_bytes(512));
  device_.run_ns(20000);
  EXPECT_EQ(device_.read(registers::kTlbFailuresOffset), 4u);
}

TEST_F(Nanet, SendsFromBothMemories) {
  for (int port = 0; port < kPorts; ++port)
    device_.mac(port).receive(arp_frame(mac(port), 2, kPeer, kPeerIp, mac(port), ip(port)));
  std::array<std::vector<Bytes>, kPorts> expected;
  for (uint64_t page = 0; page < 4; ++page)
    device_.map(kVirtual + page * kPageBytes,
                {.physical = physical(kVirtual + page * kPageBytes), .gpu = page % 2 == 1});
  for (int i = 0; i < 100; ++i) {
    const int port = draw(kPorts);
    const int bytes = i < 20 ? i + 1 : 1 + draw(1472);
    uint64_t address = kVirtual + 16 * static_cast<uint64_t>(draw(16000));
    // Some go over the end of a page.
    if (i % 5 == 0) address = kVirtual + kPageBytes - 16 * static_cast<uint64_t>(1 + draw(30));
    Bytes payload = any_bytes(bytes);
    for (int at = 0; at < bytes; ++at) {
      const uint64_t to = address + static_cast<uint64_t>(at);
      const bool gpu = (to - kVirtual) / kPageBytes % 2 == 1;
      (gpu ? device_.gpu() : device_.cpu()).write(physical(to), {payload[static_cast<size_t>(at)]});
    }
    while (!driver_.send(port, address, bytes, kPeerIp, 77, 78)) device_.run_ns(100);
    expected.at(static_cast<size_t>(port)).push_back(payload);
    device_.run_ns(4000);
  }
  device_.run_ns(100000);
  for (size_t port = 0; port < kPorts; ++port) {
    ASSERT_EQ(sent_.at(port).size(), expected.at(port).size());
    for (size_t i = 0; i < expected.at(port).size(); ++i) {
      const std::optional<UdpFrame> frame = read_udp(sent_.at(port)[i]);
      ASSERT_TRUE(frame);
      ASSERT_EQ(frame->payload, expected.at(port)[i]);
      EXPECT_EQ(frame->destination, kPeer);
      EXPECT_EQ(frame->port, 77);
      EXPECT_EQ(frame->source_port, 78);
      EXPECT_EQ(frame->ip, kPeerIp);
    }
    EXPECT_EQ(device_.mac(static_cast<int>(port)).underruns(), 0);
  }
}

TEST_F(Nanet, DoesNotSendWhatItCannotRead) {
  device_.mac(0).receive(arp_frame(mac(0), 2, kPeer, kPeerIp, mac(0), ip(0)));
  EXPECT_TRUE(driver_.send(0, kVirtual + kPageBytes - 256, 1000, kPeerIp, 1, 1));
  device_.map(kVirtual, {.physical = kPhysical});
  device_.run_ns(30000);
  device_.cpu().fail(true);
  EXPECT_TRUE(driver_.send(0, kVirtual, 1000, kPeerIp, 1, 1));
  device_.run_ns(30000);
  device_.cpu().fail(false);
  EXPECT_TRUE(driver_.send(0, kVirtual, 1000, kPeerIp, 1, 1));
  device_.run_ns(30000);
  EXPECT_EQ(sent_[0].size(), 1u);
  EXPECT_EQ(count(0, Result::kUnsendable), 2u);
  EXPECT_EQ(count(0, Result::kSent), 1u);
}

// One word of many that could not be read is enough, wherever it is.
TEST_F(Nanet, DoesNotSendWhatItCouldReadInPart) {
  device_.mac(0).receive(arp_frame(mac(0), 2, kPeer, kPeerIp, mac(0), ip(0)));
  device_.map(kVirtual, {.physical = kPhysical});
  device_.map(kVirtual + kPageBytes, {.physical = kPhysical, .gpu = true});
  device_.cpu().fail(true);
  EXPECT_TRUE(driver_.send(0, kVirtual + kPageBytes - 256, 1000, kPeerIp, 1, 1));
  device_.run_ns(30000);
  EXPECT_EQ(count(0, Result::kUnsendable), 1u);
  // The next one is not to blame.
  EXPECT_TRUE(driver_.send(0, kVirtual + kPageBytes, 1000, kPeerIp, 1, 1));
  device_.run_ns(30000);
  EXPECT_EQ(count(0, Result::kSent), 1u);
  EXPECT_EQ(sent_[0].size(), 1u);
}

// Between two frames the line takes no words for a while.
TEST_F(Nanet, SendsFramesBackToBack) {
  device_.mac(0).receive(arp_frame(mac(0), 2, kPeer, kPeerIp, mac(0), ip(0)));
  device_.map(kVirtual, {.physical = kPhysical});
  std::vector<Bytes> payloads;
  for (uint64_t i = 0; i < 12; ++i) {
    payloads.push_back(any_bytes(64));
    device_.cpu().write(kPhysical + 64 * i, payloads.back());
  }
  for (uint64_t i = 0; i < payloads.size(); ++i) {
    while (!driver_.send(0, kVirtual + 64 * i, 64, kPeerIp, 1, 1)) device_.run_ns(100);
  }
  device_.run_ns(30000);
  ASSERT_EQ(sent_[0].size(), payloads.size());
  for (size_t i = 0; i < payloads.size(); ++i) {
    const std::optional<UdpFrame> frame = read_udp(sent_[0][i]);
    ASSERT_TRUE(frame) << i;
    EXPECT_EQ(frame->payload, payloads[i]) << i;
  }
}

// A late answer of the host is of a page that nobody waits for any more.
TEST_F(Nanet, TakesAnswersOnlyForThePageThatIsMissing) {
  open_stream(0, 9, 2);
  device_.ignore_misses(true);
  receive(0, any_bytes(512));
  device_.run_ns(20000);
  const uint64_t other = models_[0].settings.address / kPageBytes + 1;
  const auto page = static_cast<uint32_t>(other & 0xffff) << registers::kRefillPageLow;
  ASSERT_TRUE(device_.write(registers::kRefillOffset, page));
  device_.run_ns(20000);
  EXPECT_EQ(device_.read(registers::kTlbFailuresOffset), 0u) << "it still waits for its own page";
  device_.ignore_misses(false);
  run_ns(50000);
  all_events_came();
}

// What a burst does not fill of its last word stays as it was.
TEST_F(Nanet, WritesNothingBeyondADatagram) {
  open_stream(0, 9, 2);
  ASSERT_TRUE(device_.write(registers::kTimeoutOffset, 100));
  const Bytes before(64, 0xee);
  device_.cpu().write(physical(kVirtual), before);
  const Bytes payload = any_bytes(21);
  device_.mac(0).receive(datagram(0, payload));
  device_.run_ns(20000);
  ASSERT_TRUE(driver_.poll());
  Bytes expected = before;
  std::copy(payload.begin(), payload.end(), expected.begin());
  EXPECT_EQ(memory(0, kVirtual, before.size()), expected);
}

// An event that came before its buffer is in memory would show old bytes to who reads it at once.
TEST(NanetEvents, ComeAfterWhatTheyTellOf) {
  for (const bool gpu : {false, true}) {
    constexpr double kSlowNs = 5000;
    Device device({.cpu = {.write_ns = gpu ? 100 : kSlowNs}, .gpu = {.write_ns = kSlowNs}});
    Driver driver(device);
    ASSERT_TRUE(driver.set_station(0, {.mac = 0x02aa'bbcc'dd00, .ip = 0xc0a80a02}));
    ASSERT_TRUE(driver.enable(0));
    ASSERT_TRUE(driver.set_stream(0, {.port = 5000, .size_log2 = 9, .buffers_log2 = 2, .address = kVirtual}));
    device.map(kVirtual, {.physical = kPhysical, .gpu = gpu});
    device.mac(0).receive(udp_frame({.destination = 0x02aa'bbcc'dd00,
                                     .source = kPeer,
                                     .source_ip = kPeerIp,
                                     .ip = 0xc0a80a02,
                                     .source_port = 999,
                                     .port = 5000,
                                     .payload = Bytes(512, 0xa5)}));
    const auto wait_for = [&](const rtl::nanet::MemoryModel& memory, uint64_t bytes) {
      for (int i = 0; i < 2000 && memory.bytes_written() < bytes; ++i) device.run_ns(20);
      EXPECT_GE(memory.bytes_written(), bytes);
      return device.now_ns();
    };
    const double written = wait_for(gpu ? device.gpu() : device.cpu(), 512);
    const double told = wait_for(device.cpu(), gpu ? 16 : 528);
    EXPECT_GE(told - written, kSlowNs - 20) << "memory of the " << (gpu ? "GPU" : "CPU");
  }
}

TEST_F(Nanet, CountsErrorsOfTheBus) {
  open_stream(1, 9, 2);
  device_.gpu().fail(true);
  receive(1, any_bytes(512));
  run_ns(20000);
  EXPECT_EQ(device_.read(registers::kBusErrorsOffset), 2u);
  all_events_came();
}

/// Bytes of a datagram, of which two fill a buffer.
class NanetOverload : public Nanet, public ::testing::WithParamInterface<int> {};

TEST_P(NanetOverload, KeepsWhatItTakesUnderMoreLoadThanTheMemoryTakes) {
  const int bytes = GetParam();
  for (const int s : {0, 4, 8, 12}) open_stream(s, 11, 6);
  std::map<int, std::vector<Bytes>> offered;
  for (int i = 0; i < 400; ++i) {
    for (const int s : {0, 4, 8, 12}) {
      Bytes payload = any_bytes(bytes);
      payload[0] = static_cast<uint8_t>(i);
      payload[1] = static_cast<uint8_t>(i >> 8);
      offered[s].push_back(payload);
      device_.mac(s / 4).receive(datagram(s, payload));
    }
  }
  std::map<int, int> taken;
  for (int i = 0; i < 400; ++i) {
    device_.run_ns(1000);
    while (const std::optional<Event> event = driver_.poll()) {
      const uint64_t address = models_[event->stream].settings.address + uint64_t{event->buffer} * 2048;
      for (uint64_t d = 0; d < 2; ++d) {
        const Bytes payload = memory(event->stream, address + 1024 * d, static_cast<size_t>(bytes));
        const size_t number = payload[0] | size_t{payload[1]} << 8;
        ASSERT_LT(number, offered[event->stream].size());
        ASSERT_EQ(payload, offered[event->stream][number]);
        ++taken[event->stream];
      }
      driver_.release(event->stream);
    }
  }
  uint32_t lost = 0;
  for (int port = 0; port < kPorts; ++port) {
    const uint32_t overflow = count(port, Result::kOverflow);
    EXPECT_EQ(count(port, Result::kUdp), 400u);
    EXPECT_EQ(static_cast<uint32_t>(taken[4 * port]) / 2, (400 - overflow - count(port, Result::kNoBuffer)) / 2);
    lost += overflow;
  }
  EXPECT_GT(lost, 0u);
}

// The last word of a datagram is full, or has one byte less.
INSTANTIATE_TEST_SUITE_P(Some, NanetOverload, ::testing::Values(1024, 1023));

TEST_F(Nanet, SurvivesAnyFrames) {
  open_stream(0, 9, 2);
  for (int i = 0; i < 500; ++i) {
    Bytes frame = i % 2 == 0 ? any_bytes(1 + draw(300)) : datagram(0, any_bytes(1 + draw(300)));
    for (int j = draw(4); j > 0; --j)
      frame[static_cast<size_t>(draw(static_cast<int>(frame.size())))] = static_cast<uint8_t>(random_());
    if (draw(2) == 0 && frame.size() > 6) set_field(frame, 0, 6, mac(0));
    device_.mac(0).receive(frame, draw(4) == 0);
    if (i % 10 != 0) continue;
    device_.run_ns(1000);
    while (driver_.poll()) driver_.release(0);
  }
  device_.run_ns(100000);
  while (driver_.poll()) driver_.release(0);
  // It is as before: turned off and on, the stream begins anew.
  ASSERT_TRUE(device_.write(registers::kStreamOffset, registers::kStreamReset));
  device_.run_ns(1000);
  while (driver_.poll()) driver_.release(0);
  events_.clear();
  models_.clear();
  open_stream(0, 9, 2);
  for (int i = 0; i < 20; ++i) receive(0, any_bytes(512));
  run_ns(30000);
  all_events_came();
  EXPECT_EQ(events_[0], 20);
}

TEST_F(Nanet, GeneratorAndMeterSeeEachDatagram) {
  device_.mac(0).connect(device_.mac(1), 20);
  device_.mac(1).connect(device_.mac(0), 20);
  for (const int port : {0, 1}) {
    const uint32_t at = registers::kStride * static_cast<uint32_t>(port);
    ASSERT_TRUE(device_.write(registers::kGeneratorIpOffset + at, ip(1 - port)));
    ASSERT_TRUE(device_.write(registers::kGeneratorPortsOffset + at, 0x4321'7777));
    ASSERT_TRUE(
        device_.write(registers::kGeneratorShapeOffset + at, 300 << registers::kGeneratorShapeIntervalLow | 100));
    ASSERT_TRUE(device_.write(registers::kGeneratorCountOffset + at, 50));
  }
  for (const int port : {0, 1})
    ASSERT_TRUE(device_.write(registers::kPortOffset + registers::kStride * static_cast<uint32_t>(port), 3));
  device_.run_ns(200000);
  for (const uint32_t port : {0u, 4u}) {
    EXPECT_EQ(device_.read(registers::kMeterCountOffset + port), 50u);
    EXPECT_EQ(device_.read(registers::kMeterMissingOffset + port), 0u);
    const uint32_t least = device_.read(registers::kMeterLeastOffset + port).value_or(0);
    EXPECT_GT(least, 20u);
    EXPECT_LT(least, 200u);
    EXPECT_GE(device_.read(registers::kMeterMostOffset + port).value_or(0), least);
  }
  EXPECT_EQ(count(0, Result::kNoStream), 50u);
  ASSERT_FALSE(sent_[0].empty());
  const std::optional<UdpFrame> frame = read_udp(sent_[0].back());
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->port, 0x7777);
  EXPECT_EQ(frame->source_port, 0x4321);
}

}  // namespace
}  // namespace fabrictwin::test
