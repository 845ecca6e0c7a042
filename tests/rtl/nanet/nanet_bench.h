// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole NaNet-10 between models of MACs and memories, beside what its contract says of streams and buffers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "rtl/nanet/device/device.h"
#include "rtl/nanet/device/driver.h"
#include "rtl/nanet/nanet_registers.h"
#include "tests/rtl/nanet/frames.h"

namespace fabrictwin::test {
using rtl::nanet::Device;
using rtl::nanet::Driver;
using rtl::nanet::Event;
using rtl::nanet::kPageBytes;
using rtl::nanet::kPorts;
using rtl::nanet::Result;
using rtl::nanet::StreamSettings;
namespace registers = rtl::nanet::registers;

inline constexpr Mac kPeer = 0x0211'2233'4455;
inline constexpr uint32_t kPeerIp = 0xc0a80a63;
inline constexpr uint64_t kVirtual = 0x7f00'0000'0000;
inline constexpr uint64_t kPhysical = 0x1'0000'0000;
inline constexpr uint64_t kStreamSpace = uint64_t{1} << 24;

/// A stream as its contract has it: which datagrams its buffers hold.
struct StreamModel {
  StreamSettings settings;
  Bytes open;                ///< What the buffer holds.
  std::vector<bool> gaps{};  ///< Which of its bytes are between datagrams: those say nothing.
  int datagrams = 0;
  std::vector<Bytes> buffers{};  ///< Closed ones.
  std::vector<std::vector<bool>> buffer_gaps{};
  std::vector<int> counts{};

  void close() {
    if (datagrams == 0) return;
    buffers.push_back(open);
    buffer_gaps.push_back(gaps);
    gaps.clear();
    counts.push_back(datagrams);
    open.clear();
    datagrams = 0;
  }
  /// A datagram comes. That a buffer has no space for one is known before whether it is damaged.
  void take(const Bytes& payload, bool damaged) {
    const size_t rounded = (payload.size() + 15) / 16 * 16;
    const size_t size = size_t{1} << settings.size_log2;
    if (open.size() + rounded > size) close();
    if (damaged) return;
    open.insert(open.end(), payload.begin(), payload.end());
    gaps.resize(open.size());
    open.resize((open.size() + 15) / 16 * 16);
    gaps.resize(open.size(), true);
    ++datagrams;
    if (open.size() == size) close();
  }
};

class Nanet : public ::testing::Test {
 protected:
  Nanet() {
    for (int port = 0; port < kPorts; ++port) {
      EXPECT_TRUE(driver_.set_station(port, {.mac = mac(port), .ip = ip(port)}));
      EXPECT_TRUE(driver_.enable(port));
      device_.mac(port).set_sink(
          [this, port](const Bytes& frame, int64_t) { sent_.at(static_cast<size_t>(port)).push_back(frame); });
    }
  }
  static Mac mac(int port) { return 0x02aa'bbcc'dd00 + static_cast<Mac>(port); }
  static uint32_t ip(int port) { return 0xc0a80a02 + static_cast<uint32_t>(port); }

  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  Bytes any_bytes(int count) {
    Bytes bytes(static_cast<size_t>(count));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
    return bytes;
  }

  /// Stream `s` takes UDP port 5000 + s into buffers of the CPU, or of the GPU if s is odd.
  void open_stream(int s, int size_log2, int buffers_log2, bool mapped = true, bool widen = false) {
    const StreamSettings settings{.port = static_cast<uint16_t>(5000 + s),
                                  .size_log2 = size_log2,
                                  .buffers_log2 = buffers_log2,
                                  .address = kVirtual + kStreamSpace * static_cast<uint64_t>(s),
                                  .widen = widen};
    ASSERT_TRUE(driver_.set_stream(s, settings));
    models_[s] = {.settings = settings, .open = {}};
    for (uint64_t at = 0; mapped && at < uint64_t{1} << (size_log2 + buffers_log2); at += kPageBytes) {
      device_.map(settings.address + at, {.physical = physical(settings.address + at), .gpu = s % 2 == 1});
    }
  }
  /// Pages lie scattered.
  static uint64_t physical(uint64_t address) {
    const uint64_t page = address / kPageBytes;
    return kPhysical + ((page * 7919) & 0xffff) * kPageBytes + address % kPageBytes;
  }
  static Bytes datagram(int s, const Bytes& payload) {
    return udp_frame({.destination = mac(s / 4),
                      .source = kPeer,
                      .source_ip = kPeerIp,
                      .ip = ip(s / 4),
                      .source_port = 999,
                      .port = static_cast<uint16_t>(5000 + s),
                      .payload = payload});
  }
  void receive(int s, const Bytes& payload, bool damaged = false) {
    device_.mac(s / 4).receive(datagram(s, payload), damaged);
    models_[s].take(payload, damaged);
  }
  /// A datagram of 100 bytes for stream 0 whose checksum is wrong, and of whose frame only so many bytes come.
  void receive_wrong(int bytes) {
    const Bytes payload = any_bytes(100);
    Bytes frame = datagram(0, payload);
    frame[50] ^= 0x10;
    frame.resize(static_cast<size_t>(std::min(bytes, 142)));
    device_.mac(0).receive(frame);
    models_[0].take(payload, true);
  }
  Bytes memory(int s, uint64_t address, size_t bytes) {
    return s % 2 == 1 ? device_.gpu().read(physical(address), bytes) : device_.cpu().read(physical(address), bytes);
  }
  /// Takes the events that there are, and looks at their buffers.
  void take_events() {
    while (const std::optional<Event> event = driver_.poll()) check(*event);
  }
  void check(const Event& event) {
    const int s = event.stream;
    const StreamModel& model = models_[s];
    const auto number = static_cast<size_t>(events_[s]++);
    ASSERT_LT(number, model.buffers.size()) << "stream " << s;
    ASSERT_EQ(event.buffer, number % (size_t{1} << model.settings.buffers_log2));
    ASSERT_EQ(event.bytes, model.buffers[number].size()) << "stream " << s << " event " << number;
    ASSERT_EQ(event.datagrams, model.counts[number]);
    const uint64_t address = model.settings.address + (uint64_t{event.buffer} << model.settings.size_log2);
    Bytes found = memory(s, address, event.bytes);
    for (size_t i = 0; i < found.size(); ++i) {
      if (model.buffer_gaps[number][i]) found[i] = 0;
    }
    ASSERT_EQ(found, model.buffers[number]) << "stream " << s << " event " << number;
    driver_.release(s);
  }
  void run_ns(double ns) {
    for (double end = device_.now_ns() + ns; device_.now_ns() < end && !HasFatalFailure();) {
      device_.run_ns(1000);
      take_events();
    }
  }
  void all_events_came() {
    for (auto& [s, model] : models_) EXPECT_EQ(static_cast<size_t>(events_[s]), model.buffers.size()) << "stream " << s;
  }
  uint32_t count(int port, Result result) { return device_.counter(port, static_cast<int>(result)); }

  std::mt19937 random_{25};
  Device device_{{}};
  Driver driver_{device_};
  std::map<int, StreamModel> models_;
  std::map<int, int> events_;
  std::array<std::vector<Bytes>, kPorts> sent_;
};

}  // namespace fabrictwin::test
