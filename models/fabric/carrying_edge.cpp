// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/carrying_edge.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::fabric {
namespace {

/// Edges from a word's being taken by a router of words until it is on its next link.
constexpr int64_t kWordEdges = 2;

}  // namespace

CarryingEdge::CarryingEdge(const Config& config, CarriedPackets& packets, Neighbour& neighbour)
    : config_(config), packets_(packets), neighbour_(neighbour) {}

std::string CarryingEdge::take(int64_t slot, uint8_t vc, uint8_t flags, std::span<const link::Word> words,
                               std::vector<Arrival>& arrivals, std::vector<int32_t>& leaving) {
  Vc& into = vcs_[vc];
  into.here += static_cast<int64_t>(words.size());
  if (into.here > config_.buffer_words)
    return fmt::format("words for VC {} beyond its buffer of {}", vc, config_.buffer_words);
  const bool starts = (flags & link::kStartOfPacket) != 0;
  if (starts != (into.coming == 0))
    return starts ? "a packet begins within another one" : "a word that belongs to no packet";
  if (starts) {
    if (std::string wrong = begin(slot, vc, words, arrivals); !wrong.empty()) return wrong;
  }
  CarriedPacket& packet = packets_[into.coming];
  const bool ends = (flags & link::kEndOfPacket) != 0;
  const size_t count = packet.here + words.size();
  if (count > packet.count || ends != (count == packet.count))
    return fmt::format("a packet of {} words, whose header says {}", count, packet.count);
  add(packet, slot, words);
  if (packet.leaves_by != CarriedPacket::kNowhere) leaving.push_back(packet.leaves_by);
  if (!ends) return {};
  into.coming = 0;
  // A packet may have left its buffer before its last word has come, but not the one behind it.
  const auto coming = std::find_if(into.buffered.begin(), into.buffered.end(),
                                   [](const Buffered& each) { return each.tail.is_never(); });
  coming->tail = arrives(slot + static_cast<int64_t>(words.size()) - 1);
  return_credits(vc);
  return {};
}

std::string CarryingEdge::begin(int64_t slot, uint8_t vc, std::span<const link::Word> words,
                                std::vector<Arrival>& arrivals) {
  Arrival arrival;
  arrival.header = link::PacketHeader::decode(words[0]);
  if (arrival.header.payload_bytes > link::kMaxPayloadBytes)
    return fmt::format("a header announces {} bytes, more than {}", arrival.header.payload_bytes,
                       link::kMaxPayloadBytes);
  arrival.packet = packets_.make();
  arrival.vc = vc;
  arrival.head = arrives(slot);
  arrival.tail = arrives(slot + arrival.header.packet_words() - 1);
  CarriedPacket& packet = packets_[arrival.packet];
  packet.count = static_cast<uint8_t>(arrival.header.packet_words());
  packet.here = 0;
  packet.whole = config_.whole;
  packet.leaves_by = CarriedPacket::kNowhere;
  vcs_[vc].coming = arrival.packet;
  vcs_[vc].buffered.push_back({packet.count});
  arrivals.push_back(arrival);
  return {};
}

void CarryingEdge::add(CarriedPacket& packet, int64_t slot, std::span<const link::Word> words) const {
  std::copy(words.begin(), words.end(), packet.words.begin() + packet.here);
  for (size_t i = 0; i < words.size() && !packet.whole; ++i)
    packet.arrived[packet.here + i] = arrives(slot + static_cast<int64_t>(i));
  packet.here = static_cast<uint8_t>(packet.here + words.size());
}

std::string CarryingEdge::take_credit(uint8_t vc, int32_t words) {
  if (words > vcs_[vc].sent) return fmt::format("a credit of {} words, and {} are owed", words, vcs_[vc].sent);
  vcs_[vc].sent -= words;
  return {};
}

void CarryingEdge::send(uint32_t packet, uint8_t vc, Time header_left, Time footer_left) {
  CarriedPacket& leaving = packets_[packet];
  vcs_[vc].sent += leaving.count;
  leaving.leaves_by = config_.number;
  // Both times are ends of slots.
  leaving_.push_back({packet, vc, 0, config_.slots.edge_at_or_after(header_left) - 1,
                      config_.slots.edge_at_or_after(footer_left) - 1});
  go_on();
}

void CarryingEdge::go_on() {
  while (!leaving_.empty() && leave(leaving_.front())) {
    packets_.drop(leaving_.front().packet);
    leaving_.pop_front();
  }
}

// Words of a packet that comes more slowly than the link takes it follow as late as they may.
int64_t CarryingEdge::slot_of(const CarriedPacket& packet, const Leaving& leaving, int32_t index) const {
  const int64_t planned =
      index == 0 ? leaving.first : std::max(leaving.first + index, leaving.last - (packet.count - 1 - index));
  int64_t slot = std::max(planned, next_slot_);
  if (packet.whole) return slot;
  const int64_t taken = config_.clock.edge_at_or_after(packet.arrived[static_cast<size_t>(index)]);
  slot = std::max(slot, config_.slots.edge_at_or_after(config_.clock.edge(taken + kWordEdges)));
  return slot;
}

// Sends the words of a packet that are here; whether it has left.
bool CarryingEdge::leave(Leaving& leaving) {
  const CarriedPacket& packet = packets_[leaving.packet];
  while (leaving.gone < packet.here) {
    const int64_t first = slot_of(packet, leaving, leaving.gone);
    if (leaving.gone == 0) {
      // The header may have had to wait for the words of the packet before.
      leaving.first = first;
      leaving.last = std::max(leaving.last, first + packet.count - 1);
    }
    next_slot_ = first + 1;
    size_t end = leaving.gone + size_t{1};
    for (; end < packet.here && slot_of(packet, leaving, static_cast<int32_t>(end)) == next_slot_; ++end) ++next_slot_;
    const int flags = (leaving.gone == 0 ? link::kStartOfPacket : 0) | (end == packet.count ? link::kEndOfPacket : 0);
    neighbour_.words_leave(config_.number, first, leaving.vc, static_cast<uint8_t>(flags),
                           std::span(packet.words).subspan(leaving.gone, end - leaving.gone));
    leaving.gone = static_cast<uint8_t>(end);
  }
  return leaving.gone == packet.count;
}

void CarryingEdge::give_back(Time sent, uint8_t vc) {
  std::deque<Buffered>& buffered = vcs_[vc].buffered;
  const auto oldest =
      std::find_if(buffered.begin(), buffered.end(), [](const Buffered& packet) { return packet.leaves.is_never(); });
  if (oldest != buffered.end()) oldest->leaves = sent;
  return_credits(vc);
}

void CarryingEdge::return_credits(uint8_t vc) {
  std::deque<Buffered>& buffered = vcs_[vc].buffered;
  while (!buffered.empty() && !buffered.front().leaves.is_never() && !buffered.front().tail.is_never()) {
    const Buffered& oldest = buffered.front();
    vcs_[vc].here -= oldest.words;
    neighbour_.credit_leaves(config_.number, std::max(oldest.leaves, oldest.tail), vc, oldest.words);
    buffered.pop_front();
  }
}

std::vector<std::string> CarryingEdge::waits() const {
  std::vector<std::string> lines;
  for (size_t vc = 0; vc < vcs_.size(); ++vc) {
    if (vcs_[vc].coming == 0) continue;
    const CarriedPacket& packet = packets_[vcs_[vc].coming];
    lines.push_back(fmt::format("VC {}: {} of {} words have come", vc, packet.here, packet.count));
  }
  return lines;
}

}  // namespace fabrictwin::fabric
