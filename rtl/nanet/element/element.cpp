// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/nanet/element/element.h"

#include <cmath>
#include <memory>

#include "fmt/format.h"

namespace fabrictwin::rtl::nanet::element {
namespace {

using link::HostMessage;
using link::HostOperation;

constexpr int64_t kFsOfPs = 1000;
constexpr int64_t kMacPs = 6400;
constexpr uint32_t kRegisterBytes = 4;

int64_t ps_of(double ns) { return std::llround(ns * 1000); }

}  // namespace

absl::StatusOr<std::unique_ptr<Element>> Element::create(const Config& config) {
  const auto connected = [](const Config::Port& port) { return port.sender != nullptr && port.receiver != nullptr; };
  if (config.lines.empty() || config.lines.size() > kPorts)
    return absl::InvalidArgumentError(
        fmt::format("{}: {} Ethernet ports, and a card has 1 to {}", config.name, config.lines.size(), kPorts));
  for (const Config::Port& port : config.lines) {
    if (!connected(port)) return absl::InvalidArgumentError(fmt::format("{}: a line has no channel", config.name));
    if (port.sender->spec().word_clock.edge(1) != Time::from_fs(kMacPs * kFsOfPs))
      return absl::InvalidArgumentError(
          fmt::format("{}: {} is not a line of 10 Gb/s", config.name, port.sender->spec().name));
  }
  if (!connected(config.computer))
    return absl::InvalidArgumentError(fmt::format("{}: it is in no computer", config.name));
  return std::unique_ptr<Element>(new Element(config));
}

Element::Element(const Config& config)
    : config_(config),
      memories_{PciePort(0, config.memories[0], [this](const HostMessage& message) { send_computer(message); }),
                PciePort(1, config.memories[1], [this](const HostMessage& message) { send_computer(message); })},
      device_({.memories = {&memories_[0], &memories_[1]}}) {
  device_.ignore_misses(true);
  device_.align();
  first_ps_ = ps_of(device_.next_ns());
  for (size_t p = 0; p < config_.lines.size(); ++p) {
    lines_.push_back({config_.lines[p], {}});
    mac_zero_.push_back(device_.mac(static_cast<int>(p)).now());
    device_.mac(static_cast<int>(p)).set_word_sink([this, p](const Beat& beat, int64_t cycle) {
      send_word(static_cast<int>(p), beat, cycle);
    });
  }
}

Time Element::time_of(double device_ns) const { return Time::from_fs((ps_of(device_ns) - first_ps_) * kFsOfPs); }

absl::Status Element::advance(Time until) {
  while (next_event() < until) {
    now_ = next_event();
    if (absl::Status status = take_arrivals(now_ + Time::from_fs(1)); !status.ok()) return status;
    device_.step();
    edges_.add(1);
    const bool interrupt = device_.interrupt();
    if (interrupt && !interrupt_) send_computer(HostMessage::event(0));
    interrupt_ = interrupt;
  }
  return absl::OkStatus();
}

absl::Status Element::take_arrivals(Time until) {
  for (size_t p = 0; p < lines_.size(); ++p) {
    link::ChannelReceiver& receiver = *lines_[p].port.receiver;
    for (; receiver.front() != nullptr && receiver.front()->time() < until; receiver.pop()) {
      if (absl::Status status = take_line(static_cast<int>(p), *receiver.front()); !status.ok())
        return broken(lines_[p].port, receiver.front()->time(), status);
    }
  }
  link::ChannelReceiver& receiver = *config_.computer.receiver;
  for (; receiver.front() != nullptr && receiver.front()->time() < until; receiver.pop()) {
    if (absl::Status status = take_computer(*receiver.front()); !status.ok())
      return broken(config_.computer, receiver.front()->time(), status);
  }
  return absl::OkStatus();
}

absl::Status Element::take_line(int port, const link::Record& record) {
  if (record.kind != link::RecordKind::kBurst) return absl::DataLossError("a record that is no word of a frame");
  Line& line = lines_[static_cast<size_t>(port)];
  // A burst may reach into the time after this edge: its words have cycles of their own.
  const int64_t first = line.port.receiver->first_slot(record);
  const link::ChannelSpec& spec = line.port.receiver->spec();
  for (int i = 0; i < record.count; ++i) {
    uint8_t flags = i == 0 ? record.flags & link::kStartOfPacket : 0;
    if (i + 1 == record.count) flags |= record.flags & link::kEndOfPacket;
    std::optional<Beat> beat;
    if (absl::Status status = line.reader.take(record.words.at(static_cast<size_t>(i)), flags, beat); !status.ok())
      return status;
    if (!beat) continue;
    const Time arrival = spec.word_clock.edge(first + i + 1) + spec.latency;
    const int64_t cycle = spec.word_clock.edge_at_or_after(arrival) + 1;
    device_.mac(port).arrive(*beat, mac_zero_[static_cast<size_t>(port)] + cycle);
  }
  return absl::OkStatus();
}

absl::Status Element::take_computer(const link::Record& record) {
  if (record.kind != link::RecordKind::kHost) return absl::DataLossError("a record that is none of a computer");
  const absl::StatusOr<HostMessage> message = HostMessage::decode(record);
  if (!message.ok()) return message.status();
  switch (message->operation) {
    case HostOperation::kRegisterWrite:
    case HostOperation::kRegisterRead:
      answer_register(*message);
      return absl::OkStatus();
    case HostOperation::kMemoryData:
    case HostOperation::kMemoryWritten:
      // The lowest bit of a tag says whose it is.
      return memories_.at(message->tag & 1).add(*message);
    default:
      return absl::DataLossError("an operation that only a card has");
  }
}

void Element::answer_register(const HostMessage& access) {
  ++accesses_;
  const bool write = access.operation == HostOperation::kRegisterWrite;
  const auto done = [this, tag = access.tag, write](bool ok, uint32_t value) {
    --accesses_;
    const uint32_t response = ok ? 0 : 2;
    send_computer(write ? HostMessage::register_written(tag, response)
                        : HostMessage::register_data(tag, response, {.lo = value}));
  };
  const auto offset = static_cast<uint32_t>(access.address);
  if (access.bytes != kRegisterBytes || access.address >= 0x1000) {
    done(false, 0);
  } else if (write) {
    device_.start_write(offset, static_cast<uint32_t>(access.data[0].lo), done);
  } else {
    device_.start_read(offset, done);
  }
}

void Element::send_word(int port, const Beat& beat, int64_t cycle) {
  const Line& line = lines_[static_cast<size_t>(port)];
  const int64_t slot = cycle - mac_zero_[static_cast<size_t>(port)];
  const bool first = first_word_.at(static_cast<size_t>(port));
  line.port.sender->send_word(slot, 0, first ? link::kStartOfPacket : 0, {.lo = beat.data});
  first_word_.at(static_cast<size_t>(port)) = beat.last;
  if (beat.last) line.port.sender->send_word(slot + 1, 0, link::kEndOfPacket, footer_of(beat));
  if (line.port.counters == nullptr) return;
  line.port.counters->words.add(beat.last ? 2 : 1);
  if (beat.last) line.port.counters->packets.add(1);
}

void Element::send_computer(const HostMessage& message) {
  config_.computer.sender->send_record(now_, message.encode());
}

absl::Status Element::broken(const Config::Port& port, Time time, const absl::Status& what) const {
  return absl::DataLossError(fmt::format("{} at {}: {} brings {}", config_.name, to_string(time),
                                         port.receiver->spec().name, std::string(what.message())));
}

std::vector<std::string> Element::waits() const {
  std::vector<std::string> lines;
  for (size_t m = 0; m < memories_.size(); ++m) {
    if (const size_t count = memories_.at(m).outstanding(); count > 0)
      lines.push_back(
          fmt::format("{} waits for {} answers of the memory of the {}", config_.name, count, m == 0 ? "CPU" : "GPU"));
  }
  return lines;
}

}  // namespace fabrictwin::rtl::nanet::element
