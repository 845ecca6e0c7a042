// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/send_driver.h"

#include <utility>

#include "models/nanet/frames.h"
#include "models/nanet/sender.h"
#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::nanet {
namespace {

namespace registers = rtl::nanet::registers;

}  // namespace

SendDriver::SendDriver(const DatagramsSpec& spec, uint64_t seed, std::array<Memory, 2>& memories, Results& results,
                       Registers registers)
    : spec_(spec), seed_(seed), memories_(memories), results_(results), registers_(std::move(registers)) {
  for (size_t i = 0; i < spec_.streams.size(); ++i) {
    if (spec_.streams[i].received()) continue;
    outgoing_.push_back({.number = i});
    results_.frames_to_send += static_cast<uint64_t>(spec_.streams[i].count);
  }
  if (!outgoing_.empty()) ++results_.sending;
}

Time SendDriver::due(const Outgoing& outgoing) const {
  const StreamSpec& stream = stream_of(outgoing);
  return outgoing.given == stream.count ? Time::never() : stream.start + time_of_frames(stream, outgoing.given);
}

// Of several that are due at one time, that of the first stream goes first.
const SendDriver::Outgoing* SendDriver::first() const {
  const Outgoing* first = nullptr;
  for (const Outgoing& outgoing : outgoing_) {
    if (!due(outgoing).is_never() && (first == nullptr || due(outgoing) < due(*first))) first = &outgoing;
  }
  return first;
}

Time SendDriver::next() const {
  const Outgoing* const outgoing = first();
  return busy_ || outgoing == nullptr ? Time::never() : due(*outgoing);
}

void SendDriver::act(Time now) {
  if (next() > now) return;
  begin(outgoing_[static_cast<size_t>(first() - outgoing_.data())], now);
}

void SendDriver::begin(Outgoing& outgoing, Time now) {
  const StreamSpec& stream = stream_of(outgoing);
  Results::Stream& result = results_.streams[outgoing.number];
  const auto sequence = static_cast<uint64_t>(outgoing.given++);
  const Bytes payload =
      generated_payload(stream_key(seed_, static_cast<int32_t>(outgoing.number)), sequence, stream.bytes);
  const uint64_t buffer = space_of(stream) + ((sequence % (1u << kSendBuffersLog2)) << kSendBufferLog2);
  memories_.at(stream.gpu ? 1 : 0).write(kPhysical + buffer, payload);
  result.sent.push_back(now);
  result.bytes_sent += payload.size();
  busy_ = true;
  const uint64_t address = kVirtual + buffer;
  set(registers::kSendLowOffset, static_cast<uint32_t>(address));
  set(registers::kSendHighOffset, static_cast<uint32_t>(address >> 32));
  set(registers::kSendIpOffset, sender_ip(stream.port));
  set(registers::kSendPortsOffset, uint32_t{kSourcePort} << registers::kSendPortsSourceLow | stream.udp_port);
  give(static_cast<uint32_t>(stream.bytes) | static_cast<uint32_t>(stream.port) << registers::kSendPortLow);
}

void SendDriver::set(uint32_t offset, uint32_t value) {
  const auto [written, added] = written_.try_emplace(offset, value);
  if (!added && written->second == value) return;
  written->second = value;
  registers_.write(offset, value, {});
}

void SendDriver::give(uint32_t send) {
  if (free_ == 0) {
    return registers_.read(registers::kSendFreeOffset, [this, send](uint32_t count) {
      free_ = count;
      give(send);
    });
  }
  --free_;
  registers_.write(registers::kSendOffset, send, [this](uint32_t) {
    busy_ = false;
    results_.frames.add(1);
    if (first() == nullptr) --results_.sending;
  });
}

}  // namespace fabrictwin::nanet
