// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/rtl/nanet/frames.h"

namespace fabrictwin::test {
namespace {

constexpr size_t kEthernet = 14;
constexpr size_t kIp = 20;
constexpr size_t kUdp = 8;
constexpr size_t kLeastFrame = 60;
constexpr size_t kMostPayload = 1472;

void append(Bytes& frame, int bytes, uint64_t value) {
  for (int i = bytes - 1; i >= 0; --i) frame.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

Bytes ethernet(Mac destination, Mac source, int ethertype) {
  Bytes frame;
  append(frame, 6, destination);
  append(frame, 6, source);
  append(frame, 2, static_cast<uint64_t>(ethertype));
  return frame;
}

void append_ip(Bytes& frame, size_t payload, int protocol, uint32_t source, uint32_t destination) {
  append(frame, 2, 0x4500);
  append(frame, 2, kIp + payload);
  append(frame, 2, 0x1234);
  append(frame, 2, 0x4000);
  append(frame, 2, 0x4000 | static_cast<uint64_t>(protocol));
  append(frame, 2, 0);
  append(frame, 4, source);
  append(frame, 4, destination);
  set_field(frame, kEthernet + 10, 2, static_cast<uint16_t>(~internet_sum(frame, kEthernet, kEthernet + kIp)));
}

void pad(Bytes& frame) {
  if (frame.size() < kLeastFrame) frame.resize(kLeastFrame);
}

/// Sum of what is before the datagram in its checksum.
uint32_t pseudo_header(const Bytes& frame, size_t length) {
  return internet_sum(frame, kEthernet + 12, kEthernet + kIp) + 17u + static_cast<uint32_t>(length);
}

std::string udp_verdict(const Bytes& frame) {
  const size_t total = field(frame, 16, 2);
  const size_t length = field(frame, 38, 2);
  if (length + kIp != total || length < kUdp || length > kMostPayload + kUdp) return "udp length";
  if (kEthernet + total > frame.size()) return "truncated";
  if (field(frame, 40, 2) != 0 && internet_sum(frame, 34, kEthernet + total, pseudo_header(frame, length)) != 0xffff) {
    return "udp checksum";
  }
  return "udp";
}

}  // namespace

uint64_t field(const Bytes& frame, size_t at, int bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < static_cast<size_t>(bytes); ++i) value = value << 8 | frame.at(at + i);
  return value;
}

void set_field(Bytes& frame, size_t at, int bytes, uint64_t value) {
  for (int i = bytes - 1; i >= 0; --i, value >>= 8) frame.at(at + static_cast<size_t>(i)) = static_cast<uint8_t>(value);
}

uint16_t internet_sum(const Bytes& bytes, size_t from, size_t to, uint32_t sum) {
  for (size_t i = from; i < to; ++i) sum += (i - from) % 2 == 0 ? uint32_t{bytes.at(i)} << 8 : bytes.at(i);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

Bytes udp_frame(const UdpFrame& content) {
  const size_t length = kUdp + content.payload.size();
  Bytes frame = ethernet(content.destination, content.source, 0x0800);
  append_ip(frame, length, 17, content.source_ip, content.ip);
  append(frame, 2, content.source_port);
  append(frame, 2, content.port);
  append(frame, 2, length);
  append(frame, 2, 0);
  frame.insert(frame.end(), content.payload.begin(), content.payload.end());
  if (content.checked) {
    const auto checksum = static_cast<uint16_t>(~internet_sum(frame, 34, frame.size(), pseudo_header(frame, length)));
    set_field(frame, 40, 2, checksum == 0 ? 0xffff : checksum);
  }
  pad(frame);
  return frame;
}

Bytes arp_frame(Mac destination, int operation, Mac sender, uint32_t sender_ip, Mac target, uint32_t target_ip) {
  Bytes frame = ethernet(destination, sender, 0x0806);
  append(frame, 8, 0x0001'0800'0604'0000 | static_cast<uint64_t>(operation));
  append(frame, 6, sender);
  append(frame, 4, sender_ip);
  append(frame, 6, target);
  append(frame, 4, target_ip);
  pad(frame);
  return frame;
}

Bytes echo_frame(Mac destination, Mac source, uint32_t source_ip, uint32_t ip, int type, const Bytes& payload) {
  Bytes frame = ethernet(destination, source, 0x0800);
  append_ip(frame, 8 + payload.size(), 1, source_ip, ip);
  append(frame, 2, static_cast<uint64_t>(type) << 8);
  append(frame, 2, 0);
  append(frame, 4, 0x00070001);
  frame.insert(frame.end(), payload.begin(), payload.end());
  set_field(frame, 36, 2, static_cast<uint16_t>(~internet_sum(frame, 34, frame.size())));
  pad(frame);
  return frame;
}

std::string verdict_on(const Station& station, const Bytes& frame, bool damaged) {
  if (damaged) return "fcs";
  if (frame.size() < kLeastFrame) return "runt";
  const Mac to = field(frame, 0, 6);
  if (to != station.mac && to != kBroadcast) return "other";
  const uint64_t ethertype = field(frame, 12, 2);
  if (ethertype == 0x0806) {
    const uint64_t operation = field(frame, 20, 2);
    return field(frame, 14, 6) == 0x0001'0800'0604 && (operation == 1 || operation == 2) ? "arp" : "arp bad";
  }
  if (ethertype != 0x0800) return "ethertype";
  if (frame[14] != 0x45 || field(frame, 16, 2) < 28) return "ip header";
  if (internet_sum(frame, 14, 34) != 0xffff) return "ip checksum";
  const auto ip = static_cast<uint32_t>(field(frame, 30, 4));
  if (ip != station.ip && ip != ~0u && ip != (station.ip | ~station.netmask)) return "other";
  if ((field(frame, 20, 2) & 0x3fff) != 0) return "fragment";
  if (frame[23] == 1) return "icmp";
  if (frame[23] != 17) return "protocol";
  return udp_verdict(frame);
}

std::optional<UdpFrame> read_udp(const Bytes& frame) {
  Station anybody;
  if (frame.size() < kLeastFrame) return {};
  anybody.mac = field(frame, 0, 6);
  anybody.ip = static_cast<uint32_t>(field(frame, 30, 4));
  if (verdict_on(anybody, frame, false) != "udp") return {};
  UdpFrame content;
  content.destination = field(frame, 0, 6);
  content.source = field(frame, 6, 6);
  content.source_ip = static_cast<uint32_t>(field(frame, 26, 4));
  content.ip = anybody.ip;
  content.source_port = static_cast<uint16_t>(field(frame, 34, 2));
  content.port = static_cast<uint16_t>(field(frame, 36, 2));
  content.checked = field(frame, 40, 2) != 0;
  const size_t end = kEthernet + field(frame, 16, 2);
  content.payload.assign(frame.begin() + 42, frame.begin() + static_cast<ptrdiff_t>(end));
  return content;
}

}  // namespace fabrictwin::test
