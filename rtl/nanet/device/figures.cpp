// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/nanet/device/figures.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <optional>

#include "rtl/nanet/device/device.h"
#include "rtl/nanet/device/driver.h"
#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::rtl::nanet {
namespace {

constexpr uint64_t kVirtual = uint64_t{1} << 40;
constexpr uint64_t kPhysical = uint64_t{1} << 32;
constexpr uint64_t kSpace = uint64_t{1} << 24;
constexpr int kHeaders = 42;
constexpr int kLineOverhead = 24;  ///< Preamble, frame check sequence, gap.
constexpr uint16_t kPort = 5000;
constexpr int kLargest = 1408;

uint64_t mac_of(int port) { return 0x02000000'0a00 + static_cast<uint64_t>(port); }
uint32_t ip_of(int port) { return 0x0a000001 + static_cast<uint32_t>(port); }

void append(Bytes& frame, int bytes, uint64_t value) {
  for (int i = bytes - 1; i >= 0; --i) frame.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

uint16_t checksum(const Bytes& frame, size_t from, size_t to) {
  uint32_t sum = 0;
  for (size_t i = from; i < to; i += 2) sum += uint32_t{frame[i]} << 8 | frame[i + 1];
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

/// A datagram for stream 0 of a port, without a checksum of its payload.
Bytes datagram(int port, int bytes) {
  Bytes frame;
  append(frame, 6, mac_of(port));
  append(frame, 6, mac_of(9));
  append(frame, 4, 0x08004500);
  append(frame, 2, static_cast<uint64_t>(bytes) + 28);
  append(frame, 8, 0x0000'0000'4011'0000);
  append(frame, 4, ip_of(9));
  append(frame, 4, ip_of(port));
  const uint16_t sum = checksum(frame, 14, 34);
  frame[24] = static_cast<uint8_t>(sum >> 8);
  frame[25] = static_cast<uint8_t>(sum);
  append(frame, 2, kPort);
  append(frame, 2, kPort);
  append(frame, 2, static_cast<uint64_t>(bytes) + 8);
  append(frame, 2, 0);
  frame.resize(std::max<size_t>(60, frame.size() + static_cast<size_t>(bytes)));
  return frame;
}

Bytes arp_answer(int port) {
  Bytes frame;
  append(frame, 6, mac_of(port));
  append(frame, 6, mac_of(9));
  append(frame, 2, 0x0806);
  append(frame, 8, 0x0001'0800'0604'0002);
  append(frame, 6, mac_of(9));
  append(frame, 4, ip_of(9));
  append(frame, 6, mac_of(port));
  append(frame, 4, ip_of(port));
  frame.resize(60);
  return frame;
}

/// A device with addresses, and memory for stream 0 of each port.
struct Bench {
  explicit Bench(const Device::Options& options = {}) : device(options), driver(device) {
    for (int port = 0; port < kPorts; ++port) {
      driver.set_station(port, {.mac = mac_of(port), .ip = ip_of(port)});
      driver.enable(port);
    }
  }

  /// Buffers of the least size that holds a datagram, each filled by one: stream 0 of a port is number 4 * port.
  void open(int port, int bytes, bool gpu) {
    size_log2 = 9;
    while (1 << size_log2 < bytes) ++size_log2;
    const uint64_t address = kVirtual + kSpace * static_cast<uint64_t>(port);
    driver.set_stream(4 * port, {.port = kPort, .size_log2 = size_log2, .buffers_log2 = 5, .address = address});
    for (uint64_t at = 0; at < uint64_t{1} << (size_log2 + 5); at += kPageBytes) {
      device.map(address + at, {.physical = kPhysical + address - kVirtual + at, .gpu = gpu});
    }
    // The TLB learns the pages.
    device.mac(port).receive(datagram(port, bytes));
  }
  /// After a first datagram everything is as it stays.
  void settle() {
    device.write(registers::kTimeoutOffset, 1);
    device.run_ns(60000);
    while (const std::optional<Event> event = driver.poll()) driver.release(event->stream);
  }

  Device device;
  Driver driver;
  int size_log2 = 0;
};

}  // namespace

double loop_cycles(int bytes, int64_t line_cycles) {
  Bench bench;
  Device& device = bench.device;
  // Port 0 knows where port 1 is.
  device.mac(0).connect(device.mac(1), line_cycles);
  device.mac(1).connect(device.mac(0), line_cycles);
  device.write(registers::kGeneratorIpOffset, ip_of(1));
  device.write(registers::kGeneratorPortsOffset, kPort);
  device.write(registers::kGeneratorShapeOffset,
               4000u << registers::kGeneratorShapeIntervalLow | static_cast<uint32_t>(bytes));
  device.write(registers::kGeneratorCountOffset, 20);
  device.write(registers::kGeneratorPortsOffset + registers::kStride, kPort);
  // The first datagram waits for ARP, so a first round is thrown away. The meter of port 1 sees datagrams while its own
  // generator, which has no receiver, is on.
  double mean_ns = 0;
  for (int round = 0; round < 2; ++round) {
    device.write(registers::kPortOffset, 1);
    device.write(registers::kPortOffset + registers::kStride, 1);
    device.run_ns(1000);
    device.write(registers::kGeneratorCountOffset + registers::kStride, 1);
    device.write(registers::kPortOffset + registers::kStride, 3);
    device.write(registers::kPortOffset, 3);
    device.run_ns(22 * 4000 * kCycleNs);
    const double sum = device.read(registers::kMeterSumLowOffset + registers::kStride).value_or(0);
    const double count = device.read(registers::kMeterCountOffset + registers::kStride).value_or(0);
    mean_ns = sum / count * kCycleNs;
  }
  return mean_ns / kMacCycleNs;
}

MemoryLatency memory_latency(int bytes, bool gpu) {
  Bench bench;
  bench.open(0, bytes, gpu);
  bench.settle();
  const double begin = static_cast<double>(bench.device.mac(0).receive(datagram(0, bytes))) * kMacCycleNs;
  MemoryModel& memory = gpu ? bench.device.gpu() : bench.device.cpu();
  const uint64_t before = memory.bytes_written();
  MemoryLatency latency;
  while (latency.event == 0) {
    bench.device.step();
    if (latency.data == 0 && memory.bytes_written() >= before + static_cast<uint64_t>(bytes))
      latency.data = memory.last_write_ns() - begin;
    if (latency.data != 0 && bench.device.interrupt()) latency.event = bench.device.now_ns() - begin;
  }
  return latency;
}

Stream stream(int bytes, int ports, double load, int datagrams) {
  Bench bench;
  for (int port = 0; port < ports; ++port) bench.open(port, bytes, port % 2 == 1);
  bench.settle();
  Device& device = bench.device;
  const int line = std::max(60, bytes + kHeaders) + kLineOverhead;
  const double interval = line / 8.0 / load;
  std::array<std::deque<double>, kPorts> begun;
  const auto start = static_cast<int64_t>(device.now_ns() / kMacCycleNs) + 10;
  Stream result;
  result.least_ns = std::numeric_limits<double>::infinity();
  for (int port = 0; port < ports; ++port) {
    const Bytes frame = datagram(port, bytes);
    // Ports begin a little apart, as those of different senders do.
    for (int i = 0; i < datagrams; ++i) {
      const auto cycle = start + static_cast<int64_t>(interval * (i + port / 4.0));
      begun.at(static_cast<size_t>(port))
          .push_back(static_cast<double>(device.mac(port).receive(frame, false, cycle)) * kMacCycleNs);
    }
  }
  const double begin = static_cast<double>(start) * kMacCycleNs;
  const double end = begin + interval * datagrams * kMacCycleNs + 20000;
  double last = begin;
  double sum = 0;
  while (device.now_ns() < end) {
    const std::optional<Event> event = bench.driver.poll();
    if (!event) continue;
    bench.driver.release(event->stream);
    std::deque<double>& waiting = begun.at(static_cast<size_t>(event->stream / 4));
    const double at = device.time_of_ns(event->cycle);
    last = std::max(last, at);
    const double took = at - waiting.front();
    waiting.pop_front();
    result.least_ns = std::min(result.least_ns, took);
    result.most_ns = std::max(result.most_ns, took);
    sum += took;
    ++result.datagrams;
  }
  result.lost = int64_t{datagrams} * ports - result.datagrams;
  result.mean_ns = sum / static_cast<double>(result.datagrams);
  result.payload_gbps = static_cast<double>(result.datagrams) * bytes * 8 / (last - begin);
  result.line_gbps = static_cast<double>(result.datagrams) * line * 8 / (last - begin);
  return result;
}

double write_gbytes() {
  Bench bench;
  for (int port = 0; port < kPorts; ++port) bench.open(port, kLargest, false);
  bench.settle();
  Device& device = bench.device;
  for (int port = 0; port < kPorts; ++port) {
    for (int i = 0; i < 60; ++i) device.mac(port).receive(datagram(port, kLargest));
  }
  // In the middle, when the queues are full.
  const auto serve = [&](double ns) {
    for (const double end = device.now_ns() + ns; device.now_ns() < end;) {
      while (const std::optional<Event> event = bench.driver.poll()) bench.driver.release(event->stream);
    }
  };
  serve(10000);
  const uint64_t before = device.cpu().bytes_written();
  const double begin = device.now_ns();
  serve(40000);
  return static_cast<double>(device.cpu().bytes_written() - before) / (device.now_ns() - begin);
}

double read_gbytes(double memory_gbytes) {
  Device::Options options;
  options.cpu.read_gbps = memory_gbytes;
  Bench bench(options);
  Device& device = bench.device;
  for (int port = 0; port < kPorts; ++port) device.mac(port).receive(arp_answer(port));
  device.map(kVirtual, {.physical = kPhysical});
  device.run_ns(2000);
  int sent = 0;
  const auto serve = [&](double ns) {
    for (const double end = device.now_ns() + ns; device.now_ns() < end;) {
      if (bench.driver.send(sent % kPorts, kVirtual + 16 * static_cast<uint64_t>(sent % 100), kLargest, ip_of(9), kPort,
                            kPort))
        ++sent;
    }
  };
  serve(20000);
  const uint64_t before = device.cpu().bytes_read();
  const double begin = device.now_ns();
  serve(60000);
  return static_cast<double>(device.cpu().bytes_read() - before) / (device.now_ns() - begin);
}

}  // namespace fabrictwin::rtl::nanet
