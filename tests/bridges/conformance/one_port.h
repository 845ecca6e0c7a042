// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A place with a router of one port: channel 4 comes in, channel 5 goes out. The latency is 100 ns, a word takes 10 ns.
#pragma once

#include <cstdint>
#include <string>

#include "bridges/conformance/channel_map.h"
#include "bridges/conformance/records.h"
#include "cosim/link/record.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::test {

inline constexpr uint32_t kIn = 4;
inline constexpr uint32_t kOut = 5;

inline v1::ConfigureRequest one_port() {
  v1::ConfigureRequest configure;
  v1::PartitionConfig& partition = *configure.add_partitions();
  partition.set_id(2);
  partition.set_name("router[1]");
  v1::ElementConfig& element = *partition.add_elements();
  element.set_name("router[1]");
  element.set_buffer_words(8);
  v1::PortConfig& port = *element.add_ports();
  port.set_name("x+");
  port.set_inbound_channel(kIn);
  port.set_outbound_channel(kOut);
  port.set_latency_fs(100'000'000);
  port.set_word_clock_numerator(10'000'000);
  port.set_word_clock_denominator(1);
  port.set_initial_credits(8);
  return configure;
}

/// A port like it, with words of 64 bits, four VCs, and a credit for each two words.
inline v1::ConfigureRequest one_external_port() {
  v1::ConfigureRequest configure = one_port();
  v1::ElementConfig& element = *configure.mutable_partitions(0)->mutable_elements(0);
  element.mutable_words()->set_word_bits(64);
  element.mutable_words()->set_credit_words(2);
  element.set_vcs(4);
  return configure;
}

/// Words of a packet whose first is in this slot.
inline link::Record burst(uint32_t channel, int64_t slot, uint8_t count, uint8_t flags, uint8_t vc = 0) {
  link::Record record;
  record.channel = channel;
  record.kind = link::RecordKind::kBurst;
  record.count = count;
  record.flags = flags;
  record.vc = vc;
  record.set_time(Time::from_ns(10 * (slot + 1) + 100));
  return record;
}

/// Arrives at so many nanoseconds.
inline link::Record credit(uint32_t channel, int64_t at_ns, uint8_t count, uint8_t vc = 0) {
  link::Record record;
  record.channel = channel;
  record.kind = link::RecordKind::kCredit;
  record.count = count;
  record.vc = vc;
  record.set_time(Time::from_ns(at_ns));
  return record;
}

inline link::Record promise(uint32_t channel, int64_t at_ns) {
  return bridges::conformance::make_promise(channel, Time::from_ns(at_ns));
}

inline std::string blob(std::initializer_list<link::Record> records) {
  std::string bytes;
  for (const link::Record& record : records) bridges::conformance::append(record, bytes);
  return bytes;
}

}  // namespace fabrictwin::test
