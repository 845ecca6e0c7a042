// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/router_fields.h"

#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "cosim/link/record.h"

namespace fabrictwin::fabric {
namespace {

constexpr int32_t kMaxDelay = 64;
constexpr int64_t kMinPacketPayload = 64;
// The largest MTU of the networks that PLAIN network interfaces represent is that of Omni-Path.
constexpr int64_t kMaxPacketPayload = 10'240;
constexpr int64_t kMinMtu = 256;
constexpr int64_t kMaxMtu = 4096;

}  // namespace

Time PipelineSpec::latency(const Clock& clock) const {
  // The last cycle of the switch is the first on the link.
  return clock.edge(routing_delay + vc_alloc_delay + switch_alloc_delay + switch_delay - 1);
}

PipelineSpec check_pipeline(const experiment::MessageReader& reader) {
  return {.routing_delay = reader.number("routing_delay", 0, kMaxDelay),
          .vc_alloc_delay = reader.number("vc_alloc_delay", 1, kMaxDelay),
          .switch_alloc_delay = reader.number("switch_alloc_delay", 1, kMaxDelay),
          .switch_delay = reader.number("switch_delay", 1, kMaxDelay),
          .credit_delay = reader.number("credit_delay", 0, kMaxDelay)};
}

Bytes check_packet_payload(const experiment::Experiment& experiment, const experiment::MessageReader& reader) {
  const experiment::NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
  static constexpr std::string_view kField = "packet_payload";
  if (nic.packet_bytes > 0 && reader.has(kField)) {
    const auto decided_here = [](const experiment::NicCapabilities& other) { return other.packet_bytes == 0; };
    reader.complain(kField, fmt::format("packet_payload is for network interfaces that are {}, and those of "
                                        "{} have packets of their own; leave it out",
                                        experiment.capabilities.nics_with(decided_here), v1::Host::Nic_Name(nic.nic)));
  }
  const Bytes payload = reader.quantity<Bytes>(kField, parse_bytes, nic.mtu ? "4KiB" : "");
  if (nic.mtu) {
    if (payload.count >= kMinMtu && payload.count <= kMaxMtu &&
        std::has_single_bit(static_cast<uint64_t>(payload.count)))
      return payload;
    reader.complain(kField, fmt::format("packet_payload {}: it is the MTU of network interfaces that are {}; write "
                                        "256B, 512B, 1KiB, 2KiB or 4KiB",
                                        to_string(payload), v1::Host::Nic_Name(nic.nic)));
    return Bytes{kMaxMtu};
  }
  if (payload.count >= kMinPacketPayload && payload.count <= kMaxPacketPayload) return payload;
  reader.complain(kField, fmt::format("packet_payload {}: write {}B to {}KiB", to_string(payload), kMinPacketPayload,
                                      kMaxPacketPayload / 1024));
  return Bytes{kMinPacketPayload};
}

int32_t packet_flits(const experiment::NicCapabilities& nic, Bytes payload) {
  const int64_t bytes = nic.packet_bytes > 0 ? nic.packet_bytes : payload.count + nic.frame_bytes;
  return static_cast<int32_t>((bytes + link::kWordBytes - 1) / link::kWordBytes);
}

}  // namespace fabrictwin::fabric
