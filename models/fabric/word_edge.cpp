// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/word_edge.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::fabric {
namespace {

using link::Record;
using link::RecordKind;

/// Words of a first packet that say all of its message: header and envelope.
constexpr int32_t kWordsOfEnvelope = 1 + static_cast<int32_t>(sizeof(nic::Envelope)) / link::kWordBytes;

}  // namespace

WordEdge::WordEdge(const system::SystemGraph& graph, uint64_t seed, run::CutPort port, Unit unit)
    : graph_(graph),
      hosts_(graph.host_count()),
      seed_(seed),
      buffer_words_(graph.channel_link(static_cast<int32_t>(port.receiver->spec().id)).buffer_words),
      port_(port),
      unit_(unit) {}

size_t WordEdge::packets_coming() const {
  size_t coming = 0;
  for (const Vc& vc : vcs_) {
    coming += vc.composing.count > 0 && !vc.composing.entered ? 1 : 0;
    coming += static_cast<size_t>(std::count_if(vc.buffered.begin(), vc.buffered.end(),
                                                [](const Buffered& packet) { return packet.tail.is_never(); }));
  }
  return coming;
}

link::PacketHeader WordEdge::header_of(int32_t source, int32_t destination, uint32_t sequence, uint16_t payload) const {
  link::PacketHeader header = nic::make_header(graph_, hosts_, source, destination, 0);
  header.payload_bytes = payload;
  header.sequence = sequence;
  header.ties = nic::flow_ties(seed_, source, destination);
  return header;
}

absl::Status WordEdge::broken(const Record& record, std::string_view what) const {
  return absl::DataLossError(
      fmt::format("{} at {}: protocol error: {}", port_.receiver->spec().name, to_string(record.time()), what));
}

absl::Status WordEdge::receive(Time until, std::vector<Arrival>& arrivals, std::vector<Space>& spaces,
                               std::vector<Word>* words) {
  link::ChannelReceiver& receiver = *port_.receiver;
  while (receiver.front() != nullptr && receiver.front()->time() < until) {
    const Record& record = *receiver.front();
    if (record.kind == RecordKind::kBurst) {
      if (absl::Status status = receive_burst(record, arrivals, words); !status.ok()) return status;
    } else if (record.kind == RecordKind::kCredit) {
      Vc& vc = vcs_[record.vc];
      if (record.count > vc.sent)
        return broken(record, fmt::format("a credit of {} words, and {} are owed", record.count, vc.sent));
      vc.sent -= record.count;
      spaces.push_back({record.time(), record.vc, record.count * link::kWordBytes});
    } else {
      return broken(record, fmt::format("a record of kind {}, and links of routers carry words and credits",
                                        static_cast<int>(record.kind)));
    }
    receiver.pop();
  }
  return absl::OkStatus();
}

absl::Status WordEdge::receive_burst(const Record& record, std::vector<Arrival>& arrivals, std::vector<Word>* words) {
  const link::ChannelSpec& spec = port_.receiver->spec();
  const int64_t first = port_.receiver->first_slot(record);
  for (int32_t i = 0; i < record.count; ++i) {
    const Time time = spec.word_clock.edge(first + i + 1) + spec.latency;
    const size_t known = arrivals.size();
    if (absl::Status status = take_word(record, i, time, arrivals); !status.ok()) return status;
    if (words != nullptr) words->push_back({time, record.vc, arrivals.size() > known});
  }
  return absl::OkStatus();
}

absl::Status WordEdge::take_word(const Record& record, int32_t index, Time time, std::vector<Arrival>& arrivals) {
  Composing& packet = vcs_[record.vc].composing;
  const bool starts = index == 0 && (record.flags & link::kStartOfPacket) != 0;
  const bool ends = index + 1 == record.count && (record.flags & link::kEndOfPacket) != 0;
  if (starts != (packet.count == 0))
    return broken(record, starts ? "a packet begins within another one" : "a word that belongs to no packet");
  if (++vcs_[record.vc].here > buffer_words_)
    return broken(record, fmt::format("words for VC {} beyond its buffer of {}", record.vc, buffer_words_));
  if (starts) packet.head = time;
  if (!starts && packet.count == packet.header.packet_words()) return broken(record, "a packet without an end");
  packet.words[static_cast<size_t>(packet.count++)] = record.words[static_cast<size_t>(index)];
  if (starts) {
    if (absl::Status status = begin(record, packet); !status.ok()) return status;
  }
  if (!packet.entered) {
    if (absl::Status status = enter(record, time, arrivals); !status.ok()) return status;
  }
  return ends ? finish(record, time) : absl::OkStatus();
}

absl::Status WordEdge::begin(const Record& record, Composing& packet) const {
  packet.header = link::PacketHeader::decode(packet.words[0]);
  const link::PacketHeader& header = packet.header;
  if (header.source >= static_cast<uint32_t>(hosts_) || header.destination >= static_cast<uint32_t>(hosts_)) {
    return broken(record, fmt::format("a packet from host {} to host {}, and there are {}", header.source,
                                      header.destination, hosts_));
  }
  if (header.payload_bytes == 0 || header.payload_bytes > link::kMaxPayloadBytes)
    return broken(record, fmt::format("a packet with {} bytes of a message", header.payload_bytes));
  // Tie bits, coordinates and what a plain interface leaves zero follow from the rest.
  const link::PacketHeader right =
      header_of(static_cast<int32_t>(header.source), static_cast<int32_t>(header.destination), header.sequence,
                header.payload_bytes);
  if (header == right) return absl::OkStatus();
  return broken(record, fmt::format("a packet from host {} to host {} with a header that no plain interface makes",
                                    header.source, header.destination));
}

// What follows the header of a first packet is in its message, so the network must not have it before that has come.
absl::Status WordEdge::enter(const Record& record, Time time, std::vector<Arrival>& arrivals) {
  Vc& vc = vcs_[record.vc];
  Composing& packet = vc.composing;
  const link::PacketHeader& header = packet.header;
  const auto source = static_cast<int32_t>(header.source);
  const auto destination = static_cast<int32_t>(header.destination);
  Progress& flow = incoming_[Flow(source, destination)];
  if (flow.bytes == 0 && packet.count < kWordsOfEnvelope && header.payload_bytes >= sizeof(nic::Envelope))
    return absl::OkStatus();
  packet.offset = flow.bytes;
  if (absl::Status status = note(record, flow); !status.ok()) return status;
  packet.envelope = flow.envelope;
  const uint64_t bytes = nic::PlainPacket::bytes_of(flow.envelope);
  if (flow.bytes == bytes) flow = {.sequence = flow.sequence + 1};
  packet.entered = true;
  vc.buffered.push_back({static_cast<uint8_t>(header.packet_words())});

  Arrival& arrival = arrivals.emplace_back();
  arrival.vc = record.vc;
  arrival.head = packet.head;
  arrival.known = time;
  arrival.packet.message = {packet.envelope, header.sequence, true};
  arrival.packet.route.source = source;
  arrival.packet.route.destination = destination;
  arrival.packet.route.random = header.ties;
  nic::NicPacket& nic = arrival.packet.nic;
  nic.source = source;
  nic.destination = destination;
  nic.message_bytes = static_cast<uint32_t>(bytes);
  nic.offset = static_cast<uint32_t>(packet.offset);
  nic.payload_bytes = header.payload_bytes;
  nic.wire_bytes = static_cast<uint16_t>(header.packet_words() * link::kWordBytes);
  return absl::OkStatus();
}

// Adds the packet that is coming to its flow: it must be the next one.
absl::Status WordEdge::note(const Record& record, Progress& flow) const {
  const Composing& packet = vcs_[record.vc].composing;
  const link::PacketHeader& header = packet.header;
  if (header.sequence != flow.sequence) {
    return broken(record, fmt::format("message {} from host {} to host {} where message {} was expected",
                                      header.sequence, header.source, header.destination, flow.sequence));
  }
  if (flow.bytes == 0) {
    if (header.payload_bytes < sizeof(nic::Envelope)) {
      return broken(record,
                    fmt::format("message {} from host {} begins without an envelope", header.sequence, header.source));
    }
    std::memcpy(static_cast<void*>(&flow.envelope), &packet.words[1], sizeof(nic::Envelope));
  }
  flow.bytes += header.payload_bytes;
  if (flow.bytes <= nic::PlainPacket::bytes_of(flow.envelope)) return absl::OkStatus();
  return broken(record, fmt::format("message {} from host {} is longer than the {} bytes that it announced",
                                    header.sequence, header.source, flow.envelope.bytes));
}

absl::Status WordEdge::finish(const Record& record, Time time) {
  Vc& vc = vcs_[record.vc];
  Composing packet = std::exchange(vc.composing, {});
  const int32_t count = packet.header.packet_words();
  if (packet.count != count || !packet.entered)
    return broken(record, fmt::format("a packet of {} words, whose header says {}", packet.count, count));
  nic::PacketWords right = nic::make_plain_words(packet.header, packet.envelope, packet.offset);
  right[static_cast<size_t>(count - 1)] = nic::make_footer({&right[1], static_cast<size_t>(count - 2)});
  if (!std::equal(right.begin(), right.begin() + count, packet.words.begin())) {
    return broken(record, fmt::format("a packet of message {} from host {} to host {} is damaged",
                                      packet.header.sequence, packet.header.source, packet.header.destination));
  }
  if (unit_ == Unit::kFlits) {
    vc.buffered.pop_back();
    return absl::OkStatus();
  }
  vc.buffered.back().tail = time;
  return_credits(record.vc);
  return absl::OkStatus();
}

int32_t WordEdge::make_words(const CrossingPacket& packet, nic::PacketWords& words) {
  // The offset in a packet has 32 bits, and messages may be larger.
  Progress& flow = outgoing_[Flow(packet.nic.source, packet.nic.destination)];
  if (flow.sequence != packet.message.sequence) flow = {.sequence = packet.message.sequence};
  const link::PacketHeader header =
      header_of(packet.nic.source, packet.nic.destination, packet.message.sequence, packet.nic.payload_bytes);
  words = nic::make_plain_words(header, packet.message.envelope, flow.bytes);
  flow.bytes += packet.nic.payload_bytes;
  const int32_t count = header.packet_words();
  words[static_cast<size_t>(count - 1)] = nic::make_footer({&words[1], static_cast<size_t>(count - 2)});
  return count;
}

void WordEdge::send_word(int64_t slot, uint8_t vc, int32_t index, int32_t count, const link::Word& word) {
  const int flags = (index == 0 ? link::kStartOfPacket : 0) | (index + 1 == count ? link::kEndOfPacket : 0);
  port_.sender->send_word(slot, vc, static_cast<uint8_t>(flags), word);
  ++vcs_[vc].sent;
}

void WordEdge::send(const CrossingPacket& packet, uint8_t vc, Time header_left, Time footer_left) {
  const Clock& slots = port_.sender->spec().word_clock;
  nic::PacketWords words;
  const int32_t count = make_words(packet, words);
  const int64_t first = std::max(slots.edge_at_or_after(header_left) - 1, next_slot_);
  // Words of a packet that comes more slowly than the link takes it follow as late as they may.
  const int64_t last = std::max(slots.edge_at_or_after(footer_left) - 1, first + count - 1);
  next_slot_ = last + 1;
  for (int32_t i = 0; i < count; ++i)
    send_word(i == 0 ? first : last - (count - 1 - i), vc, i, count, words[static_cast<size_t>(i)]);
}

void WordEdge::begin(const CrossingPacket& packet, uint8_t vc) {
  Leaving& leaving = vcs_[vc].leaving;
  leaving.count = make_words(packet, leaving.words);
  leaving.next = 0;
}

void WordEdge::send_flit(uint8_t vc, int64_t slot) {
  Leaving& leaving = vcs_[vc].leaving;
  slot = std::max(slot, next_slot_);
  next_slot_ = slot + 1;
  const int32_t index = leaving.next++;
  send_word(slot, vc, index, leaving.count, leaving.words[static_cast<size_t>(index)]);
}

void WordEdge::give_back_flits(Time sent, uint8_t vc, int32_t count) {
  port_.sender->send_credit(sent, vc, static_cast<uint8_t>(count));
  vcs_[vc].here -= count;
}

void WordEdge::give_back(Time sent, uint8_t vc) {
  std::deque<Buffered>& buffered = vcs_[vc].buffered;
  const auto oldest =
      std::find_if(buffered.begin(), buffered.end(), [](const Buffered& packet) { return packet.leaves.is_never(); });
  if (oldest != buffered.end()) oldest->leaves = sent;
  return_credits(vc);
}

void WordEdge::return_credits(uint8_t vc) {
  std::deque<Buffered>& buffered = vcs_[vc].buffered;
  while (!buffered.empty() && !buffered.front().leaves.is_never() && !buffered.front().tail.is_never()) {
    const Buffered& oldest = buffered.front();
    port_.sender->send_credit(std::max(oldest.leaves, oldest.tail), vc, oldest.words);
    vcs_[vc].here -= oldest.words;
    buffered.pop_front();
  }
}

}  // namespace fabrictwin::fabric
