// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/computer.h"

#include <algorithm>
#include <span>

#include "fmt/format.h"
#include "models/nanet/frames.h"
#include "models/nanet/sender.h"
#include "rtl/nanet/interface/results.h"
#include "rtl/nanet/nanet_registers.h"

namespace fabrictwin::nanet {
namespace {

namespace registers = rtl::nanet::registers;
using link::HostMessage;
using link::HostOperation;

constexpr uint64_t kRing = 0xff0000;
constexpr int kRingLog2 = 8;
constexpr uint64_t kEventBytes = 16;
constexpr Time kCycle = Time::from_fs(5'000'000);
/// What is on its way through a card as it is by default takes less.
constexpr Time kQuiet = Time::from_fs(20'000'000'000);

uint32_t copy_of(uint32_t offset, int32_t copy) { return offset + registers::kStride * static_cast<uint32_t>(copy); }

/// A number of `bytes` bytes, least significant first.
uint32_t little(const Bytes& record, size_t at, int bytes) {
  uint32_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | record.at(at + static_cast<size_t>(i));
  return value;
}

/// What is on its way takes less: from a line to a memory, behind all that the ports of the card hold; and of what is
/// sent, from one datagram that is read to the next, or from an answer of ARP to the frame that has waited for it.
Time quiet_of(const rtl::nanet::CardSpec& card, const DatagramsSpec& spec) {
  constexpr int64_t kHeldBits = 8 * 4096;
  const int64_t emptied = card.ports * kHeldBits * 1'000'000'000 / card.write_rate.bits_per_second;
  const Time received = card.line_latency + card.pcie_latency + card.pcie_latency + card.memory_latency +
                        card.interrupt_latency + Time::from_fs(emptied * 1'000'000) + Time::from_us(1);
  if (!spec.sends()) return std::max(kQuiet, received);
  constexpr int64_t kReadBits = 8 * 2 * kMostPayload;
  const int64_t read =
      kReadBits * 1'000'000'000 / std::min(card.cpu_read_rate.bits_per_second, card.gpu_read_rate.bits_per_second);
  return std::max(kQuiet, received + card.line_latency + Time::from_fs(read * 1'000'000));
}

/// Cycles in which a miss of the TLB is answered, also where the driver has just looked for one: from its interrupt
/// until it has taken all events and given back their buffers, and has asked which page it is, and then once more.
uint32_t cycles_of_miss(const rtl::nanet::CardSpec& card, const DatagramsSpec& spec) {
  // The driver reads the ring, acknowledges events, reads the miss and its page, writes the answer, and looks again.
  constexpr int64_t kAccesses = 9;
  // A datagram whose registers are written comes first.
  constexpr int64_t kSendAccesses = 6;
  const Time access = card.pcie_latency + card.pcie_latency + Time::from_us(1);
  const int64_t accesses = kAccesses + static_cast<int64_t>(spec.streams.size()) + (spec.sends() ? kSendAccesses : 0);
  const int64_t cycles = 2 * (card.interrupt_latency.fs() / kCycle.fs() + accesses * (access.fs() / kCycle.fs() + 1));
  return static_cast<uint32_t>(std::min<int64_t>(cycles, registers::kTlbTimeoutMask));
}

/// Cycles in which an answer of ARP comes.
uint32_t cycles_of_arp(const rtl::nanet::CardSpec& card) {
  return static_cast<uint32_t>((card.line_latency + card.line_latency + kQuiet).fs() / kCycle.fs());
}

/// What the decompressor has made of a payload, as it was.
Bytes narrowed(std::span<const uint8_t> bytes) {
  Bytes narrow;
  for (size_t i = 0; i + 1 < bytes.size(); i += 4) narrow.insert(narrow.end(), {bytes[i], bytes[i + 1]});
  return narrow;
}

}  // namespace

Computer::Computer(const rtl::nanet::CardSpec& card, const DatagramsSpec& spec, uint64_t seed, Port& port,
                   Results& results, observe::EndpointDigest* digest)
    : card_(card),
      spec_(spec),
      seed_(seed),
      port_(port),
      results_(results),
      digest_(digest),
      send_driver_(
          spec, seed, memories_, results,
          {.write = [this](uint32_t offset, uint32_t value, Done done) { write(offset, value, std::move(done)); },
           .read = [this](uint32_t offset, Done done) { read(offset, std::move(done)); }}) {
  for (const StreamSpec& stream : spec_.streams)
    streams_.push_back({.last_writes = std::vector<Time>(size_t{1} << stream.buffers_log2)});
  set_up();
}

void Computer::write(uint32_t offset, uint32_t value, Done done) {
  accesses_.push_back({.write = true, .offset = offset, .value = value, .done = std::move(done)});
}

void Computer::read(uint32_t offset, Done done) { accesses_.push_back({.offset = offset, .done = std::move(done)}); }

void Computer::set_up() {
  write(registers::kRingLowOffset, static_cast<uint32_t>(kRing));
  write(registers::kRingHighOffset, static_cast<uint32_t>(kRing >> 32));
  write(registers::kRingOffset, kRingLog2);
  write(registers::kTimeoutOffset, static_cast<uint32_t>(std::max<int64_t>(1, spec_.timeout.fs() / kCycle.fs())));
  if (const uint32_t cycles = cycles_of_miss(card_, spec_); cycles > registers::kTlbTimeoutReset)
    write(registers::kTlbTimeoutOffset, cycles);
  if (const uint32_t cycles = cycles_of_arp(card_); spec_.sends() && cycles > registers::kArpTimeoutReset)
    write(registers::kArpTimeoutOffset, cycles);
  for (int32_t port = 0; port < card_.ports; ++port) {
    write(copy_of(registers::kMacLowOffset, port), static_cast<uint32_t>(card_mac(port)));
    write(copy_of(registers::kMacHighOffset, port), static_cast<uint32_t>(card_mac(port) >> 32));
    write(copy_of(registers::kIpOffset, port), card_ip(port));
    write(copy_of(registers::kGatewayOffset, port), 0);
  }
  for (const StreamSpec& stream : spec_.streams) {
    if (stream.received()) set_up_stream(stream);
  }
  for (int32_t port = 0; port < card_.ports; ++port) {
    // What leaves a sender now is at the card when the answer has been under way for as long as the frame was.
    write(copy_of(registers::kPortOffset, port), 1, [this, port](uint32_t) {
      results_.ports[static_cast<size_t>(port)].ready =
          std::max(Time(), now_ - (card_.pcie_latency + card_.line_latency));
    });
  }
}

void Computer::set_up_stream(const StreamSpec& stream) {
  const uint64_t address = kVirtual + space_of(stream);
  write(copy_of(registers::kBuffersLowOffset, stream.number()), static_cast<uint32_t>(address));
  write(copy_of(registers::kBuffersHighOffset, stream.number()), static_cast<uint32_t>(address >> 32));
  write(copy_of(registers::kReleasedOffset, stream.number()), 0);
  write(copy_of(registers::kStreamOffset, stream.number()),
        stream.udp_port | static_cast<uint32_t>(stream.size_log2) << registers::kStreamSizeLog2Low |
            static_cast<uint32_t>(stream.buffers_log2) << registers::kStreamBuffersLog2Low |
            uint32_t{stream.widen} << registers::kStreamWidenLow | 1u << registers::kStreamEnableLow);
}

Time Computer::over() const {
  if (results_.sending > 0 || serving_ || serve_at_ != Time::never() || accessing_ || !accesses_.empty() ||
      reading_counters_)
    return Time::never();
  return std::max({results_.last_sent, results_.last_received, last_write_, last_given_}) + spec_.timeout +
         quiet_of(card_, spec_);
}

Time Computer::next() const {
  if (results_.finished) return Time::never();
  if (!accessing_ && !accesses_.empty()) return now_;
  return std::min({serve_at_, send_driver_.next(), over()});
}

absl::Status Computer::act(Time now) {
  now_ = now;
  if (!failure_.empty()) return absl::DataLossError(failure_);
  if (results_.finished) return absl::OkStatus();
  if (serve_at_ <= now && !serving_) {
    serve_at_ = Time::never();
    serving_ = true;
    serve();
  }
  send_driver_.act(now);
  if (over() <= now) read_counters();
  issue(now);
  return absl::OkStatus();
}

void Computer::issue(Time now) {
  if (accessing_ || accesses_.empty()) return;
  const Access& access = accesses_.front();
  accessing_ = true;
  ++tag_;
  port_.send(now, access.write ? HostMessage::register_write(link::HostRegion::kController, access.offset, 4, tag_,
                                                             {.lo = access.value})
                               : HostMessage::register_read(link::HostRegion::kController, access.offset, 4, tag_));
}

absl::Status Computer::receive(int32_t /*port*/, const link::Record& record) {
  if (record.kind != link::RecordKind::kHost) return absl::DataLossError("a record that is none of a card");
  const absl::StatusOr<HostMessage> message = HostMessage::decode(record);
  if (!message.ok()) return message.status();
  now_ = record.time();
  switch (message->operation) {
    case HostOperation::kEvent:
      ++results_.interrupts;
      again_ = true;
      if (!serving_) serve_at_ = std::min(serve_at_, now_ + card_.interrupt_latency);
      return absl::OkStatus();
    case HostOperation::kRegisterWritten:
    case HostOperation::kRegisterData: {
      if (!accessing_ || message->tag != tag_) return absl::DataLossError("an answer to no access of a register");
      const Access access = std::move(accesses_.front());
      accesses_.pop_front();
      accessing_ = false;
      if (message->response != 0)
        return absl::DataLossError(
            fmt::format("a refusal to {} register {:#05x}", access.write ? "write" : "read", access.offset));
      if (access.offset == registers::kRefillOffset || access.offset == registers::kSendOffset) last_given_ = now_;
      if (access.done) access.done(static_cast<uint32_t>(message->data[0].lo));
      return absl::OkStatus();
    }
    default:
      return take_memory(*message, now_);
  }
}

absl::Status Computer::take_memory(const HostMessage& message, Time now) {
  switch (message.operation) {
    case HostOperation::kMemoryWrite:
      if (burst_.left > 0) return absl::DataLossError("a write before the one before it has ended");
      burst_ = {message.address, message.words, message.tag, message.user & 1};
      return absl::OkStatus();
    case HostOperation::kMemoryBytes:
      if (message.data_words > burst_.left) return absl::DataLossError("more words than a write has");
      for (uint32_t i = 0; i < message.data_words; ++i) {
        memories_.at(burst_.user).write(burst_.address, message.data.at(i), message.strobes >> (16 * i) & 0xffff);
        wrote(burst_, burst_.address, now);
        burst_.address += link::kWordBytes;
      }
      burst_.left -= message.data_words;
      if (burst_.left == 0) port_.send(now, HostMessage::memory_written(burst_.tag, 0));
      return absl::OkStatus();
    case HostOperation::kMemoryRead:
      for (uint32_t i = 0; i < message.words; i += link::kHostDataWords) {
        const uint32_t count = std::min<uint32_t>(link::kHostDataWords, message.words - i);
        std::array<link::Word, link::kHostDataWords> words{};
        for (uint32_t k = 0; k < count; ++k)
          words.at(k) = memories_.at(message.user & 1).word(message.address + link::kWordBytes * (i + k));
        port_.send(now + card_.memory_latency, HostMessage::memory_data(message.tag, 0, words.data(), count));
      }
      return absl::OkStatus();
    default:
      return absl::DataLossError("an operation that only a computer has");
  }
}

void Computer::wrote(const Burst& burst, uint64_t address, Time now) {
  last_write_ = now;
  if (burst.user == 0 && address >= kRing && address < kRing + (kEventBytes << kRingLog2)) {
    event_times_.at((address - kRing) / kEventBytes) = now;
    return;
  }
  if (address < kPhysical) return;
  const uint64_t stream = (address - kPhysical) >> kSpaceLog2;
  for (size_t i = 0; i < streams_.size(); ++i) {
    const StreamSpec& spec = spec_.streams[i];
    if (static_cast<uint64_t>(spec.number()) != stream) continue;
    const uint64_t buffer = (address - kPhysical - space_of(spec)) >> spec.size_log2;
    if (buffer < streams_[i].last_writes.size()) streams_[i].last_writes[buffer] = now;
  }
}

// Looks until there is neither an event nor a miss: the interrupt falls then, and what comes later raises it again.
void Computer::serve() {
  again_ = worked_ = false;
  read(registers::kRingWrittenOffset, [this](uint32_t written) {
    take_events(written);
    look_for_misses();
  });
}

void Computer::take_events(uint32_t written) {
  if (static_cast<uint16_t>(written) == taken_) return;
  worked_ = true;
  for (; taken_ != static_cast<uint16_t>(written); ++taken_) take_event(taken_ & ((1u << kRingLog2) - 1));
  write(registers::kRingConsumedOffset, taken_);
  for (size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].told == streams_[i].released) continue;
    streams_[i].told = streams_[i].released;
    write(copy_of(registers::kReleasedOffset, spec_.streams[i].number()), streams_[i].told);
  }
}

void Computer::take_event(uint64_t index) {
  const Bytes record = memories_[0].read(kRing + kEventBytes * index, kEventBytes);
  const uint32_t number = record[1] & 0x3f;
  for (size_t i = 0; i < streams_.size(); ++i) {
    if (static_cast<uint32_t>(spec_.streams[i].number()) != number) continue;
    return take_buffer(i, record, event_times_.at(index));
  }
  failure_ =
      fmt::format("host[{}] at {}: an event of stream {}, which was not set up", card_.ports, to_string(now_), number);
}

void Computer::take_buffer(size_t number, const Bytes& record, Time arrived) {
  const StreamSpec& spec = spec_.streams[number];
  Results::Stream& result = results_.streams[number];
  const uint32_t buffer = little(record, 2, 2);
  const uint32_t bytes = std::min(little(record, 4, 4), uint32_t{1} << spec.size_log2);
  const auto datagrams = static_cast<int>(little(record, 8, 2));
  Memory& memory = memories_.at(spec.gpu ? 1 : 0);
  const uint64_t address = kPhysical + space_of(spec) + (uint64_t{buffer} << spec.size_log2);
  const Bytes data = memory.read(address, bytes);
  ++result.buffers;
  result.timed_out += record[0] & 1;
  result.arrive(arrived, static_cast<uint64_t>(datagrams), bytes);
  const uint64_t event[] = {spec.number() + 0ull, buffer, bytes, static_cast<uint64_t>(datagrams), record[0] & 1ull};
  digest_->add_arrival(arrived, observe::hash_values(event));
  digest_buffer(number, data);
  if (spec.generated()) {
    const std::vector<Time>& writes = streams_[number].last_writes;
    take_datagrams(number, data, datagrams, arrived, buffer < writes.size() ? writes[buffer] : arrived);
  }
  memory.clear(address, bytes);
  ++streams_[number].released;
}

// Word by word, so that it does not matter which datagrams share a buffer, and buffers were zeros between datagrams.
void Computer::digest_buffer(size_t number, const Bytes& bytes) {
  Bytes word(link::kWordBytes);
  for (size_t at = 0; at < bytes.size(); at += word.size()) {
    word.assign(link::kWordBytes, 0);
    std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(at), std::min<size_t>(word.size(), bytes.size() - at),
                word.begin());
    const uint64_t parts[] = {number, streams_[number].words++, number_at(word, 0, 8), number_at(word, 8, 8)};
    digest_->add_message(observe::hash_values(parts));
  }
}

void Computer::take_datagrams(size_t number, const Bytes& bytes, int datagrams, Time arrived, Time last_write) {
  const StreamSpec& spec = spec_.streams[number];
  Results::Stream& result = results_.streams[number];
  const uint64_t key = stream_key(seed_, static_cast<int32_t>(number));
  const auto size = static_cast<size_t>(spec.widen ? (spec.bytes + 1) / 2 * 4 : spec.bytes);
  const size_t stride = (size + link::kWordBytes - 1) / link::kWordBytes * link::kWordBytes;
  for (int i = 0; i < datagrams; ++i) {
    const size_t at = stride * static_cast<size_t>(i);
    const auto part = at + size <= bytes.size() ? std::span(bytes).subspan(at, size) : std::span<const uint8_t>();
    Bytes payload = spec.widen ? narrowed(part) : Bytes(part.begin(), part.end());
    payload.resize(std::min(payload.size(), static_cast<size_t>(spec.bytes)));
    const uint64_t sequence = payload.size() < kLeastPayload ? ~uint64_t{0} : sequence_of(payload);
    if (sequence >= result.sent.size() || payload != generated_payload(key, sequence, spec.bytes)) {
      ++result.damaged;
      continue;
    }
    const Time sent = result.sent[sequence];
    result.event.add(arrived - sent);
    if (i + 1 == datagrams) result.data.add(last_write - sent);
  }
}

void Computer::look_for_misses() {
  read(registers::kMissOffset, [this](uint32_t waiting) {
    if ((waiting & 1) != 0) {
      read(registers::kMissLowOffset, [this](uint32_t low) {
        read(registers::kMissHighOffset, [this, low](uint32_t high) { answer_miss(low, high); });
      });
      return;
    }
    if (worked_ || again_) return serve();
    serving_ = false;
  });
}

void Computer::answer_miss(uint32_t low, uint32_t high) {
  const uint64_t page = (uint64_t{high} << 32 | low) / rtl::nanet::kPageBytes * rtl::nanet::kPageBytes;
  const auto stream = std::find_if(spec_.streams.begin(), spec_.streams.end(), [&](const StreamSpec& spec) {
    const uint64_t first = (kVirtual + space_of(spec)) / rtl::nanet::kPageBytes * rtl::nanet::kPageBytes;
    return page >= first && page < kVirtual + space_of(spec) + (uint64_t{1} << (spec.size_log2 + spec.buffers_log2));
  });
  const bool known = stream != spec_.streams.end();
  const uint64_t physical = known ? page - kVirtual + kPhysical : 0;
  write(registers::kPhysicalLowOffset, static_cast<uint32_t>(physical));
  write(registers::kPhysicalHighOffset, static_cast<uint32_t>(physical >> 32));
  write(registers::kRefillOffset,
        (low & 0xffff0000) | uint32_t{known} << registers::kRefillKnownLow |
            uint32_t{known && stream->gpu} << registers::kRefillGpuLow,
        [this](uint32_t) { serve(); });
}

void Computer::read_counters() {
  reading_counters_ = true;
  for (int32_t port = 0; port < card_.ports; ++port) {
    for (const auto& [result, name] : rtl::nanet::kResultNames) {
      write(registers::kCounterSelectOffset, static_cast<uint32_t>(result) | static_cast<uint32_t>(port)
                                                                                 << registers::kCounterSelectPortLow);
      read(registers::kCounterOffset, [this, port, name = name](uint32_t count) {
        if (count > 0) results_.ports[static_cast<size_t>(port)].counters.emplace_back(name, count);
      });
    }
  }
  read(registers::kTlbMissesOffset, [this](uint32_t count) {
    results_.tlb_misses = count;
    results_.finished = true;
    results_.finish = now_;
  });
}

std::string Computer::waits_for() const {
  if (results_.finished) return {};
  const std::string name = fmt::format("host[{}]", card_.ports);
  if (accessing_)
    return fmt::format("{} waits for an answer of register {:#05x} of the card", name, accesses_.front().offset);
  return fmt::format("{} waits until {} senders have sent everything", name, results_.sending);
}

}  // namespace fabrictwin::nanet
