// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model EXTERNAL in an experiment: docs/models/external-router.md.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/tenants.h"
#include "cosim/link/packet_format.h"
#include "fmt/format.h"
#include "models/fabric/router_fields.h"

namespace fabrictwin::router::external {
namespace {

using link::HeaderField;

constexpr int32_t kMostPayload = 4096;
constexpr int32_t kMostCreditWords = 255;
/// Widths that records, and the arithmetic of hosts, have been tested with.
constexpr int32_t kWordBits[] = {32, 64, 128};

/// The most bits of a field: those of its value in link::PacketHeader, as far as a network can use them.
int32_t most_bits(HeaderField field) {
  switch (field) {
    case HeaderField::kX:
    case HeaderField::kY:
    case HeaderField::kZ:
    case HeaderField::kTies:
      return 8;
    case HeaderField::kPayloadBytes:
      return 13;
    case HeaderField::kSequence:
      return 32;
    default:
      return 24;
  }
}

/// The field of PacketHeader that a name stands for.
HeaderField field_of(v1::HeaderField::Name name) {
  switch (name) {
    case v1::HeaderField::SOURCE:
      return HeaderField::kSource;
    case v1::HeaderField::SEQUENCE:
      return HeaderField::kSequence;
    case v1::HeaderField::PAYLOAD_BYTES:
      return HeaderField::kPayloadBytes;
    case v1::HeaderField::X:
      return HeaderField::kX;
    case v1::HeaderField::Y:
      return HeaderField::kY;
    case v1::HeaderField::Z:
      return HeaderField::kZ;
    case v1::HeaderField::TIES:
      return HeaderField::kTies;
    default:
      return HeaderField::kDestination;
  }
}

/// Reads the fields of a header.
class HeaderReader {
 public:
  HeaderReader(const v1::LinkWords& message, const experiment::MessageReader& words)
      : message_(message), words_(words) {}

  link::PacketFormat::Fields read() {
    for (int i = 0; i < message_.header_size(); ++i) read(message_.header(i), fmt::format("header[{}]", i));
    for (const v1::HeaderField::Name name : {v1::HeaderField::DESTINATION, v1::HeaderField::SOURCE,
                                             v1::HeaderField::SEQUENCE, v1::HeaderField::PAYLOAD_BYTES}) {
      if (fields_[field_of(name)].bits > 0) continue;
      words_.complain_near("header", fmt::format("the header has no {0}, without which hosts cannot put messages "
                                                 "together; write header {{ name: {0} lsb: ... bits: ... }}",
                                                 v1::HeaderField::Name_Name(name)));
    }
    return fields_;
  }

 private:
  void read(const v1::HeaderField& field, const std::string& at) {
    const experiment::MessageReader reader = words_.of(field, at);
    const std::string name = v1::HeaderField::Name_Name(field.name());
    if (name.empty() || field.name() == v1::HeaderField::NAME_UNSPECIFIED) {
      return words_.complain(at,
                             "a field of the header without a name; write name: DESTINATION, SOURCE, SEQUENCE, "
                             "PAYLOAD_BYTES, X, Y, Z or TIES");
    }
    const link::BitRange range{field.lsb(), field.bits()};
    const int32_t most = most_bits(field_of(field.name()));
    if (range.bits < 1 || range.bits > most)
      return words_.complain(at, fmt::format("{} has {} bits; write 1 to {}", name, range.bits, most));
    if (range.lsb < 0 || range.lsb > link::kMaxHeaderBits - range.bits) {
      return words_.complain(
          at, fmt::format("{} is at bits {} to {}, and a header has bits 0 to {}; write a smaller lsb", name, range.lsb,
                          int64_t{range.lsb} + range.bits - 1, link::kMaxHeaderBits - 1));
    }
    link::BitRange& known = fields_[field_of(field.name())];
    if (known.bits > 0) return words_.complain(at, fmt::format("{} is in the header twice; leave one out", name));
    for (const link::BitRange& other : fields_.of) {
      if (other.bits == 0 || range.lsb >= other.end() || other.lsb >= range.end()) continue;
      return words_.complain(at, fmt::format("{} is at bits {} to {}, and bits {} to {} have another field; move one "
                                             "of them",
                                             name, range.lsb, range.end() - 1, other.lsb, other.end() - 1));
    }
    known = range;
  }

  const v1::LinkWords& message_;
  const experiment::MessageReader& words_;
  link::PacketFormat::Fields fields_;
};

int32_t read_word_bits(const v1::LinkWords& message, const experiment::MessageReader& words) {
  if (!words.has("word_bits")) return words.default_number("word_bits");
  const int32_t bits = message.word_bits();
  if (std::ranges::find(kWordBits, bits) != std::end(kWordBits)) return bits;
  words.complain("word_bits", fmt::format("word_bits {}: write 32, 64 or 128", bits));
  return link::kWordBits;
}

int32_t read_payload(const link::BitRange& size, const experiment::Experiment& experiment,
                     const experiment::MessageReader& reader) {
  const auto bytes = static_cast<int32_t>(fabric::check_packet_payload(experiment, reader).count);
  // A field of n bits holds sizes below 2^n.
  const int64_t fits = (int64_t{1} << size.bits) - 1;
  if (bytes > kMostPayload) {
    reader.complain("packet_payload", fmt::format("packet_payload {}B: packets of routers of the model EXTERNAL have "
                                                  "at most {}B",
                                                  bytes, kMostPayload));
    return kMostPayload;
  }
  if (size.bits > 0 && bytes > fits) {
    reader.complain_near("packet_payload",
                         fmt::format("packet_payload {}B: PAYLOAD_BYTES has {} bits, which hold at most {}; write more "
                                     "bits, or a smaller packet_payload",
                                     bytes, size.bits, fits));
  }
  return bytes;
}

int32_t read_buffer(const experiment::RouterSpec& router, int32_t written, const experiment::MessageReader& reader) {
  const int32_t words = reader.has("buffer_words") ? written : reader.default_number("buffer_words");
  const int32_t credit = router.credit_words;
  const int32_t packet = (router.packets.max_packet_words() + credit - 1) / credit * credit;
  if (words >= packet && words <= fabric::kMaxBufferWords && words % credit == 0) return words;
  reader.complain_near("buffer_words", fmt::format("buffer_words {}: hosts send a packet when there is space for all "
                                                   "of it, and the largest takes {} words; write a multiple of {} from "
                                                   "{} to {}",
                                                   words, packet, credit, packet, fabric::kMaxBufferWords));
  return packet;
}

class External final : public experiment::RouterCheck {
 public:
  const experiment::RouterCapabilities& capabilities() const override {
    static const experiment::RouterCapabilities declared{
        .model = v1::EXTERNAL,
        .hardware = true,
        .modelled = false,
        .host_links = true,
        .any_rate = true,  // What a router of a user's own does in a cycle is not known.
        .series = true,
    };
    return declared;
  }
  std::vector<std::string_view> fields(const experiment::NicCapabilities& /*nic*/) const override {
    return {"buffer_words", "vcs", "packet_payload", "words", "library"};
  }
  void check(experiment::Experiment& experiment, const experiment::MessageReader& reader) const override {
    const v1::Router& message = experiment.message.router();
    const experiment::NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
    experiment::RouterSpec& router = experiment.router;
    router.vcs = reader.number("vcs", 1, fabric::kMaxVcs);
    const experiment::MessageReader words = reader.of(message.words(), "words");
    if (!message.has_words()) {
      reader.complain("",
                      "routers of the model EXTERNAL have words and headers of their own; write words { word_bits: "
                      "64 header { name: DESTINATION lsb: 0 bits: 16 } ... }");
      return;
    }
    const int32_t word_bits = read_word_bits(message.words(), words);
    router.credit_words = words.number("credit_words", 1, kMostCreditWords);
    const link::PacketFormat::Fields header = HeaderReader(message.words(), words).read();
    const int32_t payload = read_payload(header[HeaderField::kPayloadBytes], experiment, reader);
    router.packet_payload = Bytes{payload};
    router.packets = link::PacketFormat(word_bits, payload, header);
    router.buffer_words = read_buffer(router, message.buffer_words(), reader);
    if (nic.nic != v1::Host::PLAIN) {
      reader.complain("model", fmt::format("network interfaces beside routers of the model EXTERNAL are PLAIN, and "
                                           "these are {}; leave host.nic out",
                                           v1::Host::Nic_Name(nic.nic)));
    }
  }
};

}  // namespace

const experiment::RouterCheck& kind() {
  static const External kind;
  return kind;
}

}  // namespace fabrictwin::router::external
