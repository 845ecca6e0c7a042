// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// NaNet-10: measured in RTL.
#include <string>
#include <utility>

#include "cosim/study/reproduction/reproduction.h"
#include "rtl/nanet/device/figures.h"

namespace fabrictwin::study::reproduction {
namespace {

constexpr int kKibibyte = 1024;
constexpr int kQuarter = 256;
constexpr int kSmallest = 16;
constexpr int kPorts = 4;
constexpr int kDatagrams = 200;

PublishedFigure figure(std::string id, std::string what, std::string unit, double paper, bool calibrated = false) {
  PublishedFigure published{
      .id = "nanet." + id, .what = std::move(what), .unit = std::move(unit), .paper = paper, .calibrated = calibrated};
  published.predicted = [key = published.id](const v1::Report&, const Predictions& predictions) {
    return predictions.at(key);
  };
  return published;
}

/// A figure without its machine, and how it is measured.
struct Measurement {
  const char* id;
  double (*measure)();
};

constexpr Measurement kMeasurements[] = {
    {"udp_loop", [] { return rtl::nanet::loop_cycles(kSmallest, rtl::nanet::kTransceiverCycles); }},
    {"latency_cpu_1KB", [] { return rtl::nanet::memory_latency(kKibibyte, false).data / 1000; }},
    {"latency_gpu_1KB", [] { return rtl::nanet::memory_latency(kKibibyte, true).data / 1000; }},
    {"line_1KB", [] { return rtl::nanet::stream(kKibibyte, 1, 1.0, kDatagrams).line_gbps; }},
    {"payload_256B", [] { return rtl::nanet::stream(kQuarter, 1, 1.0, kDatagrams).payload_gbps; }},
    {"latency_load", [] { return rtl::nanet::stream(kKibibyte, kPorts, 0.5, kDatagrams).most_ns / 1e6; }},
    {"write", [] { return rtl::nanet::write_gbytes(); }},
    {"read", [] { return rtl::nanet::read_gbytes(3.0); }},
    {"read_legacy", [] { return rtl::nanet::read_gbytes(1.5); }},
};

absl::StatusOr<Predictions> measure(const std::stop_token& stop) {
  Predictions found;
  for (const Measurement& measurement : kMeasurements) {
    if (stop.stop_requested()) return absl::CancelledError("interrupted");
    found[std::string("nanet.") + measurement.id] = measurement.measure();
  }
  return found;
}

}  // namespace

Reproduction nanet_reproduction() {
  Reproduction machine;
  machine.name = "nanet";
  machine.about = "the network interface NaNet-10, 4 x 10 Gb/s Ethernet, in RTL";
  Run& run = machine.runs.emplace_back();
  run.measure = measure;
  run.figures = {
      figure("udp_loop", "a datagram from UDP sender to UDP receiver, 156.25 MHz", "cycles", 64, true),
      figure("latency_cpu_1KB", "1 KiB from the MAC into the memory of the CPU, published as below", "us", 1),
      figure("latency_gpu_1KB", "1 KiB from the MAC into the memory of the GPU, published as below", "us", 1),
      figure("line_1KB", "rate of one port with buffers of 1 KiB, headers and gaps included", "Gb/s", 10),
      figure("payload_256B", "payload of one port with buffers of 256 B, published as at least", "Gb/s", 4),
      figure("latency_load", "the longest latency with four ports at half their rate, published as below", "ms", 1),
      figure("write", "into the memory of the CPU, four ports", "GB/s", 2.8, true),
      figure("read", "out of the memory of the CPU, four ports", "GB/s", 3.0, true),
      figure("read_legacy", "out of the memory of the GPU, legacy peer-to-peer", "GB/s", 1.5, true),
  };
  return machine;
}

}  // namespace fabrictwin::study::reproduction
