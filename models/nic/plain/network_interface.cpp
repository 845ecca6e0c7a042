// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/plain/network_interface.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/nic/packet_key.h"
#include "models/routing/table/builder.h"

namespace fabrictwin::nic::plain {
namespace {

static_assert(sizeof(Envelope) == 2 * link::kWordBytes);

uint64_t payload_checksum(const link::Word* words, size_t count) {
  return observe::hash_bytes(std::as_bytes(std::span(words, count)));
}

}  // namespace

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, Config config)
    : sc_module(name),
      tile_out("tile_out", config.ports.size()),
      tile_in("tile_in", config.ports.size()),
      config_(std::move(config)),
      hosts_(config_.graph->host_count()) {
  host.bind(*this);
  for (size_t port = 0; port < config_.ports.size(); ++port) {
    ports_.emplace_back(config_.ports[port], config_.graph->buffer_words);
    tile_in[port].register_b_transport(this, &NetworkInterface::receive, static_cast<int>(port));
  }
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
}

void NetworkInterface::send(const OutgoingMessage& message) {
  int32_t port = next_port_;
  if (message.port == OutgoingMessage::kAnyPort) {
    next_port_ = (port + 1) % ports();
  } else {
    port = message.port % ports();
  }
  ports_[port].outgoing.push_back({message, sequences_[message.destination]++, now()});
  inject(port);
  schedule();
}

void NetworkInterface::receive(int index, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<kernel::LinkExtension>();
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  Port& port = ports_[index];
  const Time latency = port.config.tile.latency;
  if (extension->kind == link::RecordKind::kCredit) {
    // Everything leaves on VC 0, so credits for other VCs never arrive.
    port.credits_coming.push_back({extension->sent + latency, extension->count});
  } else {
    const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
    const size_t count = payload.get_data_length() / link::kWordBytes;
    std::vector<link::Word>& assembling = port.assembling[extension->vc];
    assembling.insert(assembling.end(), words, words + count);
    if ((extension->flags & link::kEndOfPacket) != 0) {
      const Time time = port.word_clock.edge(extension->first_slot + static_cast<int64_t>(count)) + latency;
      port.arrivals.push_back({time, extension->vc, std::exchange(assembling, {})});
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  schedule();
}

// One process for all that is due: arrivals, departures, and packets that may leave now. Events of one time are handled
// in the order of ports.
void NetworkInterface::work() {
  for (int32_t index = 0; index < ports(); ++index) {
    Port& port = ports_[index];
    while (!port.arrivals.empty() && port.arrivals.front().time <= now()) {
      const Arrival arrival = std::move(port.arrivals.front());
      port.arrivals.pop_front();
      deliver(arrival);
      sc_core::sc_time delay;
      tile_out[index]->b_transport(
          transaction_.credit(arrival.time, arrival.vc, static_cast<uint8_t>(arrival.words.size())), delay);
    }
  }
  for (Port& port : ports_) {
    while (!port.completions.empty() && port.completions.front().time <= now()) {
      const uint64_t cookie = port.completions.front().cookie;
      port.completions.pop_front();
      if (endpoint_ != nullptr) endpoint_->deliver_sent(cookie);
    }
  }
  for (int32_t index = 0; index < ports(); ++index) inject(index);
  schedule();
}

void NetworkInterface::schedule() {
  Time next = Time::never();
  for (const Port& port : ports_) {
    if (!port.arrivals.empty()) next = std::min(next, port.arrivals.front().time);
    if (!port.completions.empty()) next = std::min(next, port.completions.front().time);
    // Credits matter only if a message waits for them.
    if (!port.outgoing.empty() && !port.credits_coming.empty()) next = std::min(next, port.credits_coming.front().time);
  }
  if (next.is_never()) return;
  // SystemC keeps the earlier of two pending notifications, and times requested here are never later.
  work_event_.notify(kernel::to_sc_time(next - now()));
}

void NetworkInterface::inject(int32_t index) {
  Port& port = ports_[index];
  while (!port.credits_coming.empty() && port.credits_coming.front().time <= now()) {
    port.credits += port.credits_coming.front().count;
    port.credits_coming.pop_front();
  }
  while (!port.outgoing.empty()) {
    const uint64_t total = sizeof(Envelope) + port.outgoing.front().message.envelope.bytes;
    const uint64_t payload = std::min<uint64_t>(link::kMaxPayloadBytes, total - port.offset);
    const auto words = static_cast<int32_t>((payload + link::kWordBytes - 1) / link::kWordBytes) + 2;
    if (words > port.credits) return;
    port.credits -= words;
    inject_packet(index);
  }
}

link::PacketHeader NetworkInterface::make_header(int32_t port, const Outgoing& outgoing, uint64_t payload) const {
  link::PacketHeader header;
  const int32_t destination = outgoing.message.destination;
  const system::Element& host = config_.graph->elements[destination];
  for (size_t d = 0; d < std::min<size_t>(3, host.coordinates.size()); ++d)
    header.coordinates[d] = static_cast<uint8_t>(host.coordinates[d]);
  const int32_t there = port % static_cast<int32_t>(host.ports.size());
  header.destination = static_cast<uint32_t>(routing::table::route_destination(destination, there, hosts_));
  header.source = static_cast<uint32_t>(config_.node);
  header.payload_bytes = static_cast<uint16_t>(payload);
  header.sequence = outgoing.sequence;
  const uint64_t flow = static_cast<uint64_t>(config_.node) << 32 | static_cast<uint64_t>(destination);
  header.ties = static_cast<uint8_t>(RandomStream(config_.seed, flow, RandomPurpose::kTieBreak).at(0));
  return header;
}

void NetworkInterface::inject_packet(int32_t index) {
  Port& port = ports_[index];
  const OutgoingMessage& message = port.outgoing.front().message;
  const uint64_t total = sizeof(Envelope) + message.envelope.bytes;
  const uint64_t payload = std::min<uint64_t>(link::kMaxPayloadBytes, total - port.offset);
  const link::PacketHeader header = make_header(index, port.outgoing.front(), payload);

  std::array<link::Word, link::kMaxPacketWords> words{};
  words[0] = header.encode();
  std::byte* bytes = reinterpret_cast<std::byte*>(&words[1]);
  uint64_t position = 0;
  if (port.offset == 0) {
    std::memcpy(bytes, &message.envelope, sizeof(Envelope));
    position = sizeof(Envelope);
  }
  uint64_t word = (port.offset + position - sizeof(Envelope)) / sizeof(uint64_t);
  for (; position < payload; position += sizeof(uint64_t), ++word) {
    const uint64_t value = mix64(message.envelope.payload_key + word);
    std::memcpy(bytes + position, &value, std::min<uint64_t>(sizeof value, payload - position));
  }
  const int32_t count = header.packet_words();
  words[count - 1] = {payload_checksum(&words[1], static_cast<size_t>(count - 2)), 0};

  const int64_t slot = std::max(port.word_clock.edge_at_or_after(now()), port.next_slot);
  port.next_slot = slot + count;
  if (config_.packet_trace != nullptr && port.offset == 0) follow(port, header, slot);
  sc_core::sc_time delay;
  tile_out[index]->b_transport(
      transaction_.burst(words.data(), count, slot, 0, link::kStartOfPacket | link::kEndOfPacket), delay);
  port.config.counters->words.add(static_cast<uint64_t>(count));
  port.config.counters->packets.add(1);

  port.offset += payload;
  if (port.offset == total) {
    port.completions.push_back({port.word_clock.edge(port.next_slot), message.cookie});
    port.outgoing.pop_front();
    port.offset = 0;
  }
}

// The trace of a message's first packet begins when the host sends the message.
void NetworkInterface::follow(const Port& port, const link::PacketHeader& header, int64_t slot) {
  const observe::PacketTrace::Key key = packet_key(header, hosts_);
  if (!config_.packet_trace->wants(key)) return;
  const Time arrives = port.word_clock.edge(slot + 1) + port.config.tile.latency;
  config_.packet_trace->begin(key, header.packet_words(), port.outgoing.front().since,
                              {port.config.channel, port.word_clock.edge(slot), arrives});
}

void NetworkInterface::deliver(const Arrival& arrival) {
  const link::PacketHeader header = link::PacketHeader::decode(arrival.words.front());
  const auto source = static_cast<int32_t>(header.source);
  config_.digest->add_arrival(arrival.time, observe::hash_bytes(std::as_bytes(std::span(arrival.words))));
  ++packets_received_;
  payload_received_ += header.payload_bytes;
  if (source >= hosts_)
    return fail(fmt::format("a packet from host {} arrived, and there are {} hosts", source, hosts_));
  const observe::PacketTrace::Key key = packet_key(header, hosts_);
  if (config_.packet_trace != nullptr && config_.packet_trace->wants(key)) config_.packet_trace->end(key, arrival.time);
  if (key.destination != config_.node)
    return fail(fmt::format("a packet from {} to {} arrived", source, key.destination));
  if (static_cast<size_t>(header.packet_words()) != arrival.words.size()) {
    return fail(fmt::format("a packet from {} has {} words, its header says {}", source, arrival.words.size(),
                            header.packet_words()));
  }
  const size_t payload_words = arrival.words.size() - 2;
  if (arrival.words.back().lo != payload_checksum(&arrival.words[1], payload_words)) {
    return fail(fmt::format("a packet from {} arrived damaged (checksum)", source));
  }
  if (endpoint_ == nullptr) return fail(fmt::format("a packet from {} arrived, but nothing runs here", source));

  // With several ports, a message may arrive before one that was sent earlier, but none that was already delivered. All
  // messages from a host with one port take the same route, however many ports there are here.
  const bool several_ways = config_.graph->elements[source].ports.size() > 1;
  Flow& flow = flows_[source];
  const auto ahead = static_cast<int32_t>(header.sequence - flow.next);
  if (several_ways ? ahead < 0 : ahead != 0) {
    return fail(
        fmt::format("message {} from {} arrived where message {} was expected", header.sequence, source, flow.next));
  }
  Reassembly& message = flow.messages[header.sequence];
  const auto* bytes = reinterpret_cast<const std::byte*>(&arrival.words[1]);
  uint64_t count = header.payload_bytes;
  if (!message.begun) {
    if (count < sizeof(Envelope))
      return fail(fmt::format("message {} from {} begins without an envelope", header.sequence, source));
    Envelope envelope;
    std::memcpy(&envelope, bytes, sizeof envelope);
    message.body = IncomingBody(envelope);
    message.begun = true;
    bytes += sizeof(Envelope);
    count -= sizeof(Envelope);
  }
  if (!message.body.write(message.body.received(), std::span(bytes, count))) {
    return fail(fmt::format("message {} from {} is longer than the {} bytes that it announced", header.sequence, source,
                            message.body.envelope().bytes));
  }
  if (message.whole() && ahead == 0) hand_over(flow, source);
}

void NetworkInterface::hand_over(Flow& flow, int32_t source) {
  for (auto next = flow.messages.find(flow.next); next != flow.messages.end() && next->second.whole();
       next = flow.messages.find(flow.next)) {
    const IncomingBody body = next->second.body;
    flow.messages.erase(next);
    ++flow.next;
    endpoint_->deliver_message({source, body.envelope(), body.hash(), body.intact()});
  }
}

void NetworkInterface::fail(const std::string& what) {
  if (config_.failure->empty())
    *config_.failure = fmt::format("host[{}] at {}: {}", config_.node, to_string(now()), what);
}

}  // namespace fabrictwin::nic::plain
