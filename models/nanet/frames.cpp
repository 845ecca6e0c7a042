// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/frames.h"

#include <algorithm>

#include "cosim/base/random.h"
#include "models/nanet/spec.h"

namespace fabrictwin::nanet {
namespace {

constexpr size_t kIpHeader = 14;
constexpr size_t kIpChecksum = 24;
constexpr size_t kIpAddresses = 26;
constexpr size_t kUdpHeader = 34;
constexpr size_t kUdpChecksum = 40;
constexpr uint32_t kProtocolUdp = 17;
constexpr size_t kArpOperation = 20;
constexpr size_t kArpTarget = 38;
constexpr uint64_t kArpRequest = 1;
constexpr uint64_t kArpAnswer = 2;

void put_checksum(Bytes& frame, size_t at, uint16_t sum) {
  // A checksum of 0 is sent as 0xffff, since 0 says that there is none.
  const auto checksum = static_cast<uint16_t>(sum == 0xffff ? 0xffff : ~sum);
  frame[at] = static_cast<uint8_t>(checksum >> 8);
  frame[at + 1] = static_cast<uint8_t>(checksum);
}

}  // namespace

uint64_t number_at(std::span<const uint8_t> bytes, size_t at, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[at + static_cast<size_t>(i)];
  return value;
}

void append(Bytes& bytes, int count, uint64_t value) {
  for (int i = count - 1; i >= 0; --i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

uint16_t ones_sum(std::span<const uint8_t> bytes, uint32_t start) {
  uint32_t sum = start;
  for (size_t i = 0; i < bytes.size(); i += 2)
    sum += uint32_t{bytes[i]} << 8 | (i + 1 < bytes.size() ? bytes[i + 1] : 0u);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

Bytes generated_payload(uint64_t key, uint64_t sequence, int32_t bytes) {
  Bytes payload;
  append(payload, 8, key);
  append(payload, 8, sequence);
  for (uint64_t word = 0; payload.size() < static_cast<size_t>(bytes); ++word)
    append(payload, 8, mix64(mix64(key ^ sequence) ^ word));
  payload.resize(static_cast<size_t>(bytes));
  return payload;
}

uint64_t key_of(std::span<const uint8_t> payload) { return number_at(payload, 0, 8); }
uint64_t sequence_of(std::span<const uint8_t> payload) { return number_at(payload, 8, 8); }

Bytes udp_frame(const UdpHeaders& headers, std::span<const uint8_t> payload) {
  Bytes frame;
  append(frame, 6, headers.to_mac);
  append(frame, 6, headers.from_mac);
  append(frame, 4, 0x08004500);
  append(frame, 2, payload.size() + 28);
  append(frame, 2, headers.identification);
  append(frame, 2, headers.dont_fragment ? 0x4000 : 0);
  append(frame, 4, 0x4011'0000);
  append(frame, 4, headers.from_ip);
  append(frame, 4, headers.to_ip);
  put_checksum(frame, kIpChecksum, ones_sum(std::span(frame).subspan(kIpHeader)));
  append(frame, 2, headers.from_port);
  append(frame, 2, headers.to_port);
  append(frame, 2, payload.size() + 8);
  append(frame, 2, 0);
  frame.insert(frame.end(), payload.begin(), payload.end());
  const auto pseudo =
      static_cast<uint32_t>(kProtocolUdp + payload.size() + 8 + ones_sum(std::span(frame).subspan(kIpAddresses, 8)));
  put_checksum(frame, kUdpChecksum, ones_sum(std::span(frame).subspan(kUdpHeader), pseudo));
  frame.resize(std::max<size_t>(kLeastFrame, frame.size()));
  return frame;
}

Bytes udp_frame(int32_t port, uint16_t udp_port, std::span<const uint8_t> payload) {
  return udp_frame({.from_mac = sender_mac(port),
                    .to_mac = card_mac(port),
                    .from_ip = sender_ip(port),
                    .to_ip = card_ip(port),
                    .from_port = kSourcePort,
                    .to_port = udp_port},
                   payload);
}

Bytes arp_request(uint64_t from_mac, uint32_t from_ip, uint32_t to_ip) {
  Bytes request;
  append(request, 6, kAllMacs);
  append(request, 6, from_mac);
  append(request, 8, 0x0806'0001'0800'0604);
  append(request, 2, kArpRequest);
  append(request, 6, from_mac);
  append(request, 4, from_ip);
  append(request, 6, 0);
  append(request, 4, to_ip);
  request.resize(kLeastFrame);
  return request;
}

bool asks_for(std::span<const uint8_t> arp, uint32_t ip) {
  return number_at(arp, kArpOperation, 2) == kArpRequest && number_at(arp, kArpTarget, 4) == ip;
}

Bytes arp_answer(std::span<const uint8_t> request, uint64_t mac, uint32_t ip) {
  Bytes answer(request.begin() + 6, request.begin() + 12);
  append(answer, 6, mac);
  answer.insert(answer.end(), request.begin() + 12, request.begin() + kArpOperation);
  append(answer, 2, kArpAnswer);
  append(answer, 6, mac);
  append(answer, 4, ip);
  answer.insert(answer.end(), request.begin() + 22, request.begin() + 32);
  answer.resize(kLeastFrame);
  return answer;
}

}  // namespace fabrictwin::nanet
