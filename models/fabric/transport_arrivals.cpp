// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What arrives at hosts with a transport, and what they reply.
#include <algorithm>
#include <tuple>

#include "models/fabric/transport_hosts.h"

namespace fabrictwin::fabric {

using nic::NicPacket;

int64_t TransportHosts::packet_arrived(int64_t now, const NicPacket& packet) {
  now_ = now;
  switch (packet.kind) {
    case NicPacket::Kind::kData:
      data_arrived(packet, now);
      break;
    case NicPacket::Kind::kAck:
      acknowledged(packet, now);
      break;
    default:
      // Such a notice was for the outputs of its path.
      if ((packet.flags & NicPacket::kTelemetry) != 0) {
        network_->drop_path_record(static_cast<uint32_t>(packet.user));
      } else if (const uint32_t id = pair_at(packet); pairs_[id].control != nullptr) {
        pairs_[id].control->notified(now);
        await_timer(id);
      }
      break;
  }
  return now;
}

void TransportHosts::count(int32_t host, int64_t now, const host::ControlCounters& more) {
  control_.add(more);
  if (apart() && over(host)) late_.push_back({now, more});
}

void TransportHosts::data_arrived(const NicPacket& packet, int64_t now) {
  Message& message = messages_[packet.message];
  const bool marked = (packet.flags & NicPacket::kMarked) != 0;
  if (marked) count(packet.destination, now, {.marks = 1});
  count_packet(now, packet, message.ordered ? message.sequence : message.envelope.user[1]);
  message.received += packet.payload_bytes;
  const bool flow = !message.ordered && !config_.flow_bytes.empty();
  if (flow) config_.flow_bytes[message.envelope.user[1]] += packet.payload_bytes;
  FlowSigns* signs =
      flow && marked && !config_.flow_signs.empty() ? &config_.flow_signs[message.envelope.user[1]] : nullptr;
  if (signs != nullptr) ++signs->marks;
  count(packet.destination, now, {.acknowledgements = 1});
  reply(packet, NicPacket::Kind::kAck);
  if (marked && config_.scheme != nullptr) {
    const uint64_t pair = uint64_t{static_cast<uint32_t>(packet.source)} << 32 | packet.message_bytes;
    congestion::ReceiverState& receiver = receivers_[pair];
    if (config_.scheme->notifies(receiver, marked, now)) {
      count(packet.destination, now, {.notices = 1});
      if (signs != nullptr) ++signs->notices;
      reply(packet, NicPacket::Kind::kNotice);
    }
  }
  edge_->wake(packet.destination, packet.destination_port, now);
  if (message.received == nic::PlainPacket::bytes_of(message.envelope)) complete(packet.message);
}

bool TransportHosts::knows(const NicPacket& packet) const {
  if (packet.source_port >= port_count(packet.source) || packet.destination_port >= port_count(packet.destination))
    return false;
  switch (packet.kind) {
    case NicPacket::Kind::kData:
      return true;
    case NicPacket::Kind::kNotice:
      // One with a record is for the outputs of its path, and names a queue pair of its source.
      if ((packet.flags & NicPacket::kTelemetry) != 0) return true;
      [[fallthrough]];
    case NicPacket::Kind::kAck:
      return !is_here(packet.destination) || packet.message < pairs_of_[static_cast<size_t>(packet.destination)].size();
    default:
      return false;
  }
}

void TransportHosts::reply(const NicPacket& packet, NicPacket::Kind kind) {
  NicPacket control;
  control.source = packet.destination;
  control.destination = packet.source;
  control.message = packet.message_bytes;
  control.message_bytes = packet.payload_bytes;
  control.offset = packet.offset;
  control.payload_bytes = 0;
  const bool recorded = kind == NicPacket::Kind::kAck && (packet.flags & NicPacket::kTelemetry) != 0;
  const int32_t extra = recorded || config_.aside() ? 0 : config_.extra_bytes();
  control.wire_bytes = static_cast<uint16_t>(config_.control_bytes() - extra);
  control.user = packet.user;
  control.kind = kind;
  control.flags = kind == NicPacket::Kind::kAck ? packet.flags : uint8_t{0};
  if (kind == NicPacket::Kind::kAck && config_.transport.acknowledgements_with_data)
    control.flags |= NicPacket::kWithData;
  control.source_port = packet.destination_port;
  control.destination_port = packet.source_port;
  if (config_.aside()) {
    network_->send_aside(control, now_ + return_time(packet.source, packet.source_port, packet.destination));
  } else {
    port_of(packet.destination, packet.destination_port).control.push_back(control);
  }
}

void TransportHosts::acknowledged(const NicPacket& packet, int64_t now) {
  const uint32_t id = pair_at(packet);
  QueuePair& pair = pairs_[id];
  pair.acknowledged += packet.message_bytes;
  while (!pair.outstanding.empty() && pair.outstanding.front().end <= pair.acknowledged) {
    completed_.emplace_back(pair.host, pair.outstanding.front());
    pair.outstanding.pop_front();
  }
  const congestion::PathRecord* path = nullptr;
  int64_t left = static_cast<int64_t>(packet.user);
  const bool recorded = (packet.flags & NicPacket::kTelemetry) != 0;
  if (recorded) {
    path = &network_->path_record(static_cast<uint32_t>(packet.user));
    left = path->sent;
  }
  if (pair.control != nullptr) {
    pair.control->acknowledged({now, now - left, packet.message_bytes, static_cast<int64_t>(pair.acknowledged),
                                static_cast<int64_t>(pair.sent), (packet.flags & NicPacket::kMarked) != 0, path});
    await_timer(id);
  }
  if (recorded) network_->drop_path_record(static_cast<uint32_t>(packet.user));
  if (pair.flow && (pair.acknowledged == pair.given || (now >= pair.stop && pair.acknowledged == pair.sent)))
    return end_flow(id, now);
  if (pair.acknowledged == pair.sent && pair.messages.empty()) leave_outputs(id, now);
  make_eligible(id, now);
}

// All that the flow has sent is acknowledged, and it sends nothing more. Its message, if that was stopped, remains with
// the receiver, which has not got all of it.
void TransportHosts::end_flow(uint32_t id, int64_t now) {
  leave_outputs(id, now);
  QueuePair& pair = pairs_[id];
  if (!pair.repeats) pair.control.reset();
  pair.given = pair.sent;
  while (!pair.messages.empty()) pair.messages.pop_front();
  while (!pair.outstanding.empty()) {
    completed_.emplace_back(pair.host, pair.outstanding.front());
    pair.outstanding.pop_front();
  }
}

// Tells the outputs of the path that a queue pair has nothing to send, if the scheme wants that.
void TransportHosts::leave_outputs(uint32_t id, int64_t now) {
  QueuePair& pair = pairs_[id];
  if (!telemetry_ || pair.control == nullptr || !pair.control->leaves()) return;
  NicPacket notice;
  notice.source = pair.host;
  notice.destination = pair.destination;
  notice.message = pair.number;
  notice.wire_bytes = static_cast<uint16_t>(config_.data_bytes(1));
  notice.user = make_record(pair, now);
  notice.kind = NicPacket::Kind::kNotice;
  notice.flags = NicPacket::kTelemetry;
  notice.source_port = static_cast<uint8_t>(pair.port);
  notice.destination_port = static_cast<uint8_t>(pair.port % port_count(pair.destination));
  count(pair.host, now, {.notices = 1});
  port_of(pair.host, pair.port).control.push_back(notice);
  edge_->wake(pair.host, pair.port, now);
}

void TransportHosts::settle(int64_t now) {
  if (!completed_.empty()) {
    // The network does not order events of one time.
    std::sort(completed_.begin(), completed_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first, a.second.cookie) < std::tie(b.first, b.second.cookie);
    });
    for (const auto& [host, message] : completed_)
      deliver_acknowledged(host, message.cookie, Time::from_fs(message.alone));
    completed_.clear();
  }
  Hosts::settle(now);
}

}  // namespace fabrictwin::fabric
