// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/router.h"

#include <fmt/format.h>

#include <bit>
#include <string>

#include "cosim/base/clock.h"
#include "cosim/experiment/check/topology.h"
#include "cosim/link/packet.h"

namespace fabrictwin::experiment {
namespace {

constexpr int64_t kMaxHertz = 1'000'000'000'000;
constexpr int32_t kMinBufferWords = 18;
constexpr int32_t kMaxDelay = 64;
constexpr int32_t kMaxSpeedup = 4;
constexpr int32_t kMaxVcs = 32;

constexpr std::string_view kInputQueuedFields[] = {"arbitration", "internal_speedup", "port_buffer"};
/// The fields that INPUT_QUEUED and PACKET share.
constexpr std::string_view kSharedFields[] = {"vcs",           "vc_buffer_flits", "switching",
                                              "routing_delay", "vc_alloc_delay",  "switch_alloc_delay",
                                              "switch_delay",  "credit_delay"};
constexpr int64_t kMinPacketPayload = 64;
// The largest MTU of the networks that PLAIN network interfaces represent is that of Omni-Path.
constexpr int64_t kMaxPacketPayload = 10'240;
constexpr int64_t kMinMtu = 256;
constexpr int64_t kMaxMtu = 4096;
constexpr int32_t kPacketsPerBuffer = 4;

std::string path_of(std::string_view field) { return fmt::format("router.{}", field); }

Frequency check_clock(const v1::Router& router, const std::string& fallback, FieldChecker& fields) {
  const auto clock = fields.quantity<Frequency>("router.clock", router.clock(), fallback, parse_frequency);
  if (clock.has_value() && clock->hertz > 0 && clock->hertz <= kMaxHertz) return *clock;
  if (clock.has_value()) {
    fields.complain("router.clock",
                    fmt::format("router clock {}: a clock must run, at most at 1000 GHz; the default is {}",
                                to_string(*clock), fallback));
  }
  return Frequency{156'250'000};
}

int32_t check_buffer_words(const v1::Router& router, FieldChecker& fields) {
  const int32_t words = router.buffer_words();
  if (words == 0 && !fields.locations().has("router.buffer_words")) return 64;
  if (words < kMinBufferWords || words > kMaxBufferWords) {
    fields.complain("router.buffer_words",
                    fmt::format("buffer_words {}: virtual cut-through needs room for a whole packet; write {} to {}",
                                words, kMinBufferWords, kMaxBufferWords));
  }
  return words;
}

// Adds a diagnostic about a field that only another model (or "A or B") has.
void refuse(std::string_view field, std::string_view owner, std::string_view model, FieldChecker& fields) {
  // The location of a repeated field is that of its first element.
  std::string path = path_of(field);
  if (!fields.locations().has(path)) path += "[0]";
  if (!fields.locations().has(path)) return;
  fields.complain(path, fmt::format("{} is for routers of the model {}, and these are {}; write model: {}, or "
                                    "leave {} out",
                                    field, owner, model, owner, field));
}

void refuse_input_queued_fields(FieldChecker& fields) {
  for (const std::string_view field : kInputQueuedFields) refuse(field, "INPUT_QUEUED", "EXANET", fields);
  for (const std::string_view field : kSharedFields) refuse(field, "INPUT_QUEUED or PACKET", "EXANET", fields);
}

std::vector<PortBufferSpec> check_port_buffers(const v1::Router& router, FieldChecker& fields) {
  std::vector<PortBufferSpec> buffers;
  for (int32_t i = 0; i < router.port_buffer_size(); ++i) {
    const std::string path = fmt::format("router.port_buffer[{}]", i);
    const v1::PortBuffer& written = router.port_buffer(i);
    if (written.ports().empty())
      fields.complain(path, "the port_buffer names no ports; write ports: \"tile\", or a pattern such as \"host*\"");
    if (written.flits() < 1 || written.flits() > kMaxBufferWords) {
      fields.complain(fields.locations().has(path + ".flits") ? path + ".flits" : path,
                      fmt::format("flits {}: write 1 to {}", written.flits(), kMaxBufferWords));
    }
    buffers.push_back({written.ports(), written.flits(), fields.locations().find(path + ".ports")});
  }
  return buffers;
}

void check_delays(const v1::Router& router, InputQueuedSpec& spec, FieldChecker& fields) {
  spec.routing_delay =
      router.has_routing_delay() ? fields.number("router.routing_delay", router.routing_delay(), 1, 0, kMaxDelay) : 1;
  spec.vc_alloc_delay = fields.number("router.vc_alloc_delay", router.vc_alloc_delay(), 1, 1, kMaxDelay);
  spec.switch_alloc_delay = fields.number("router.switch_alloc_delay", router.switch_alloc_delay(), 1, 1, kMaxDelay);
  spec.switch_delay = fields.number("router.switch_delay", router.switch_delay(), 1, 1, kMaxDelay);
  spec.credit_delay = fields.number("router.credit_delay", router.credit_delay(), 0, 0, kMaxDelay);
}

InputQueuedSpec check_input_queued_fields(const v1::Router& router, FieldChecker& fields) {
  InputQueuedSpec spec;
  if (fields.locations().has("router.buffer_words")) {
    fields.complain("router.buffer_words",
                    "buffer_words is for routers of the model EXANET; write vc_buffer_flits for INPUT_QUEUED");
  }
  spec.vcs = fields.number("router.vcs", router.vcs(), 2, 1, kMaxVcs);
  spec.switching = router.switching() == v1::SWITCHING_UNSPECIFIED ? v1::CREDIT_PER_FLIT : router.switching();
  if (!v1::Switching_IsValid(router.switching()))
    fields.complain("router.switching", "unknown switching; write CREDIT_PER_FLIT, WORMHOLE or VIRTUAL_CUT_THROUGH");
  spec.arbitration = router.arbitration() == v1::ARBITRATION_UNSPECIFIED ? v1::ROUND_ROBIN : router.arbitration();
  if (!v1::Arbitration_IsValid(router.arbitration()))
    fields.complain("router.arbitration", "unknown arbitration; write ROUND_ROBIN, AGE or FIXED");
  spec.vc_buffer_flits = fields.number("router.vc_buffer_flits", router.vc_buffer_flits(), 36, 1, kMaxBufferWords);
  check_delays(router, spec, fields);
  spec.internal_speedup = fields.number("router.internal_speedup", router.internal_speedup(), 1, 1, kMaxSpeedup);
  spec.port_buffers = check_port_buffers(router, fields);
  return spec;
}

/// Checks router.packet_payload: RDMA sends packets of an MTU, TOFU has its own packet size.
Bytes check_packet_payload(const v1::Router& router, const NicCapabilities& nic, FieldChecker& fields) {
  static constexpr std::string_view kPath = "router.packet_payload";
  if (nic.packet_bytes > 0 && fields.locations().has(std::string(kPath))) {
    fields.complain(kPath, fmt::format("packet_payload is for network interfaces that are PLAIN or RDMA, and those of "
                                       "{} have packets of their own; leave it out",
                                       v1::Host::Nic_Name(nic.nic)));
  }
  const bool rdma = nic.nic == v1::Host::RDMA;
  const Bytes payload = fields.quantity<Bytes>(kPath, router.packet_payload(), rdma ? "4KiB" : "256B", parse_bytes)
                            .value_or(Bytes{kMaxMtu});
  if (rdma) {
    if (payload.count >= kMinMtu && payload.count <= kMaxMtu &&
        std::has_single_bit(static_cast<uint64_t>(payload.count)))
      return payload;
    fields.complain(kPath, fmt::format("packet_payload {}: it is the MTU of network interfaces that are RDMA; write "
                                       "256B, 512B, 1KiB, 2KiB or 4KiB",
                                       to_string(payload)));
    return Bytes{kMaxMtu};
  }
  if (payload.count >= kMinPacketPayload && payload.count <= kMaxPacketPayload) return payload;
  fields.complain(kPath, fmt::format("packet_payload {}: write {}B to {}KiB", to_string(payload), kMinPacketPayload,
                                     kMaxPacketPayload / 1024));
  return Bytes{kMinPacketPayload};
}

/// The flits of the largest packet of a network interface, rounded up.
int32_t packet_flits(const NicCapabilities& nic, Bytes payload) {
  const int64_t bytes = nic.packet_bytes > 0 ? nic.packet_bytes : payload.count + nic.frame_bytes;
  return static_cast<int32_t>((bytes + link::kWordBytes - 1) / link::kWordBytes);
}

void check_packet_fields(Experiment& experiment, FieldChecker& fields) {
  const v1::Router& router = experiment.message.router();
  refuse("buffer_words", "EXANET", "PACKET", fields);
  for (const std::string_view field : kInputQueuedFields) refuse(field, "INPUT_QUEUED", "PACKET", fields);
  if (router.switching() != v1::SWITCHING_UNSPECIFIED && router.switching() != v1::VIRTUAL_CUT_THROUGH) {
    fields.complain("router.switching",
                    "routers of the model PACKET switch by VIRTUAL_CUT_THROUGH; write that, or leave switching out");
  }
  const NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
  experiment.router.packet_payload = check_packet_payload(router, nic, fields);
  InputQueuedSpec& spec = experiment.router.input_queued;
  spec.switching = v1::VIRTUAL_CUT_THROUGH;
  spec.vcs = fields.number("router.vcs", router.vcs(), 2, 1, kMaxVcs);
  const int32_t packet = packet_flits(nic, experiment.router.packet_payload);
  spec.vc_buffer_flits =
      fields.number("router.vc_buffer_flits", router.vc_buffer_flits(), kPacketsPerBuffer * packet, 1, kMaxBufferWords);
  if (spec.vc_buffer_flits < packet) {
    fields.complain("router.vc_buffer_flits",
                    fmt::format("vc_buffer_flits {}: a packet is forwarded when the next buffer has room for all of "
                                "it, and the largest has {} flits; write at least that",
                                spec.vc_buffer_flits, packet));
  }
  check_delays(router, spec, fields);
  experiment.router.buffer_words = spec.vc_buffer_flits;
}

/// Checks that buffers hold a whole packet of so many flits, because virtual cut-through accepts a packet only if there
/// is space for all of it.
void check_cut_through(const InputQueuedSpec& spec, int32_t packet, FieldChecker& fields) {
  const auto check = [&](std::string_view path, std::string_view name, int32_t flits) {
    if (flits >= packet) return;
    fields.complain(path, fmt::format("{} {}: VIRTUAL_CUT_THROUGH needs room for a whole packet, which has {} flits; "
                                      "write at least that, or switching: WORMHOLE",
                                      name, flits, packet));
  };
  check("router.vc_buffer_flits", "vc_buffer_flits", spec.vc_buffer_flits);
  for (size_t i = 0; i < spec.port_buffers.size(); ++i)
    check(fmt::format("router.port_buffer[{}].flits", i), "flits", spec.port_buffers[i].flits);
}

/// Reads what packets of network interfaces need of input-queued routers. Network interfaces with descriptors hold
/// packets in the buffers of their ports, which takes virtual cut-through.
void check_carried_packets(Experiment& experiment, FieldChecker& fields) {
  const NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
  experiment.router.packet_payload = check_packet_payload(experiment.message.router(), nic, fields);
  InputQueuedSpec& spec = experiment.router.input_queued;
  const int32_t packet = packet_flits(nic, experiment.router.packet_payload);
  if (nic.memory && spec.switching != v1::VIRTUAL_CUT_THROUGH) {
    if (fields.locations().has("router.switching")) {
      fields.complain("router.switching",
                      fmt::format("network interfaces of {} hold whole packets in the buffers of their ports; write "
                                  "VIRTUAL_CUT_THROUGH, or leave switching out",
                                  v1::Host::Nic_Name(nic.nic)));
    }
    spec.switching = v1::VIRTUAL_CUT_THROUGH;
  }
  if (spec.switching != v1::VIRTUAL_CUT_THROUGH) return;
  if (!fields.locations().has("router.vc_buffer_flits"))
    spec.vc_buffer_flits = std::max(spec.vc_buffer_flits, kPacketsPerBuffer * packet);
  check_cut_through(spec, packet, fields);
}

/// Duato's escapes need VCs that belong to one packet, or buffers that take whole packets: else the body of a packet
/// could hold an escape VC while its head waits behind others in another one.
void check_escapes(Experiment& experiment, FieldChecker& fields) {
  InputQueuedSpec& spec = experiment.router.input_queued;
  if (experiment.routing.algorithm != v1::MINIMAL_ADAPTIVE || spec.switching != v1::CREDIT_PER_FLIT) return;
  if (!fields.locations().has("router.switching")) {
    spec.switching = v1::WORMHOLE;
    return;
  }
  fields.complain("router.switching",
                  "CREDIT_PER_FLIT does not keep routing MINIMAL_ADAPTIVE free of deadlock: the body of a packet could "
                  "hold an escape VC while its head waits behind other packets; write WORMHOLE or VIRTUAL_CUT_THROUGH");
}

}  // namespace

void check_router(Experiment& experiment, const Tenants& tenants, FieldChecker& fields) {
  const v1::Router& router = experiment.message.router();
  experiment.router.clock = check_clock(router, default_router_clock(experiment.message.topology(), tenants), fields);
  experiment.router.model = router.model() == v1::ROUTER_MODEL_UNSPECIFIED ? v1::EXANET : router.model();
  if (experiment.router.model == v1::INPUT_QUEUED) {
    experiment.router.input_queued = check_input_queued_fields(router, fields);
    if (!experiment.message.workload().has_traffic()) {
      check_carried_packets(experiment, fields);
    } else if (fields.locations().has("router.packet_payload")) {
      fields.complain("router.packet_payload",
                      "packet_payload is of messages, and packets of traffic have a size of their own; write "
                      "workload { traffic { payload: } }");
    }
    experiment.router.buffer_words = experiment.router.input_queued.vc_buffer_flits;
    return;
  }
  if (experiment.router.model == v1::PACKET) return check_packet_fields(experiment, fields);
  if (!v1::RouterModel_IsValid(router.model()))
    fields.complain("router.model", "unknown model of routers; write EXANET, INPUT_QUEUED or PACKET");
  refuse_input_queued_fields(fields);
  const NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
  if (nic.nic == v1::Host::RDMA) {
    experiment.router.packet_payload = check_packet_payload(router, nic, fields);
  } else {
    refuse("packet_payload", "PACKET", "EXANET", fields);
  }
  experiment.router.buffer_words = check_buffer_words(router, fields);
}

void check_router_model(Experiment& experiment, FieldChecker& fields) {
  const RouterCapabilities& router = experiment.capabilities.of(experiment.router.model);
  if (experiment.topology == v1::Topology::kExanest && !router.nodes) {
    fields.complain(
        "router.model",
        fmt::format("this topology has logic of its own: the nodes of exanest have routers of the model {}, "
                    "joined with their network interfaces, and these are {}; write another topology, such "
                    "as torus {{ ... }}, or leave model out",
                    experiment.capabilities.models_with(&RouterCapabilities::nodes),
                    v1::RouterModel_Name(router.model)));
  }
  if (router.model != v1::INPUT_QUEUED) return;
  check_escapes(experiment, fields);
  const WorkloadTraits& workload = experiment.workload_traits;
  if (workload.bare_packets && experiment.router.input_queued.switching == v1::VIRTUAL_CUT_THROUGH) {
    link::PacketHeader header;
    header.payload_bytes = static_cast<uint16_t>(workload.packet_payload.count);
    check_cut_through(experiment.router.input_queued, header.packet_words(), fields);
  }
}

}  // namespace fabrictwin::experiment
