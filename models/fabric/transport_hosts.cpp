// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/transport_hosts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cosim/base/prefetch.h"
#include "cosim/link/record.h"

namespace fabrictwin::fabric {
namespace {

using nic::NicPacket;

/// The client event of a timer of a queue pair, whose number is in the other bits.
constexpr uint32_t kPairTimer = uint32_t{1} << 29;

/// How long `bytes` take at a rate in bits per second, in femtoseconds, rounded up.
int64_t time_of(int64_t bytes, double rate) {
  return static_cast<int64_t>(8e15 * static_cast<double>(bytes) / rate) + 1;
}

}  // namespace

int32_t TransportHosts::Config::wire_bytes(int32_t payload_bytes) const {
  return transport.header.has_value() ? payload_bytes + static_cast<int32_t>(*transport.header)
                                      : nic::PlainPacket::wire_bytes(payload_bytes);
}

int32_t TransportHosts::Config::control_bytes() const {
  if (aside()) return 0;
  return static_cast<int32_t>(transport.acknowledgement) + extra_bytes();
}

int32_t TransportHosts::Config::largest() const { return std::max(data_bytes(payload), control_bytes()); }

int32_t TransportHosts::Config::smallest() const {
  return aside() ? wire_bytes(1) : std::min(wire_bytes(1), static_cast<int32_t>(transport.acknowledgement));
}

TransportHosts::TransportHosts(std::span<const int32_t> ports, const Config& config,
                               std::span<observe::EndpointDigest> digests, Messages messages)
    : Hosts(ports.size(), digests, std::move(messages)),
      config_(config),
      oldest_first_(config.transport.arbitration == v1::Transport::OLDEST_FIRST),
      telemetry_(config.scheme != nullptr && config.scheme->telemetry()),
      turns_(ports.size()),
      orders_(ports.size()),
      pairs_of_(ports.size()) {
  first_port_.push_back(0);
  for (const int32_t count : ports) first_port_.push_back(first_port_.back() + static_cast<size_t>(count));
  ports_.resize(first_port_.back());
}

uint32_t TransportHosts::make_queue_pair(int32_t node, int32_t port, int32_t destination) {
  const auto id = static_cast<uint32_t>(pairs_.size());
  std::vector<uint32_t>& others = pairs_of_[static_cast<size_t>(node)];
  QueuePair& pair = pairs_.emplace_back();
  pair.number = static_cast<uint32_t>(others.size());
  others.push_back(id);
  pair.host = node;
  pair.port = port;
  pair.destination = destination;
  if (config_.scheme != nullptr) {
    if (network_round_trip_ == 0 && config_.scheme->wants_network_round_trip())
      network_round_trip_ = largest_round_trip();
    const TransportEdge::Path trip = round_trip(node, port, destination);
    pair.control = config_.scheme->make_flow({.line_rate = network_->link_rate(node, port),
                                              .round_trip = trip.time,
                                              .max_packet = config_.largest(),
                                              .network_round_trip = network_round_trip_,
                                              .switches = trip.switches,
                                              .payload = config_.payload});
  }
  return id;
}

TransportEdge::Path TransportHosts::round_trip(int32_t node, int32_t port, int32_t destination) const {
  TransportEdge::Path trip = network_->path(node, port, destination, TransportEdge::Train::of_one(config_.largest()));
  trip.time += return_time(node, port, destination);
  return trip;
}

// Of large networks, some hosts are enough: topologies are regular.
int64_t TransportHosts::largest_round_trip() const {
  constexpr int64_t kSources = 64;
  const auto hosts = static_cast<int64_t>(turns_.size());
  const int64_t sources = std::min(hosts, kSources);
  int64_t largest = 0;
  for (int64_t i = 0; i < sources; ++i) {
    const auto source = static_cast<int32_t>(i * hosts / sources);
    for (int32_t destination = 0; destination < hosts; ++destination) {
      if (destination != source) largest = std::max(largest, round_trip(source, 0, destination).time);
    }
  }
  return largest;
}

uint32_t TransportHosts::queue_pair_for(int32_t node, const nic::OutgoingMessage& message, int32_t port) {
  if (message.flow) {
    if (const auto found = by_flow_.find(message.envelope.user[1]); message.repeats && found != by_flow_.end())
      return found->second;
    const uint32_t made = make_queue_pair(node, port, message.destination);
    pairs_[made].flow = true;
    pairs_[made].repeats = message.repeats;
    if (message.repeats) by_flow_.emplace(message.envelope.user[1], made);
    return made;
  }
  // Hosts are fewer than 2^24, and have fewer than 2^16 ports.
  const uint64_t key = uint64_t{static_cast<uint32_t>(node)} << 40 |
                       uint64_t{static_cast<uint32_t>(message.destination)} << 16 | static_cast<uint32_t>(port);
  const auto [found, fresh] = by_destination_.try_emplace(key, 0);
  if (fresh) found->second = make_queue_pair(node, port, message.destination);
  return found->second;
}

void TransportHosts::send_message(int32_t node, const nic::OutgoingMessage& message) {
  const uint32_t id = make_message(node, message, !message.flow);
  // A flow has one message at a time.
  if (message.flow) messages_[id].sequence = static_cast<uint32_t>(message.envelope.user[1]);
  const int32_t port = turns_[static_cast<size_t>(node)].take(message, port_count(node));
  const uint32_t number = queue_pair_for(node, message, port);
  QueuePair& pair = pairs_[number];
  const uint64_t bytes = nic::PlainPacket::bytes_of(message.envelope);
  pair.messages.push_back({id, orders_[static_cast<size_t>(node)]++});
  pair.given += bytes;
  if (message.flow) {
    pair.stop = message.stop.fs();
    const bool endless = message.envelope.bytes == nic::OutgoingMessage::kEndless;
    pair.outstanding.push_back({pair.given, message.cookie, endless ? 0 : alone(pair, bytes)});
    if (!config_.flow_signs.empty()) {
      FlowSigns& signs = config_.flow_signs[message.envelope.user[1]];
      signs.port = pair.port;
      signs.queue_pair = pair.number;
      signs.source = node;
      signs.destination = message.destination;
    }
    // A flow that waits then learns of its end.
    if (pair.stop != kNever) edge_->schedule(node, pair.stop, kPairTimer | number);
  }
  make_eligible(number, now_);
}

int64_t TransportHosts::return_time(int32_t node, int32_t port, int32_t destination) const {
  // What takes no bandwidth takes as long as a word.
  const int32_t bytes = config_.aside() ? link::kWordBytes : config_.control_bytes();
  const auto train = TransportEdge::Train::of_one(bytes);
  return network_->path(destination, port % port_count(destination), node, train).time + config_.delay();
}

TransportEdge::Soonest TransportHosts::soonest_return(const QueuePair& pair, int64_t before) const {
  if (config_.aside()) {
    const int64_t time = return_time(pair.host, pair.port, pair.destination);
    return {.first = time, .all = time};
  }
  const TransportEdge::Train train{
      .packets = before, .bytes = config_.control_bytes(), .last = config_.control_bytes()};
  return network_->soonest(pair.destination, pair.port % port_count(pair.destination), pair.host, pair.number, train);
}

int64_t TransportHosts::alone(const QueuePair& pair, uint64_t bytes) const {
  const auto packets = static_cast<int64_t>((bytes - 1) / static_cast<uint64_t>(config_.payload));
  const auto rest = static_cast<int32_t>(static_cast<int64_t>(bytes) - packets * config_.payload);
  const TransportEdge::Train train{
      .packets = packets, .bytes = config_.wire_bytes(config_.payload), .last = config_.wire_bytes(rest)};
  const auto there = [&](const TransportEdge::Train& some) {
    return network_->soonest(pair.host, pair.port, pair.destination, pair.number, some);
  };
  const TransportEdge::Soonest data = there(train);
  const TransportEdge::Soonest answer = soonest_return(pair, 0);
  const int64_t alone = data.all + answer.all;
  if (packets == 0 || config_.aside()) return alone;
  // Packets on several paths overtake each other: no acknowledgement need be behind a certain other one, but they come
  // back one after the other.
  if (!data.one_path || !answer.one_path) return std::max(alone, data.first + soonest_return(pair, packets).all);
  // Acknowledgements may have to wait for those before them: all behind the first one where they need more time than
  // data packets, and that of a short last packet, which comes soon after the one before it.
  const auto full = [&](int64_t count) {
    return there({.packets = count - 1, .bytes = train.bytes, .last = train.bytes}).all;
  };
  return std::max({alone, full(1) + soonest_return(pair, packets).all, full(packets) + soonest_return(pair, 1).all});
}

int32_t TransportHosts::next_payload(const QueuePair& pair) const {
  const Message& message = messages_[pair.messages.front().id];
  return nic::PlainPacket::next(message.envelope, message.sent, config_.payload).payload;
}

bool TransportHosts::allows(const QueuePair& pair, int64_t now) const {
  if (pair.messages.empty() || now >= pair.stop) return false;
  if (pair.control == nullptr || pair.sent == pair.acknowledged) return true;
  const int64_t window = pair.control->window();
  return window == congestion::FlowControl::kUnlimited ||
         static_cast<int64_t>(pair.sent - pair.acknowledged) + next_payload(pair) <= window;
}

int64_t TransportHosts::rank(const QueuePair& pair, Port& port) const {
  return oldest_first_ ? pair.messages.front().order : port.turn++;
}

void TransportHosts::make_eligible(uint32_t id, int64_t now) {
  QueuePair& pair = pairs_[id];
  if (pair.waiting || !allows(pair, now)) return;
  pair.waiting = true;
  pair.due = std::max(pair.next_send, now);
  Port& port = port_of(pair.host, pair.port);
  if (pair.next_send <= now) {
    port.ready.emplace(rank(pair, port), id);
  } else {
    port.paced.emplace(pair.next_send, id);
  }
  edge_->wake(pair.host, pair.port, std::max(pair.next_send, now));
}

Client::Offer TransportHosts::next_packet(int32_t host, int32_t number, int64_t now, int32_t space, NicPacket& packet) {
  Port& port = port_of(host, number);
  release_paced(port, now);
  // Flows may have been stopped while they waited.
  while (!port.ready.empty() && !allows(pairs_[port.ready.top().second], now)) {
    pairs_[port.ready.top().second].waiting = false;
    port.ready.pop();
  }
  if (!port.control.empty()) {
    const NicPacket& control = port.control.front();
    const bool paused = space < 0 && (control.flags & NicPacket::kWithData) != 0;
    if (paused || (space >= 0 && control.wire_bytes > space)) return Offer::kTooLarge;
    packet = control;
    port.control.pop_front();
    count(host, now, {.bytes = packet.wire_bytes});
  } else if (!port.ready.empty()) {
    if (config_.queues) pass_over(host, number, now);
    const uint32_t id = port.ready.empty() ? 0 : port.ready.top().second;
    const bool fits = !port.ready.empty() && config_.data_bytes(next_payload(pairs_[id])) <= space;
    if (fits) port.ready.pop();
    for (const Entry& entry : passed_over_) port.ready.push(entry);
    passed_over_.clear();
    if (!fits) {
      // Others may be admitted when their time has come.
      if (!port.paced.empty()) edge_->wake(host, number, port.paced.top().first);
      return Offer::kTooLarge;
    }
    fill(id, now, packet);
  } else {
    if (!port.paced.empty()) edge_->wake(host, number, port.paced.top().first);
    return Offer::kNothing;
  }
  if (!port.control.empty() || !port.ready.empty()) return Offer::kTaken;
  if (!port.paced.empty()) edge_->wake(host, number, port.paced.top().first);
  return Offer::kLast;
}

// Takes the next packet of a queue pair, which then waits for its next turn.
void TransportHosts::fill(uint32_t id, int64_t now, NicPacket& packet) {
  QueuePair& pair = pairs_[id];
  const uint32_t sending = pair.messages.front().id;
  Message& message = messages_[sending];
  const nic::PlainPacket next = nic::PlainPacket::next(message.envelope, message.sent, config_.payload);
  const bool recorded = telemetry_ && pair.control != nullptr && pair.control->records();
  const int32_t wire = recorded ? config_.data_bytes(next.payload) : config_.wire_bytes(next.payload);
  packet.source = pair.host;
  packet.destination = pair.destination;
  packet.message = sending;
  packet.message_bytes = pair.number;  // The receiver returns it with acknowledgements.
  packet.offset = static_cast<uint32_t>(message.sent);
  packet.payload_bytes = static_cast<uint16_t>(next.payload);
  packet.wire_bytes = static_cast<uint16_t>(wire);
  packet.user = static_cast<uint64_t>(now);
  packet.kind = NicPacket::Kind::kData;
  packet.flags = 0;
  packet.source_port = static_cast<uint8_t>(pair.port);
  packet.destination_port = static_cast<uint8_t>(pair.port % port_count(pair.destination));
  if (recorded) {
    packet.user = make_record(pair, now);
    packet.flags = NicPacket::kTelemetry;
  }
  message.sent += static_cast<uint64_t>(next.payload);
  pair.sent += static_cast<uint64_t>(next.payload);
  if (next.last) {
    // A message without a cookie is not reported.
    if (message.cookie != 0 || goes_away(message))
      edge_->schedule(pair.host, now + edge_->duration(pair.host, pair.port, wire), sending | kSent);
    pair.messages.pop_front();
  }
  if (pair.control != nullptr) {
    pair.control->sent(now, next.payload, wire);
    const double rate = pair.control->rate();
    // Others may have kept it waiting.
    const int64_t from = std::max(pair.due, now - pair.control->catches_up());
    pair.next_send =
        rate < static_cast<double>(network_->link_rate(pair.host, pair.port)) ? from + time_of(wire, rate) : now;
    await_timer(id);
  }
  pair.waiting = false;
  make_eligible(id, now);
  // It has waited for nothing but its time.
  pair.due = pair.next_send;
}

uint32_t TransportHosts::make_record(QueuePair& pair, int64_t now) {
  const uint32_t made = network_->make_path_record();
  congestion::PathRecord& record = network_->path_record(made);
  record.sent = now;
  pair.control->begin(record);
  return made;
}

void TransportHosts::await_timer(uint32_t id) {
  QueuePair& pair = pairs_[id];
  const int64_t next = pair.control->next_timer();
  if (next >= pair.timer) return;
  pair.timer = next;
  edge_->schedule(pair.host, next, kPairTimer | id);
}

void TransportHosts::event(int64_t now, uint32_t id) {
  if ((id & kMessage) != 0 || (id & kPairTimer) == 0) return Hosts::event(now, id);
  const uint32_t number = id & ~kPairTimer;
  QueuePair& pair = pairs_[number];
  if (pair.stop == now && pair.acknowledged == pair.sent) end_flow(number, now);
  // A timer that was set anew has another event.
  if (pair.timer != now) return;
  pair.timer = kNever;
  if (pair.control == nullptr) return;
  // A run in several partitions ends when nothing happens any more; this one sends nothing again.
  if (apart() && pair.acknowledged == pair.sent && over(pair.host)) return;
  if (pair.control->next_timer() <= now) pair.control->timer(now);
  await_timer(number);
  make_eligible(number, now);
}

TransportHosts::Allowance TransportHosts::allowance(int32_t source, uint32_t queue_pair) const {
  const std::vector<uint32_t>& pairs = pairs_of_[static_cast<size_t>(source)];
  // The host is in another shard.
  if (queue_pair >= pairs.size()) return {};
  const congestion::FlowControl* const control = pairs_[pairs[queue_pair]].control.get();
  if (control == nullptr) return {};
  const bool limited = control->window() != congestion::FlowControl::kUnlimited;
  return {static_cast<uint64_t>(std::max(0.0, std::round(control->rate()))),
          limited ? static_cast<uint64_t>(std::max<int64_t>(1, control->window())) : 0};
}

Hosts::Origin TransportHosts::origin(const NicPacket& packet) const {
  if (packet.kind == NicPacket::Kind::kData) return {number_of(packet.message), packet.message};
  return {uint64_t{static_cast<uint8_t>(packet.kind)} << 32 | packet.message, 0};
}

void TransportHosts::expect_arrival(const NicPacket& packet) const {
  if (packet.kind == NicPacket::Kind::kData) prefetch(messages_[packet.message]);
  expect_host(packet.destination);
}

}  // namespace fabrictwin::fabric
