// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/nanet/host/session.h"

#include <algorithm>
#include <bit>

#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::rtl::nanet::host {
namespace {

constexpr uint64_t kStreams = uint64_t{1} << 40;
constexpr uint64_t kFrames = uint64_t{1} << 32;
constexpr uint64_t kStreamSpace = uint64_t{1} << 28;
constexpr int kBuffersLog2 = 4;
constexpr double kStepNs = 2000;
/// After the last frame: three ARP requests, 1 ms apart, and what they wait for.
constexpr double kArpNs = 4e6;
constexpr double kQuietNs = 50000;
constexpr uint32_t kMostDatagram = 1472;
constexpr size_t kFilledFrame = 60;

uint64_t address_of(const SessionOptions& options, const Event& event) {
  return kStreams + kStreamSpace * static_cast<uint64_t>(event.stream) + uint64_t{event.buffer} * options.buffer_bytes;
}

}  // namespace

Session::Session(const SessionOptions& options) : options_(options), device_({}), driver_(device_) {
  device_.write(registers::kTimeoutOffset, options.timeout_cycles);
  for (const int port : options.ports) set_up(port);
  device_.run_ns(1000);
  begin_ns_ = device_.now_ns();
}

void Session::set_up(int port) {
  report_.ports.push_back({.port = port});
  device_.mac(port).set_sink([this, port](const Bytes& frame, int64_t cycle) {
    sent_.push_back({.time_ns = static_cast<double>(cycle) * kMacCycleNs - begin_ns_, .bytes = frame, .port = port});
    ++report_.frames_out;
    ++report_of(port).frames_out;
  });
  driver_.set_station(port, {.mac = options_.mac + (static_cast<uint64_t>(port) << 8),
                             .ip = options_.ip + (static_cast<uint32_t>(port) << 8)});
  const int size_log2 = std::countr_zero(options_.buffer_bytes);
  for (size_t s = 0; s < options_.udp_ports.size(); ++s) {
    const int stream = kPortStreams * port + static_cast<int>(s);
    const uint64_t address = kStreams + kStreamSpace * static_cast<uint64_t>(stream);
    driver_.set_stream(
        stream,
        {.port = options_.udp_ports[s], .size_log2 = size_log2, .buffers_log2 = kBuffersLog2, .address = address});
    for (uint64_t at = 0; at < uint64_t{options_.buffer_bytes} << kBuffersLog2; at += kPageBytes) {
      device_.map(address + at, {.physical = address + at - kStreams + kFrames, .gpu = options_.gpu});
    }
  }
  driver_.enable(port);
}

SessionReport::Port& Session::report_of(int port) {
  return *std::ranges::find(report_.ports, port, &SessionReport::Port::port);
}

bool Session::receive(const Bytes& frame, double time_ns, int port, const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  while (device_.now_ns() < begin_ns_ + time_ns ||
         device_.mac(port).free_cycle() > static_cast<int64_t>(device_.now_ns() / kMacCycleNs)) {
    // Nothing happens for long times between frames of a capture, but time is simulated all the same.
    if (stop.stop_requested()) return false;
    serve();
    device_.run_ns(std::clamp(begin_ns_ + time_ns - device_.now_ns(), kCycleNs, kStepNs));
  }
  // Captures and TAP devices have frames without what the sender's MAC fills them up with.
  Bytes filled = frame;
  if (filled.size() < kFilledFrame) filled.resize(kFilledFrame);
  device_.mac(port).receive(filled);
  ++report_.frames_in;
  ++report_of(port).frames_in;
  still_busy();
  return true;
}

void Session::still_busy() {
  const double quiet = options_.reply_to ? kArpNs : kQuietNs + 3 * kCycleNs * options_.timeout_cycles;
  busy_until_ns_ = std::max(busy_until_ns_, device_.now_ns() + quiet);
}

void Session::serve() {
  while (const std::optional<Event> event = driver_.poll()) {
    const uint64_t physical = address_of(options_, *event) - kStreams + kFrames;
    const Bytes bytes =
        options_.gpu ? device_.gpu().read(physical, event->bytes) : device_.cpu().read(physical, event->bytes);
    data_.append(bytes.begin(), bytes.end());
    ++report_.buffers;
    report_.bytes += event->bytes;
    if (options_.reply_to) reply(*event);
    driver_.release(event->stream);
  }
}

void Session::reply(const Event& event) {
  const int port = event.stream / kPortStreams;
  const uint32_t ip = options_.reply_to->ip + (static_cast<uint32_t>(port) << 8);
  const uint16_t udp_port = options_.udp_ports.at(static_cast<size_t>(event.stream % kPortStreams));
  uint64_t address = address_of(options_, event);
  for (uint32_t left = event.bytes; left > 0;) {
    const uint32_t bytes = std::min(left, kMostDatagram);
    while (!driver_.send(port, address, static_cast<int>(bytes), ip, options_.reply_to->port, udp_port)) {
      device_.run_ns(kStepNs);
    }
    address += bytes;
    left -= bytes;
  }
  still_busy();
}

void Session::advance() {
  device_.run_ns(kStepNs);
  serve();
}

bool Session::finish(const std::stop_token& stop) {
  while (busy()) {
    if (stop.stop_requested()) return false;
    advance();
  }
  return true;
}

SessionReport Session::report() {
  report_.simulated_ns = device_.now_ns() - begin_ns_;
  report_.tlb_misses = device_.read(registers::kTlbMissesOffset).value_or(0);
  report_.counters.clear();
  for (SessionReport::Port& port : report_.ports) port.counters.clear();
  for (const auto& [result, name] : kResultNames) {
    uint32_t all = 0;
    for (SessionReport::Port& port : report_.ports) {
      const uint32_t count = device_.counter(port.port, static_cast<int>(result));
      port.counters.emplace_back(name, count);
      all += count;
    }
    report_.counters.emplace_back(name, all);
  }
  return report_;
}

}  // namespace fabrictwin::rtl::nanet::host
