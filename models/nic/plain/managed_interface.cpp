// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/plain/managed_interface.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cosim/link/packet_mark.h"

namespace fabrictwin::nic::plain {
namespace {

constexpr int32_t kNoticeWords = PlainPacket::words(0);

}  // namespace

ManagedInterface::ManagedInterface(const sc_core::sc_module_name& name, Config config,
                                   const experiment::GapReaction& reaction)
    : NetworkInterface(name, std::move(config)), reaction_(reaction), ports_(static_cast<size_t>(ports())) {}

congestion::CctIndex& ManagedInterface::index_of(int32_t destination) {
  const congestion::CctIndex fresh({.increase = reaction_.increase,
                                    .limit = reaction_.limit,
                                    .least = reaction_.least,
                                    .timer = reaction_.timer * experiment::GapReaction::kTimerUnit});
  return indexes_.try_emplace(destination, fresh).first->second;
}

void ManagedInterface::send(const OutgoingMessage& message) {
  const int32_t index = turn(message);
  Port& port = ports_[index];
  Flow& flow = port.flows[message.destination];
  flow.messages.push_back({port.messages++, take(message)});
  if (flow.messages.size() == 1) file(index, message.destination);
  inject(index);
  schedule();
}

void ManagedInterface::file(int32_t index, int32_t destination) {
  Port& port = ports_[index];
  const Flow& flow = port.flows.at(destination);
  if (flow.earliest <= next_slot(index)) {
    port.eligible.emplace(flow.messages.front().number, destination);
  } else {
    port.in_gap.emplace(flow.earliest, destination);
  }
}

// Departures, and packets that may leave now.
void ManagedInterface::handle() {
  deliver_completions();
  for (int32_t index = 0; index < ports(); ++index) inject(index);
}

Time ManagedInterface::next_due() const {
  Time next = next_completion();
  for (int32_t index = 0; index < ports(); ++index) {
    const Port& port = ports_[index];
    const Time free = free_at(index);
    // What could leave waits for the link, or else for credits.
    if (!port.notices.empty() || !port.eligible.empty())
      next = std::min(next, free > now() ? free : next_credit(index));
    if (!port.in_gap.empty()) next = std::min(next, std::max(free, slot_time(index, port.in_gap.begin()->first)));
  }
  return next;
}

void ManagedInterface::inject(int32_t index) {
  Port& port = ports_[index];
  while (free_at(index) <= now()) {
    const int64_t slot = next_slot(index);
    while (!port.in_gap.empty() && port.in_gap.begin()->first <= slot) {
      const int32_t destination = port.in_gap.begin()->second;
      port.in_gap.erase(port.in_gap.begin());
      port.eligible.emplace(port.flows.at(destination).messages.front().number, destination);
    }
    if (!(port.notices.empty() ? inject_packet(index) : inject_notice(index))) return;
  }
}

bool ManagedInterface::inject_notice(int32_t index) {
  if (credits(index) < kNoticeWords) return false;
  Port& port = ports_[index];
  const Notice notice = port.notices.front();
  port.notices.pop_front();
  std::array<link::Word, kNoticeWords> words{};
  // Inverted, the number is not taken for that of a message in this direction.
  words[0] = make_header(index, notice.destination, 0, ~notice.sequence).encode();
  send_packet(index, words.data(), kNoticeWords);
  ++control_.notices;
  control_.bytes += static_cast<uint64_t>(kNoticeWords) * link::kWordBytes;
  return true;
}

bool ManagedInterface::inject_packet(int32_t index) {
  Port& port = ports_[index];
  if (port.eligible.empty()) return false;
  const int32_t destination = port.eligible.begin()->second;
  Flow& flow = port.flows.at(destination);
  const Outgoing& outgoing = flow.messages.front().outgoing;
  const PlainPacket packet = PlainPacket::next(outgoing.message.envelope, flow.offset, link::kMaxPayloadBytes);
  const int32_t words = PlainPacket::words(packet.payload);
  if (credits(index) < words) return false;

  port.eligible.erase(port.eligible.begin());
  const int64_t slot = send_part(index, outgoing, flow.offset, packet);
  congestion::CctIndex& table_index = index_of(destination);
  table_index.advance(now().fs());
  flow.earliest = slot + words + reaction_.gap(words, table_index.index());
  flow.offset += static_cast<uint64_t>(packet.payload);
  if (packet.last) {
    complete(index, outgoing.message.cookie);
    flow.messages.pop_front();
    flow.offset = 0;
  }
  if (!flow.messages.empty()) file(index, destination);
  return true;
}

Time ManagedInterface::packet_arrived(int32_t port, const link::PacketHeader& header, const Words& words) {
  const auto source = static_cast<int32_t>(header.source);
  if (header.payload_bytes == 0) {
    ++notices_taken_;
    congestion::CctIndex& index = index_of(source);
    index.advance(now().fs());
    index.notified(now().fs());
    return now();
  }
  if (link::is_marked(words.back())) {
    ++control_.marks;
    ports_[port].notices.push_back({source, header.sequence});
  }
  return NetworkInterface::packet_arrived(port, header, words);
}

}  // namespace fabrictwin::nic::plain
