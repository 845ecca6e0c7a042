// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model INPUT_QUEUED in an experiment: docs/models/iq-router.md.
#include <algorithm>
#include <any>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/experiment/tenants.h"
#include "cosim/link/packet.h"
#include "fmt/format.h"
#include "models/fabric/router_fields.h"
#include "models/router/input_queued/network.h"
#include "models/router/input_queued/spec.h"

namespace fabrictwin::router::input_queued {
namespace {

using experiment::MessageReader;

constexpr int32_t kMaxSpeedup = 4;

std::vector<PortBufferSpec> check_port_buffers(const v1::Router& router, const MessageReader& reader) {
  std::vector<PortBufferSpec> buffers;
  for (int32_t i = 0; i < router.port_buffer_size(); ++i) {
    const v1::PortBuffer& written = router.port_buffer(i);
    const MessageReader buffer = reader.of(written, fmt::format("port_buffer[{}]", i));
    if (written.ports().empty())
      buffer.complain({}, "the port_buffer names no ports; write ports: \"tile\", or a pattern such as \"host*\"");
    if (written.flits() < 1 || written.flits() > fabric::kMaxBufferWords)
      buffer.complain_near("flits", fmt::format("flits {}: write 1 to {}", written.flits(), fabric::kMaxBufferWords));
    buffers.push_back({written.ports(), written.flits(), reader.fields().locations().find(buffer.path_of("ports"))});
  }
  return buffers;
}

/// Checks that buffers hold a whole packet of so many flits, because virtual cut-through accepts a packet only if there
/// is space for all of it.
void check_cut_through(const InputQueuedSpec& spec, int32_t packet, const MessageReader& reader) {
  const auto check = [&](std::string_view field, std::string_view name, int32_t flits) {
    if (flits >= packet) return;
    reader.complain(field, fmt::format("{} {}: VIRTUAL_CUT_THROUGH needs space for a whole packet, which has {} flits; "
                                       "write at least that, or switching: WORMHOLE",
                                       name, flits, packet));
  };
  check("vc_buffer_flits", "vc_buffer_flits", spec.vc_buffer_flits);
  for (size_t i = 0; i < spec.port_buffers.size(); ++i)
    check(fmt::format("port_buffer[{}].flits", i), "flits", spec.port_buffers[i].flits);
}

/// Reads what packets of network interfaces need. Network interfaces with descriptors hold packets in the buffers of
/// their ports, which takes virtual cut-through.
void check_carried_packets(experiment::Experiment& experiment, InputQueuedSpec& spec, const MessageReader& reader) {
  const experiment::NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
  experiment.router.packet_payload = fabric::check_packet_payload(experiment, reader);
  const int32_t packet = fabric::packet_flits(nic, experiment.router.packet_payload);
  if (nic.memory && spec.switching != v1::VIRTUAL_CUT_THROUGH) {
    if (reader.has("switching")) {
      reader.complain("switching",
                      fmt::format("network interfaces of {} hold whole packets in the buffers of their ports; write "
                                  "VIRTUAL_CUT_THROUGH, or leave switching out",
                                  v1::Host::Nic_Name(nic.nic)));
    }
    spec.switching = v1::VIRTUAL_CUT_THROUGH;
  }
  if (spec.switching != v1::VIRTUAL_CUT_THROUGH) return;
  if (!reader.has("vc_buffer_flits"))
    spec.vc_buffer_flits = std::max(spec.vc_buffer_flits, fabric::kPacketsPerBuffer * packet);
  check_cut_through(spec, packet, reader);
}

/// Reads what packets of traffic need, which have a size of their own.
void check_bare_packets(Bytes payload, const InputQueuedSpec& spec, const MessageReader& reader) {
  if (reader.has("packet_payload")) {
    reader.complain("packet_payload",
                    "packet_payload is of messages, and packets of traffic have a size of their own; write "
                    "workload { traffic { payload: } }");
  }
  if (spec.switching != v1::VIRTUAL_CUT_THROUGH) return;
  link::PacketHeader header;
  header.payload_bytes = static_cast<uint16_t>(payload.count);
  check_cut_through(spec, header.packet_words(), reader);
}

/// Duato's escapes need VCs that belong to one packet, or buffers that take whole packets: else the body of a packet
/// could hold an escape VC while its head waits behind others in another one.
void check_escapes(v1::RoutingKind routing, InputQueuedSpec& spec, const MessageReader& reader) {
  if (routing != v1::MINIMAL_ADAPTIVE || spec.switching != v1::CREDIT_PER_FLIT) return;
  if (!reader.has("switching")) {
    spec.switching = v1::WORMHOLE;
    return;
  }
  reader.complain("switching",
                  "CREDIT_PER_FLIT does not keep routing MINIMAL_ADAPTIVE free of deadlock: the body of a packet could "
                  "hold an escape VC while its head waits behind other packets; write WORMHOLE or VIRTUAL_CUT_THROUGH");
}

class InputQueued final : public experiment::RouterCheck {
 public:
  const experiment::RouterCapabilities& capabilities() const override {
    static const experiment::RouterCapabilities declared{
        .model = v1::INPUT_QUEUED,
        .content = link::LinkType::Content::kFlits,
        .bare_packets = true,
        .coarse = true,
        .queues = true,
        .queue_flits = true,
        .series = true,
        .queue_meters = true,
        .barriers = true,
        .most_link_cycles = Link::kMaxLatency,
    };
    return declared;
  }
  std::vector<std::string_view> fields(const experiment::NicCapabilities& /*nic*/) const override {
    std::vector<std::string_view> fields{
        "vcs", "vc_buffer_flits", "switching", "arbitration", "internal_speedup", "port_buffer", "packet_payload"};
    fields.insert(fields.end(), std::begin(fabric::kPipelineFields), std::end(fabric::kPipelineFields));
    return fields;
  }
  std::string refusal(std::string_view field) const override {
    if (field != "buffer_words") return {};
    return "buffer_words is for routers of the model EXANET; write vc_buffer_flits for INPUT_QUEUED";
  }
  void check(experiment::Experiment& experiment, const MessageReader& reader) const override {
    const v1::Router& router = experiment.message.router();
    InputQueuedSpec spec;
    experiment.router.vcs = reader.number("vcs", 1, fabric::kMaxVcs);
    spec.switching = reader.choice<v1::Switching>("switching");
    if (!v1::Switching_IsValid(spec.switching))
      reader.complain("switching", "unknown switching; write CREDIT_PER_FLIT, WORMHOLE or VIRTUAL_CUT_THROUGH");
    spec.arbitration = reader.choice<v1::Arbitration>("arbitration");
    if (!v1::Arbitration_IsValid(spec.arbitration))
      reader.complain("arbitration", "unknown arbitration; write ROUND_ROBIN, AGE or FIXED");
    spec.vc_buffer_flits = reader.number("vc_buffer_flits", 1, fabric::kMaxBufferWords);
    spec.pipeline = fabric::check_pipeline(reader);
    spec.internal_speedup = reader.number("internal_speedup", 1, kMaxSpeedup);
    spec.port_buffers = check_port_buffers(router, reader);
    experiment.router.spec = std::move(spec);
  }
  void complete(experiment::Experiment& experiment, const MessageReader& reader) const override {
    auto& spec = std::any_cast<InputQueuedSpec&>(experiment.router.spec);
    const bool bare = experiment.sends_bare_packets();
    if (!bare) check_carried_packets(experiment, spec, reader);
    check_escapes(experiment.routing.algorithm, spec, reader);
    if (bare) check_bare_packets(experiment.workload_traits.packet_payload, spec, reader);
    experiment.router.whole_packets = spec.switching != v1::CREDIT_PER_FLIT;
    experiment.router.buffer_words = spec.vc_buffer_flits;
  }
};

}  // namespace

const experiment::RouterCheck& kind() {
  static const InputQueued kind;
  return kind;
}

}  // namespace fabrictwin::router::input_queued
