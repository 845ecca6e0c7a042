// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model PACKET in an experiment: docs/models/packet-network.md.
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/tenants.h"
#include "fmt/format.h"
#include "models/fabric/router_fields.h"
#include "models/router/packet/spec.h"

namespace fabrictwin::router::packet {
namespace {

std::optional<buffer::SharedBufferSpec> check_pause(const experiment::Experiment& experiment,
                                                    experiment::FieldChecker& fields) {
  if (!experiment.message.has_pfc()) return std::nullopt;
  const v1::Pfc& message = experiment.message.pfc();
  const experiment::MessageReader reader(message, "pfc", fields);
  buffer::SharedBufferSpec spec;
  spec.buffer = reader.quantity<Bytes>("buffer", parse_bytes).count;
  spec.reserve = reader.quantity<Bytes>("reserve", parse_bytes).count;
  if (reader.has("headroom")) {
    spec.headroom = reader.parsed<Bytes>("headroom", parse_bytes).value_or(Bytes{}).count;
    if (spec.headroom == 0) {
      reader.complain("headroom",
                      "headroom 0: what arrives after a pause would be lost; write what a link carries in a "
                      "round trip and three packets, or leave headroom out");
    }
  }
  spec.resume_offset = reader.quantity<Bytes>("resume_offset", parse_bytes).count;
  if (reader.has("resume_offset") && spec.resume_offset > spec.buffer) {
    reader.complain(
        "resume_offset",
        fmt::format("resume_offset {}: it is more than the memory of a switch ({}), so a sender would go on "
                    "only when nothing of it waits; write what an input may use less than its share",
                    to_string(Bytes{spec.resume_offset}), to_string(Bytes{spec.buffer})));
  }
  spec.share = reader.default_real("share");
  if (reader.has("share")) {
    spec.share = message.share();
    if (!(spec.share > 0 && spec.share <= 1)) {
      reader.complain(
          "share",
          fmt::format("share {}: it is a share of the free memory; write a number above 0, at most 1", spec.share));
      spec.share = 1;
    }
  }
  return spec;
}

class Packet final : public experiment::RouterCheck {
 public:
  const experiment::RouterCapabilities& capabilities() const override {
    static const experiment::RouterCapabilities declared{
        .model = v1::PACKET,
        .content = link::LinkType::Content::kPackets,
        .coarse = true,
        .coarse_nodes = true,
        .any_rate = true,  // Packets have no words.
        .marks = true,
        .pause = true,
        .queues = true,
        .set_aside_at_depths = true,
        .series = true,
        .queue_meters = true,
        .trees = true,
        .faults = true,
        .lanes = true,
        .notices = true,
        .barriers = true,
    };
    return declared;
  }
  std::vector<std::string_view> fields(const experiment::NicCapabilities& /*nic*/) const override {
    std::vector<std::string_view> fields{"vcs", "vc_buffer_flits", "switching", "packet_payload"};
    fields.insert(fields.end(), std::begin(fabric::kPipelineFields), std::end(fabric::kPipelineFields));
    return fields;
  }
  void check(experiment::Experiment& experiment, const experiment::MessageReader& reader) const override {
    const v1::Switching switching = experiment.message.router().switching();
    if (switching != v1::SWITCHING_UNSPECIFIED && switching != v1::VIRTUAL_CUT_THROUGH) {
      reader.complain("switching",
                      "routers of the model PACKET switch by VIRTUAL_CUT_THROUGH; write that, or leave switching out");
    }
    const experiment::NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
    experiment::RouterSpec& router = experiment.router;
    router.packet_payload = fabric::check_packet_payload(experiment, reader);
    const bool pause = experiment.message.has_pfc();
    router.vcs = reader.number("vcs", 1, fabric::kMaxVcs, pause ? 1 : 0);
    if (pause && router.vcs != 1) {
      reader.complain("vcs",
                      fmt::format("vcs {}: switches with pfc have one queue for data at each output, and no VCs; "
                                  "leave vcs out",
                                  router.vcs));
    }
    for (const std::string_view field : {"vc_buffer_flits", "credit_delay"}) {
      if (!pause || !reader.has(field)) continue;
      reader.complain(field,
                      fmt::format("{} is for input buffers with credits, and switches with pfc have a memory that "
                                  "all ports share, and pause; leave {} out, or pfc",
                                  field, field));
    }
    const int32_t packet = fabric::packet_flits(nic, router.packet_payload);
    const int32_t flits =
        reader.number("vc_buffer_flits", 1, fabric::kMaxBufferWords, fabric::kPacketsPerBuffer * packet);
    if (flits < packet) {
      reader.complain("vc_buffer_flits",
                      fmt::format("vc_buffer_flits {}: a packet is forwarded when the next buffer has space for all of "
                                  "it, and the largest has {} flits; write at least that",
                                  flits, packet));
    }
    router.buffer_words = flits;
    router.spec = PacketSpec{fabric::check_pipeline(reader), check_pause(experiment, reader.fields())};
  }
};

}  // namespace

const experiment::RouterCheck& kind() {
  static const Packet kind;
  return kind;
}

}  // namespace fabrictwin::router::packet
