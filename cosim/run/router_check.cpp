// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/router_check.h"

#include <fmt/format.h>

#include <string>

#include "cosim/base/clock.h"
#include "cosim/link/packet.h"

namespace fabrictwin {
namespace {

constexpr int64_t kMaxHertz = 1'000'000'000'000;
constexpr int32_t kMinBufferWords = 18;
constexpr int32_t kMaxBufferWords = 4096;
constexpr int32_t kMaxDelay = 64;
constexpr int32_t kMaxSpeedup = 4;
constexpr int32_t kMaxVcs = 32;
constexpr int32_t kMaxInputVcs = 64;
constexpr int64_t kMaxLatencyCycles = 1024;

constexpr std::string_view kInputQueuedFields[] = {
    "vcs",           "vc_buffer_flits", "switching",          "arbitration",
    "routing_delay", "vc_alloc_delay",  "switch_alloc_delay", "switch_delay",
    "credit_delay",  "internal_speedup"};
constexpr int64_t kMinPacketPayload = 64;
constexpr int64_t kMaxPacketPayload = 4096;
constexpr int32_t kPacketsPerBuffer = 4;

std::string path_of(std::string_view field) { return fmt::format("router.{}", field); }

Frequency check_clock(const v1::Router& router, FieldChecker& fields) {
  const auto clock = fields.quantity<Frequency>("router.clock", router.clock(), "156.25MHz", parse_frequency);
  if (clock.has_value() && clock->hertz > 0 && clock->hertz <= kMaxHertz) return *clock;
  if (clock.has_value()) {
    fields.complain("router.clock",
                    fmt::format("router clock {}: a clock must run, at most at 1000 GHz; the default is 156.25MHz",
                                to_string(*clock)));
  }
  return Frequency{156'250'000};
}

int32_t check_buffer_words(const v1::Router& router, FieldChecker& fields) {
  const int32_t words = router.buffer_words();
  if (words == 0 && !fields.places().has("router.buffer_words")) return 64;
  if (words < kMinBufferWords || words > kMaxBufferWords) {
    fields.complain("router.buffer_words",
                    fmt::format("buffer_words {}: virtual cut-through needs room for a whole packet; write {} to {}",
                                words, kMinBufferWords, kMaxBufferWords));
  }
  return words;
}

// Complains about a field that another model has.
void refuse(std::string_view field, std::string_view owner, std::string_view model, FieldChecker& fields) {
  if (!fields.places().has(path_of(field))) return;
  fields.complain(path_of(field),
                  fmt::format("{} is for routers of the model {}, and these are {}; write model: {}, or "
                              "leave {} out",
                              field, owner, model, owner, field));
}

void refuse_input_queued_fields(FieldChecker& fields) {
  refuse("packet_payload", "PACKET", "EXANET", fields);
  for (const std::string_view field : kInputQueuedFields) {
    if (fields.places().has(path_of(field))) {
      fields.complain(path_of(field), fmt::format("{} is for routers of the model INPUT_QUEUED, and these are EXANET; "
                                                  "write model: INPUT_QUEUED, or leave {} out",
                                                  field, field));
    }
  }
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
  if (fields.places().has("router.buffer_words")) {
    fields.complain("router.buffer_words",
                    "buffer_words is for routers of the model EXANET; write vc_buffer_flits for INPUT_QUEUED");
  }
  spec.vcs = fields.number("router.vcs", router.vcs(), 2, 2, kMaxVcs);
  if (spec.vcs % 2 != 0) {
    fields.complain("router.vcs", fmt::format("vcs {}: one half of them is for packets that go over the dateline of a "
                                              "ring and the other for the rest; write an even number",
                                              spec.vcs));
    spec.vcs = 2;
  }
  spec.switching = router.switching() == v1::SWITCHING_UNSPECIFIED ? v1::CREDIT_PER_FLIT : router.switching();
  if (!v1::Switching_IsValid(router.switching()))
    fields.complain("router.switching", "unknown switching; write CREDIT_PER_FLIT or VIRTUAL_CUT_THROUGH");
  spec.arbitration = router.arbitration() == v1::ARBITRATION_UNSPECIFIED ? v1::ROUND_ROBIN : router.arbitration();
  if (!v1::Arbitration_IsValid(router.arbitration()))
    fields.complain("router.arbitration", "unknown arbitration; write ROUND_ROBIN, AGE or FIXED");
  spec.vc_buffer_flits = fields.number("router.vc_buffer_flits", router.vc_buffer_flits(), 36, 1, kMaxBufferWords);
  check_delays(router, spec, fields);
  spec.internal_speedup = fields.number("router.internal_speedup", router.internal_speedup(), 1, 1, kMaxSpeedup);
  return spec;
}

Bytes check_packet_payload(const v1::Router& router, FieldChecker& fields) {
  static constexpr std::string_view kPath = "router.packet_payload";
  const Bytes payload =
      fields.quantity<Bytes>(kPath, router.packet_payload(), "256B", parse_bytes).value_or(Bytes{kMinPacketPayload});
  if (payload.count >= kMinPacketPayload && payload.count <= kMaxPacketPayload) return payload;
  fields.complain(kPath, fmt::format("packet_payload {}: write {}B to {}B", to_string(payload), kMinPacketPayload,
                                     kMaxPacketPayload));
  return Bytes{kMinPacketPayload};
}

void check_packet_fields(Experiment& experiment, FieldChecker& fields) {
  const v1::Router& router = experiment.message.router();
  refuse("buffer_words", "EXANET", "PACKET", fields);
  refuse("arbitration", "INPUT_QUEUED", "PACKET", fields);
  refuse("internal_speedup", "INPUT_QUEUED", "PACKET", fields);
  if (router.switching() == v1::CREDIT_PER_FLIT || !v1::Switching_IsValid(router.switching())) {
    fields.complain("router.switching",
                    "routers of the model PACKET switch by VIRTUAL_CUT_THROUGH; write that, or leave switching out");
  }
  experiment.router.packet_payload = check_packet_payload(router, fields);
  InputQueuedSpec& spec = experiment.router.input_queued;
  spec.switching = v1::VIRTUAL_CUT_THROUGH;
  spec.vcs = fields.number("router.vcs", router.vcs(), 2, 1, kMaxVcs);
  const auto packet = static_cast<int32_t>(2 + (experiment.router.packet_payload.count + kWordBytes - 1) / kWordBytes);
  spec.vc_buffer_flits =
      fields.number("router.vc_buffer_flits", router.vc_buffer_flits(), kPacketsPerBuffer * packet, 1, kMaxBufferWords);
  if (spec.vc_buffer_flits < packet) {
    fields.complain("router.vc_buffer_flits",
                    fmt::format("vc_buffer_flits {}: a packet is forwarded when the next buffer has room for all of "
                                "it, and with packet_payload {} it has {} flits; write at least that",
                                spec.vc_buffer_flits, to_string(experiment.router.packet_payload), packet));
  }
  check_delays(router, spec, fields);
  experiment.router.buffer_words = spec.vc_buffer_flits;
}

// A torus of input-queued routers: one flit a cycle on every link, and arrivals at cycles.
void check_torus_links(const Experiment& experiment, FieldChecker& fields) {
  for (const std::string_view rate : {"link_rate", "tile_rate"}) {
    const std::string path = fmt::format("topology.torus.{}", rate);
    if (fields.places().has(path)) {
      fields.complain(path,
                      fmt::format("links of routers of the model INPUT_QUEUED carry one flit of {} bytes a cycle; "
                                  "leave {} out and set router.clock",
                                  kWordBytes, rate));
    }
  }
  const Clock clock(experiment.router.clock);
  const auto check_latency = [&](std::string_view name, Time latency) {
    const int64_t cycles = clock.edge_at_or_after(latency);
    const std::string path = fmt::format("topology.torus.{}", name);
    if (cycles > kMaxLatencyCycles) {
      fields.complain(
          fields.places().has(path + "_cycles") ? path + "_cycles" : path,
          fmt::format("{} {}: with routers of the model INPUT_QUEUED it is at most {} router cycles, and this "
                      "is {}; make it shorter or router.clock slower",
                      name, to_string(latency), kMaxLatencyCycles, cycles));
    }
  };
  check_latency("link_latency", experiment.torus.link_latency);
  check_latency("tile_latency", experiment.torus.tile_latency);
  const auto ports = static_cast<int32_t>(1 + 2 * experiment.torus.dims.size());
  const int32_t vcs = experiment.router.input_queued.vcs;
  if (ports * vcs > kMaxInputVcs) {
    fields.complain(
        "router.vcs",
        fmt::format("vcs {}: routers of {} ports would have {} of them in all, and {} is the most; write {}", vcs,
                    ports, ports * vcs, kMaxInputVcs, kMaxInputVcs / ports / 2 * 2));
  }
}

}  // namespace

void check_router(Experiment& experiment, FieldChecker& fields) {
  const v1::Router& router = experiment.message.router();
  experiment.router.clock = check_clock(router, fields);
  experiment.router.model = router.model() == v1::ROUTER_MODEL_UNSPECIFIED ? v1::EXANET : router.model();
  if (experiment.router.model == v1::INPUT_QUEUED) {
    experiment.router.input_queued = check_input_queued_fields(router, fields);
    experiment.router.buffer_words = experiment.router.input_queued.vc_buffer_flits;
    refuse("packet_payload", "PACKET", "INPUT_QUEUED", fields);
    return;
  }
  if (experiment.router.model == v1::PACKET) return check_packet_fields(experiment, fields);
  if (!v1::RouterModel_IsValid(router.model()))
    fields.complain("router.model", "unknown model of routers; write EXANET, INPUT_QUEUED or PACKET");
  refuse_input_queued_fields(fields);
  experiment.router.buffer_words = check_buffer_words(router, fields);
}

void check_router_model(const Experiment& experiment, FieldChecker& fields) {
  if (experiment.router.model == v1::PACKET && experiment.topology == v1::Topology::kExanest) {
    fields.complain("router.model",
                    "routers of the model PACKET have hosts with plain network interfaces, and this topology has logic "
                    "of its own; write another topology, or leave model out");
  }
  if (experiment.router.model != v1::INPUT_QUEUED) return;
  if (experiment.topology == v1::Topology::kTorus) {
    check_torus_links(experiment, fields);
  } else if (experiment.topology == v1::Topology::kExanest) {
    fields.complain("router.model",
                    "routers of the model INPUT_QUEUED are joined in a torus, and this topology has logic of its own; "
                    "write topology { torus { ... } }, or leave model out");
  }
  const auto* traffic = std::get_if<TrafficSpec>(&experiment.workload);
  if (traffic == nullptr) {
    fields.complain("router.model",
                    "routers of the model INPUT_QUEUED carry traffic { ... } only: their flits have no payload; write "
                    "model: PACKET, or leave model out");
  } else if (experiment.router.input_queued.switching == v1::VIRTUAL_CUT_THROUGH) {
    PacketHeader header;
    header.payload_bytes = static_cast<uint16_t>(traffic->payload.count);
    if (experiment.router.input_queued.vc_buffer_flits < header.packet_words()) {
      fields.complain("router.vc_buffer_flits",
                      fmt::format("vc_buffer_flits {}: VIRTUAL_CUT_THROUGH needs room for a whole packet, which has {} "
                                  "flits; write at least that, or switching: CREDIT_PER_FLIT",
                                  experiment.router.input_queued.vc_buffer_flits, header.packet_words()));
    }
  }
}

}  // namespace fabrictwin
