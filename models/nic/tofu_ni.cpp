// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/tofu_ni.h"

#include <algorithm>

namespace fabrictwin::nic {
namespace {

/// Published values of each generation: one-way latency of an 8-byte Put in its best case, and the additional latency
/// otherwise.
struct Published {
  int32_t tnis;
  int64_t link_bytes_per_second;
  Time best;
  Time memory_descriptor, no_injection, far_cmg;
};

constexpr Published published(TofuNi::Generation generation) {
  switch (generation) {
    case TofuNi::Generation::kTofu:
      // 0.91 us with a direct descriptor, 1.15 us with one in memory. It has no cache injection.
      return {4, 5'000'000'000, Time::from_ns(910), Time::from_ns(240), Time::zero(), Time::zero()};
    case TofuNi::Generation::kTofu2:
      // 0.71 us with cache injection, 0.87 us without. The value for a descriptor in memory is not published; it is
      // that of Tofu.
      return {4, 12'500'000'000, Time::from_ns(710), Time::from_ns(240), Time::from_ns(160), Time::zero()};
    case TofuNi::Generation::kTofuD:
      break;
  }
  // 0.49 us from a near CMG, 0.54 us from a far one. The other two are not published; they are those of earlier
  // generations.
  return {6, 6'800'000'000, Time::from_ns(490), Time::from_ns(240), Time::from_ns(160), Time::from_ns(50)};
}

/// Cool Chips XV (2012): packets are of lines of 8 bytes.
constexpr int32_t kMaxPayload = 1920;
constexpr int32_t kLine = 8;
/// Cool Chips XV (2012): 4 lines of header and one of CRC.
constexpr int32_t kPacketFrame = 40;
/// Tofu Interconnect D: barrier channel and start gate, the part of it that several on a TNI do one after the other,
/// and a relay gate.
constexpr Time kBarrierStart = Time::from_ns(480);
constexpr Time kSerialStart = Time::from_ns(290);
constexpr Time kRelayGate = Time::from_ns(130);

}  // namespace

Time TofuNi::put_latency(const Options& options) {
  const Published figures = published(options.generation);
  Time latency = figures.best;
  if (!options.direct_descriptor) latency += figures.memory_descriptor;
  if (!options.cache_injection) latency += figures.no_injection;
  if (options.far_cmg) latency += figures.far_cmg;
  return latency;
}

Bandwidth TofuNi::link_rate(Generation generation) { return {8 * published(generation).link_bytes_per_second}; }

QueueNic::Costs TofuNi::costs(const Options& options) {
  const Published figures = published(options.generation);
  Costs costs;
  costs.ports = figures.tnis;
  costs.queues = 12;
  costs.max_payload = kMaxPayload;
  costs.header = kMaxPacket - kMaxPayload;
  costs.request = kPacketFrame + kLine;
  costs.ack = kPacketFrame;
  costs.granule = kLine;
  // The published figure includes both network interfaces; equal halves are an assumption that no other figure
  // contradicts.
  const Time both = std::max(figures.best, options.network) - options.network;
  const Time half = Time::from_fs(both.fs() / 2);
  costs.post_direct = half;
  if (options.far_cmg) costs.post_direct += figures.far_cmg;
  costs.post_queued = costs.post_direct + figures.memory_descriptor;
  if (!options.direct_descriptor) costs.post_direct = costs.post_queued;
  costs.receive = both - half;
  // A TNI that serves a read does the work of a Put, without the processor.
  costs.serve = half;
  if (!options.cache_injection) costs.receive += figures.no_injection;
  // A signal is a packet of a line. What of BCH and start gate is serialised where several share a TNI is taken for the
  // request, the rest for the answer.
  costs.barrier = {.tnis = costs.ports,
                   .start = kSerialStart,
                   .end = kBarrierStart - kSerialStart,
                   .relay = kRelayGate,
                   .packet = kPacketFrame + kLine};
  costs.to_cache = options.cache_injection && options.generation != Generation::kTofu;
  return costs;
}

}  // namespace fabrictwin::nic
