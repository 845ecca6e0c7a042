// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/udp_transmit.h"

#include <algorithm>
#include <utility>

#include "models/nanet/card_timing.h"

namespace fabrictwin::nanet {
namespace {

using rtl::nanet::Result;
using timing::edge_of;
using timing::time_of;

constexpr int64_t kWordBytes = 8;
/// Words of payload that wait for their frame, and before that for the port.
constexpr int64_t kHeldWords = 512 + 128;
constexpr int64_t kHeldDatagrams = 8;
/// Words between the clock of the card and that of the line.
constexpr int64_t kCrossing = 32;
constexpr int kAttempts = 3;
// Edges from one step to another, as the RTL takes them.
constexpr int64_t kFrame = 2;    ///< From an address that is known until the first word of the frame.
constexpr int64_t kRequest = 3;  ///< From an address that is not until the first word of a request.
constexpr int64_t kHeard = 6;    ///< From the last word of an answer in the MAC until the address is known.

int64_t words_of(int64_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

}  // namespace

bool UdpTransmit::take_space(int64_t bytes) {
  if (held_datagrams_ == kHeldDatagrams || held_words_ + words_of(bytes) > kHeldWords) return false;
  ++held_datagrams_;
  held_words_ += words_of(bytes);
  return true;
}

void UdpTransmit::take(const DmaRead::Datagram& datagram, Bytes data, bool bad, int64_t edge, Time now) {
  jobs_.push_back({datagram, std::move(data), bad, edge});
  start(now);
}

void UdpTransmit::start(Time now) {
  if (busy_ || jobs_.empty()) return;
  busy_ = true;
  const int64_t edge = std::max({jobs_.front().edge + 1, idle_ + 1, edge_of(now)});
  card_.at(edge, [this, edge] { begin(edge); });
}

void UdpTransmit::begin(int64_t edge) {
  const Job& job = jobs_.front();
  if (job.bad)
    return end(edge + std::max<int64_t>(1, words_of(static_cast<int64_t>(job.data.size()))), Result::kUnsendable);
  if (const std::optional<uint64_t> mac = mac_of(job.datagram.ip)) return transmit(*mac, edge + 1);
  asking_ = true;
  attempts_ = 0;
  ask(edge + 1);
}

void UdpTransmit::ask(int64_t edge) {
  const Job& job = jobs_.front();
  if (attempts_ == kAttempts) {
    asking_ = false;
    return end(edge + words_of(job.datagram.bytes), Result::kUnresolved);
  }
  ++attempts_;
  const Settings settings = card_.settings();
  card_.send(arp_request(settings.station.mac, settings.station.ip, hop_to(job.datagram.ip)), edge + kRequest);
  const uint64_t request = ++request_;
  const int64_t again = edge + 1 + settings.arp_timeout;
  card_.at(again, [this, request, again] {
    if (asking_ && request_ == request) ask(again);
  });
}

uint32_t UdpTransmit::hop_to(uint32_t ip) const {
  const Settings settings = card_.settings();
  const bool near = ((ip ^ settings.station.ip) & settings.station.netmask) == 0;
  return near || settings.gateway == 0 ? ip : settings.gateway;
}

std::optional<uint64_t> UdpTransmit::mac_of(uint32_t ip) const {
  const Station station = card_.settings().station;
  const bool near = ((ip ^ station.ip) & station.netmask) == 0;
  if (ip == ~0u || (near && (ip | station.netmask) == ~0u)) return kAllMacs;
  const uint32_t hop = hop_to(ip);
  const std::optional<Known>& known = cache_.at(line_of(hop));
  return known && known->ip == hop ? std::optional(known->mac) : std::nullopt;
}

// Who speaks to this port is learnt, others are only brought up to date.
void UdpTransmit::heard(std::span<const uint8_t> frame, Time now) {
  const auto ip = static_cast<uint32_t>(number_at(frame, 28, 4));
  std::optional<Known>& known = cache_.at(line_of(ip));
  const bool for_me = number_at(frame, 38, 4) == card_.settings().station.ip;
  if (ip == 0 || (!for_me && !(known && known->ip == ip))) return;
  known = Known{ip, number_at(frame, 22, 6)};
  if (!asking_) return;
  const std::optional<uint64_t> mac = mac_of(jobs_.front().datagram.ip);
  if (!mac) return;
  asking_ = false;
  const Time in_mac = word_clock_.edge(word_clock_.edge_at_or_after(now) + 1);
  transmit(*mac, in_mac.fs() / timing::kCycle.fs() + kHeard);
}

void UdpTransmit::transmit(uint64_t mac, int64_t edge) {
  const Job& job = jobs_.front();
  const Station station = card_.settings().station;
  const Bytes frame = udp_frame({.from_mac = station.mac,
                                 .to_mac = mac,
                                 .from_ip = station.ip,
                                 .to_ip = job.datagram.ip,
                                 .from_port = job.datagram.from_port,
                                 .to_port = job.datagram.to_port,
                                 .identification = identification_++,
                                 .dont_fragment = true},
                                job.data);
  const int64_t last = card_.send(frame, edge + kFrame);
  // All of it has left when the rest has space before the line.
  const int64_t crossed = edge_of(word_clock_.edge(std::max<int64_t>(0, last - kCrossing)));
  const int64_t words = words_of(static_cast<int64_t>(frame.size()));
  end(std::max(edge + kFrame + words - 1, crossed), Result::kSent);
}

void UdpTransmit::end(int64_t edge, Result result) {
  idle_ = edge;
  card_.at(edge, [this, edge, result] {
    --held_datagrams_;
    held_words_ -= words_of(jobs_.front().datagram.bytes);
    jobs_.pop_front();
    busy_ = false;
    card_.ended(result, time_of(edge));
    start(time_of(edge));
  });
}

}  // namespace fabrictwin::nanet
