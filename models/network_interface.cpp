// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network_interface.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/packet_key.h"

namespace fabrictwin {
namespace {

static_assert(sizeof(Envelope) == 2 * kWordBytes);

uint64_t payload_checksum(const Word* words, size_t count) {
  return hash_bytes(std::as_bytes(std::span(words, count)));
}

}  // namespace

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, Config config)
    : sc_module(name),
      tile_out("tile_out"),
      tile_in("tile_in"),
      config_(std::move(config)),
      word_clock_(config_.tile.word_clock()),
      credits_(config_.graph->buffer_words) {
  host.bind(*this);
  tile_in.register_b_transport(this, &NetworkInterface::receive);
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
}

void NetworkInterface::send(const OutgoingMessage& message) {
  outgoing_.push_back(message);
  if (config_.packet_trace != nullptr) outgoing_since_.push_back(now());
  inject();
  schedule();
}

void NetworkInterface::receive(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<LinkExtension>();
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (extension->kind == RecordKind::kCredit) {
    // Everything leaves on VC 0, so no other credit ever comes.
    credits_coming_.push_back({extension->sent + config_.tile.latency, extension->count});
  } else {
    const auto* words = reinterpret_cast<const Word*>(payload.get_data_ptr());
    const size_t count = payload.get_data_length() / kWordBytes;
    std::vector<Word>& assembling = assembling_[extension->vc];
    assembling.insert(assembling.end(), words, words + count);
    if ((extension->flags & kEndOfPacket) != 0) {
      const Time time = word_clock_.edge(extension->first_slot + static_cast<int64_t>(count)) + config_.tile.latency;
      arrivals_.push_back({time, extension->vc, std::exchange(assembling, {})});
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  schedule();
}

// One process for everything that has its time: what arrived, what has left, what may leave now.
void NetworkInterface::work() {
  while (!arrivals_.empty() && arrivals_.front().time <= now()) {
    const Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    deliver(arrival);
    sc_core::sc_time delay;
    tile_out->b_transport(transaction_.credit(arrival.time, arrival.vc, static_cast<uint8_t>(arrival.words.size())),
                          delay);
  }
  while (!completions_.empty() && completions_.front().time <= now()) {
    const uint64_t cookie = completions_.front().cookie;
    completions_.pop_front();
    if (endpoint_ != nullptr) endpoint_->deliver_sent(cookie);
  }
  inject();
  schedule();
}

void NetworkInterface::schedule() {
  Time next = Time::never();
  if (!arrivals_.empty()) next = std::min(next, arrivals_.front().time);
  if (!completions_.empty()) next = std::min(next, completions_.front().time);
  // Credits matter only to a message that waits for them.
  if (!outgoing_.empty() && !credits_coming_.empty()) next = std::min(next, credits_coming_.front().time);
  if (next.is_never()) return;
  // SystemC keeps the earlier of two pending notifications, and everything here only ever adds earlier ones or the
  // same.
  work_event_.notify(to_sc_time(next - now()));
}

void NetworkInterface::inject() {
  while (!credits_coming_.empty() && credits_coming_.front().time <= now()) {
    credits_ += credits_coming_.front().count;
    credits_coming_.pop_front();
  }
  while (!outgoing_.empty()) {
    const uint64_t total = sizeof(Envelope) + outgoing_.front().envelope.bytes;
    const uint64_t payload = std::min<uint64_t>(kMaxPayloadBytes, total - offset_);
    const auto words = static_cast<int32_t>((payload + kWordBytes - 1) / kWordBytes) + 2;
    if (words > credits_) return;
    credits_ -= words;
    inject_packet();
  }
}

void NetworkInterface::inject_packet() {
  const OutgoingMessage& message = outgoing_.front();
  const uint64_t total = sizeof(Envelope) + message.envelope.bytes;
  const uint64_t payload = std::min<uint64_t>(kMaxPayloadBytes, total - offset_);

  PacketHeader header;
  const auto destination = static_cast<uint64_t>(message.destination);
  const Element& host = config_.graph->elements[message.destination];
  for (size_t d = 0; d < std::min<size_t>(3, host.coordinates.size()); ++d)
    header.coordinates[d] = static_cast<uint8_t>(host.coordinates[d]);
  header.destination = static_cast<uint32_t>(destination);
  header.source = static_cast<uint32_t>(config_.node);
  header.payload_bytes = static_cast<uint16_t>(payload);
  header.sequence = sequences_[message.destination];
  const uint64_t flow = static_cast<uint64_t>(config_.node) << 32 | destination;
  header.ties = static_cast<uint8_t>(RandomStream(config_.seed, flow, RandomPurpose::kTieBreak).at(0));

  std::array<Word, kMaxPacketWords> words{};
  words[0] = header.encode();
  std::byte* bytes = reinterpret_cast<std::byte*>(&words[1]);
  uint64_t position = 0;
  if (offset_ == 0) {
    std::memcpy(bytes, &message.envelope, sizeof(Envelope));
    position = sizeof(Envelope);
  }
  uint64_t index = (offset_ + position - sizeof(Envelope)) / sizeof(uint64_t);
  for (; position < payload; position += sizeof(uint64_t), ++index) {
    const uint64_t value = mix64(message.envelope.payload_key + index);
    std::memcpy(bytes + position, &value, std::min<uint64_t>(sizeof value, payload - position));
  }
  const int32_t count = header.packet_words();
  words[count - 1] = {payload_checksum(&words[1], static_cast<size_t>(count - 2)), 0};

  const int64_t slot = std::max(word_clock_.edge_at_or_after(now()), next_slot_);
  next_slot_ = slot + count;
  if (config_.packet_trace != nullptr && offset_ == 0) follow(header, slot);
  sc_core::sc_time delay;
  tile_out->b_transport(transaction_.burst(words.data(), count, slot, 0, kStartOfPacket | kEndOfPacket), delay);
  config_.counters->words.add(static_cast<uint64_t>(count));
  config_.counters->packets.add(1);

  offset_ += payload;
  if (offset_ == total) {
    completions_.push_back({word_clock_.edge(next_slot_), message.cookie});
    ++sequences_[message.destination];
    outgoing_.pop_front();
    offset_ = 0;
  }
}

// The first packet of a message begins its life when the host gives the message.
void NetworkInterface::follow(const PacketHeader& header, int64_t slot) {
  const PacketTrace::Key key = packet_key(header);
  if (config_.packet_trace->wants(key)) {
    const Time arrives = word_clock_.edge(slot + 1) + config_.tile.latency;
    config_.packet_trace->begin(key, header.packet_words(), outgoing_since_.front(),
                                {config_.channel, word_clock_.edge(slot), arrives});
  }
  outgoing_since_.pop_front();
}

void NetworkInterface::deliver(const Arrival& arrival) {
  const PacketHeader header = PacketHeader::decode(arrival.words.front());
  const auto source = static_cast<int32_t>(header.source);
  config_.digest->add_arrival(arrival.time, hash_bytes(std::as_bytes(std::span(arrival.words))));
  ++packets_received_;
  payload_received_ += header.payload_bytes;
  if (config_.packet_trace != nullptr && config_.packet_trace->wants(packet_key(header)))
    config_.packet_trace->end(packet_key(header), arrival.time);
  if (static_cast<int32_t>(header.destination) != config_.node)
    return fail(fmt::format("a packet from {} to {} arrived", source, header.destination));
  if (static_cast<size_t>(header.packet_words()) != arrival.words.size()) {
    return fail(fmt::format("a packet from {} has {} words, its header says {}", source, arrival.words.size(),
                            header.packet_words()));
  }
  const size_t payload_words = arrival.words.size() - 2;
  if (arrival.words.back().lo != payload_checksum(&arrival.words[1], payload_words)) {
    return fail(fmt::format("a packet from {} arrived damaged (checksum)", source));
  }
  if (endpoint_ == nullptr) return fail(fmt::format("a packet from {} arrived, but nothing runs here", source));

  Reassembly& message = reassemblies_[source];
  if (header.sequence != message.sequence) {
    return fail(fmt::format("message {} from {} arrived where message {} was expected", header.sequence, source,
                            message.sequence));
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(&arrival.words[1]);
  uint64_t count = header.payload_bytes;
  if (!message.active) {
    if (count < sizeof(Envelope))
      return fail(fmt::format("message {} from {} begins without an envelope", header.sequence, source));
    std::memcpy(&message.envelope, bytes, sizeof(Envelope));
    message.active = true;
    message.received = 0;
    message.hash = 0;
    message.intact = true;
    bytes += sizeof(Envelope);
    count -= sizeof(Envelope);
  }
  take_body(message, source, bytes, count);
}

void NetworkInterface::take_body(Reassembly& message, int32_t source, const std::byte* bytes, uint64_t count) {
  if (message.received + count > message.envelope.bytes) {
    return fail(fmt::format("message {} from {} is longer than the {} bytes that it announced", message.sequence,
                            source, message.envelope.bytes));
  }
  // Packets carry multiples of 8 bytes but for the last, so words of the body do not straddle them.
  uint64_t index = message.received / sizeof(uint64_t);
  for (uint64_t position = 0; position < count; position += sizeof(uint64_t), ++index) {
    const uint64_t expected = mix64(message.envelope.payload_key + index);
    if (std::memcmp(bytes + position, &expected, std::min<uint64_t>(sizeof expected, count - position)) != 0)
      message.intact = false;
  }
  if (count > 0) message.hash = hash_bytes(std::span(bytes, count), message.hash);
  message.received += count;
  if (message.received < message.envelope.bytes) return;
  message.active = false;
  ++message.sequence;
  endpoint_->deliver_message({source, message.envelope, message.hash, message.intact});
}

void NetworkInterface::fail(const std::string& what) {
  if (config_.failure->empty())
    *config_.failure = fmt::format("host[{}] at {}: {}", config_.node, to_string(now()), what);
}

}  // namespace fabrictwin
