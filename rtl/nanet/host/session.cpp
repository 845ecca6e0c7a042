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

constexpr std::pair<Result, const char*> kNames[] = {{Result::kUdp, "udp"},
                                                     {Result::kArp, "arp"},
                                                     {Result::kIcmp, "icmp"},
                                                     {Result::kOther, "other"},
                                                     {Result::kRunt, "runt"},
                                                     {Result::kFcs, "fcs"},
                                                     {Result::kEthertype, "ethertype"},
                                                     {Result::kIpHeader, "ip_header"},
                                                     {Result::kIpChecksum, "ip_checksum"},
                                                     {Result::kFragment, "fragment"},
                                                     {Result::kProtocol, "protocol"},
                                                     {Result::kUdpLength, "udp_length"},
                                                     {Result::kUdpChecksum, "udp_checksum"},
                                                     {Result::kTruncated, "truncated"},
                                                     {Result::kArpBad, "arp_bad"},
                                                     {Result::kNoStream, "no_stream"},
                                                     {Result::kOverflow, "overflow"},
                                                     {Result::kTooLarge, "too_large"},
                                                     {Result::kNoBuffer, "no_buffer"},
                                                     {Result::kUnresolved, "unresolved"},
                                                     {Result::kUnsendable, "unsendable"},
                                                     {Result::kEcho, "echo"},
                                                     {Result::kSent, "sent"}};

uint64_t address_of(const SessionOptions& options, const Event& event) {
  return kStreams + kStreamSpace * static_cast<uint64_t>(event.stream) + uint64_t{event.buffer} * options.buffer_bytes;
}

}  // namespace

Session::Session(const SessionOptions& options) : options_(options), device_({}), driver_(device_) {
  device_.mac(0).set_sink([this](const Bytes& frame, int64_t cycle) {
    sent_.push_back({.time_ns = static_cast<double>(cycle) * kMacCycleNs - begin_ns_, .bytes = frame});
    ++report_.frames_out;
  });
  driver_.set_station(0, {.mac = options.mac, .ip = options.ip});
  device_.write(registers::kTimeoutOffset, options.timeout_cycles);
  const int size_log2 = std::countr_zero(options.buffer_bytes);
  for (size_t s = 0; s < options.udp_ports.size(); ++s) {
    const uint64_t address = kStreams + kStreamSpace * s;
    driver_.set_stream(
        static_cast<int>(s),
        {.port = options.udp_ports[s], .size_log2 = size_log2, .buffers_log2 = kBuffersLog2, .address = address});
    for (uint64_t at = 0; at < uint64_t{options.buffer_bytes} << kBuffersLog2; at += kPageBytes) {
      device_.map(address + at, {.physical = address + at - kStreams + kFrames, .gpu = options.gpu});
    }
  }
  driver_.enable(0);
  device_.run_ns(1000);
  begin_ns_ = device_.now_ns();
}

void Session::receive(const Bytes& frame, double time_ns) {
  while (device_.now_ns() < begin_ns_ + time_ns ||
         device_.mac(0).free_cycle() > static_cast<int64_t>(device_.now_ns() / kMacCycleNs)) {
    // Nothing happens for long times between frames of a capture, but time is simulated all the same.
    serve();
    device_.run_ns(std::clamp(begin_ns_ + time_ns - device_.now_ns(), kCycleNs, kStepNs));
  }
  // Captures and TAP devices have frames without what the sender's MAC fills them up with.
  Bytes filled = frame;
  if (filled.size() < kFilledFrame) filled.resize(kFilledFrame);
  device_.mac(0).receive(filled);
  ++report_.frames_in;
  still_busy();
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
  uint64_t address = address_of(options_, event);
  for (uint32_t left = event.bytes; left > 0;) {
    const uint32_t bytes = std::min(left, kMostDatagram);
    while (!driver_.send(0, address, static_cast<int>(bytes), options_.reply_to->ip, options_.reply_to->port,
                         options_.udp_ports.at(static_cast<size_t>(event.stream)))) {
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

void Session::finish() {
  while (busy()) advance();
}

SessionReport Session::report() {
  report_.simulated_ns = device_.now_ns() - begin_ns_;
  report_.tlb_misses = device_.read(registers::kTlbMissesOffset).value_or(0);
  report_.counters.clear();
  for (const auto& [result, name] : kNames)
    report_.counters.emplace_back(name, device_.counter(0, static_cast<int>(result)));
  return report_;
}

}  // namespace fabrictwin::rtl::nanet::host
