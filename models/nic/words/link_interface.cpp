// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/words/link_interface.h"

#include <algorithm>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "models/nic/packet_key.h"
#include "models/nic/word_packet.h"

namespace fabrictwin::nic::words {
namespace {

/// What the count of one credit record holds.
constexpr int32_t kMostCredits = 255;

}  // namespace

LinkInterface::LinkInterface(const sc_core::sc_module_name& name, Config config)
    : sc_module(name),
      tile_out("tile_out", config.ports.size()),
      tile_in("tile_in", config.ports.size()),
      config_(std::move(config)),
      hosts_(config_.graph->host_count()) {
  host.bind(*this);
  for (size_t port = 0; port < config_.ports.size(); ++port) {
    ports_.emplace_back(config_.ports[port], config_.graph->buffer_words, config_.graph->words.vcs);
    tile_in[port].register_b_transport(this, &LinkInterface::receive, static_cast<int>(port));
  }
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
}

void LinkInterface::receive(int index, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<kernel::LinkExtension>();
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  Port& port = ports_[index];
  const Time latency = port.config.tile.latency;
  if (extension->kind == link::RecordKind::kCredit) {
    if (extension->vc != 0) return fail(fmt::format("credits came for VC {}, on which nothing leaves", extension->vc));
    port.credits.add(extension->sent + latency, extension->count * config_.graph->words.credit_words);
    return schedule();
  }
  const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
  const size_t count = payload.get_data_length() / link::kWordBytes;
  Words& assembling = port.assembling[extension->vc];
  assembling.insert(assembling.end(), words, words + count);
  // Most words are not the last of their packet, and nothing is due because of them.
  if ((extension->flags & link::kEndOfPacket) == 0) return;
  const Time time = port.word_clock.edge(extension->first_slot + static_cast<int64_t>(count)) + latency;
  port.arrivals.push_back({time, extension->vc, std::exchange(assembling, {})});
  schedule();
}

// One process for all that is due.
void LinkInterface::work() {
  for (int32_t index = 0; index < ports(); ++index) {
    Port& port = ports_[index];
    while (!port.arrivals.empty() && port.arrivals.front().time <= now()) {
      const Arrival arrival = std::move(port.arrivals.front());
      port.arrivals.pop_front();
      const Time free = take(index, arrival);
      const auto count = static_cast<int32_t>(arrival.words.size());
      if (free <= arrival.time) {
        return_credit(index, arrival.time, arrival.vc, count);
      } else {
        held_.emplace(free, Held{index, arrival.vc, count});
      }
    }
  }
  while (!held_.empty() && held_.begin()->first <= now()) {
    const auto [time, held] = *held_.begin();
    held_.erase(held_.begin());
    return_credit(held.port, time, held.vc, held.words);
  }
  handle();
  schedule();
}

void LinkInterface::return_credit(int32_t port, Time time, uint8_t vc, int32_t words) {
  sc_core::sc_time delay;
  for (int32_t credits = buffer_words(words) / config_.graph->words.credit_words; credits > 0;) {
    const int32_t count = std::min(credits, kMostCredits);
    tile_out[port]->b_transport(transaction_.credit(time, vc, static_cast<uint8_t>(count)), delay);
    credits -= count;
  }
}

link::Word LinkInterface::footer_of(std::span<const link::Word> words) const {
  const std::span<const link::Word> payload = format().payload(words);
  if (format().word_bits() == link::kWordBits) return make_footer(payload);
  std::vector<std::byte> bytes(payload.size() * static_cast<size_t>(format().word_bytes()));
  format().unpack(payload, bytes.data());
  const uint64_t hash = observe::hash_bytes(bytes);
  return {format().word_bits() < 64 ? hash & 0xffffffff : hash, 0};
}

void LinkInterface::schedule() {
  Time next = next_due();
  for (const Port& port : ports_) {
    if (!port.arrivals.empty()) next = std::min(next, port.arrivals.front().time);
  }
  if (!held_.empty()) next = std::min(next, held_.begin()->first);
  if (next.is_never()) return;
  // SystemC keeps the earlier of two pending notifications, and times requested here are never later. Credits that
  // nobody waited for may have come long ago.
  work_event_.notify(kernel::to_sc_time(std::max(next, now()) - now()));
}

int32_t LinkInterface::credits(int32_t index) {
  CreditCounter& credits = ports_[index].credits;
  credits.collect(now());
  if (credits.free() > config_.graph->buffer_words) fail("more credits came than the router has space for");
  return credits.free();
}

link::PacketHeader LinkInterface::make_header(int32_t port, int32_t destination, uint64_t payload_bytes,
                                              uint32_t sequence) const {
  link::PacketHeader header = nic::make_header(*config_.graph, hosts_, config_.node, destination, port);
  header.payload_bytes = static_cast<uint16_t>(payload_bytes);
  header.sequence = format().truncate(link::HeaderField::kSequence, sequence);
  header.ties = flow_ties(config_.seed, config_.node, destination);
  return header;
}

int64_t LinkInterface::next_slot(int32_t index) const {
  const Port& port = ports_[index];
  return std::max(port.word_clock.edge_at_or_after(now()), port.next_slot);
}

int64_t LinkInterface::send_packet(int32_t index, link::Word* words, int32_t count) {
  Port& port = ports_[index];
  words[count - 1] = footer_of({words, static_cast<size_t>(count)});
  const int64_t slot = next_slot(index);
  port.next_slot = slot + count;
  port.credits.take(buffer_words(count));
  sc_core::sc_time delay;
  tile_out[index]->b_transport(transaction_.burst(words, count, slot, 0, link::kStartOfPacket | link::kEndOfPacket),
                               delay);
  port.config.counters->words.add(static_cast<uint64_t>(count));
  port.config.counters->packets.add(1);
  return slot;
}

// The trace of a message's first packet begins when the host sends the message.
void LinkInterface::follow(int32_t index, const link::PacketHeader& header, int64_t slot, Time since) {
  if (config_.packet_trace == nullptr) return;
  const observe::PacketTrace::Key key = packet_key(header, hosts_);
  if (!config_.packet_trace->wants(key)) return;
  const Port& port = ports_[index];
  const Time arrives = port.word_clock.edge(slot + 1) + port.config.tile.latency;
  config_.packet_trace->begin(key, format().packet_words(header.payload_bytes), since,
                              {port.config.channel, port.word_clock.edge(slot), arrives});
}

Time LinkInterface::take(int32_t port, const Arrival& arrival) {
  if (arrival.words.size() <= static_cast<size_t>(format().header_words())) {
    fail(fmt::format("a packet of {} words arrived, which has no header and footer", arrival.words.size()));
    return arrival.time;
  }
  const link::PacketHeader header = format().decode(arrival.words.data());
  config_.digest->add_arrival(arrival.time, observe::hash_bytes(std::as_bytes(std::span(arrival.words))));
  ++packets_received_;
  const observe::PacketTrace::Key key = packet_key(header, hosts_);
  if (config_.packet_trace != nullptr && config_.packet_trace->wants(key)) config_.packet_trace->end(key, arrival.time);
  if (const std::string wrong = fault(arrival, header, key.destination); !wrong.empty()) {
    fail(wrong);
    return arrival.time;
  }
  return packet_arrived(port, header, arrival.words);
}

std::string LinkInterface::fault(const Arrival& arrival, const link::PacketHeader& header, int32_t destination) const {
  const auto source = static_cast<int32_t>(header.source);
  if (source >= hosts_) return fmt::format("a packet from host {} arrived, and there are {} hosts", source, hosts_);
  if (destination != config_.node) return fmt::format("a packet from {} to {} arrived", source, destination);
  const int32_t words = format().packet_words(header.payload_bytes);
  if (static_cast<size_t>(words) != arrival.words.size())
    return fmt::format("a packet from {} has {} words, its header says {}", source, arrival.words.size(), words);
  if (arrival.words.back().lo != footer_of(arrival.words).lo)
    return fmt::format("a packet from {} arrived damaged (checksum)", source);
  return {};
}

void LinkInterface::fail(const std::string& what) {
  if (config_.failure->empty())
    *config_.failure = fmt::format("host[{}] at {}: {}", config_.node, to_string(now()), what);
}

}  // namespace fabrictwin::nic::words
