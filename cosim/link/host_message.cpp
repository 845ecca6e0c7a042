// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/host_message.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::link {
namespace {

constexpr uint64_t pair_of(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }
constexpr uint32_t high_of(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
constexpr uint32_t low_of(uint64_t value) { return static_cast<uint32_t>(value); }

/// The least and most words of a record that an operation uses; zeros if there is no such operation.
struct Counts {
  int least;
  int most;
};
constexpr Counts counts_of(HostOperation operation) {
  switch (operation) {
    case HostOperation::kRegisterRead:
    case HostOperation::kMemoryWritten:
    case HostOperation::kRegisterWritten:
    case HostOperation::kEvent:
    case HostOperation::kInterrupt:
      return {1, 1};
    case HostOperation::kRegisterWrite:
    case HostOperation::kRegisterData:
    case HostOperation::kMemoryRead:
    case HostOperation::kMemoryWrite:
      return {2, 2};
    case HostOperation::kMemoryData:
    case HostOperation::kMemoryBytes:
      return {2, 3};
  }
  return {0, 0};
}

absl::Status check_access(const HostMessage& m) {
  if (m.bytes != 4 && m.bytes != 8 && m.bytes != 16)
    return absl::InvalidArgumentError(fmt::format("a register access of {} bytes", m.bytes));
  if (m.address % m.bytes != 0) {
    return absl::InvalidArgumentError(
        fmt::format("a register access of {} bytes at {:#x}, which is no multiple", m.bytes, m.address));
  }
  return absl::OkStatus();
}

absl::Status check_transaction(const HostMessage& m) {
  if (m.words < 1 || m.words > kHostBurstWords || m.address % kWordBytes != 0) {
    return absl::InvalidArgumentError(
        fmt::format("a memory transaction of {} words at {:#x}; 1 to {} at a multiple of {} can be", m.words, m.address,
                    kHostBurstWords, kWordBytes));
  }
  return absl::OkStatus();
}

}  // namespace

HostMessage HostMessage::register_write(HostRegion region, uint32_t address, uint32_t bytes, uint32_t tag,
                                        const Word& value) {
  HostMessage m = register_read(region, address, bytes, tag);
  m.operation = HostOperation::kRegisterWrite;
  m.data[0] = value;
  return m;
}

HostMessage HostMessage::register_read(HostRegion region, uint32_t address, uint32_t bytes, uint32_t tag) {
  HostMessage m;
  m.operation = HostOperation::kRegisterRead;
  m.region = region;
  m.address = address;
  m.bytes = bytes;
  m.tag = tag;
  return m;
}

HostMessage HostMessage::register_written(uint32_t tag, uint32_t response) {
  HostMessage m;
  m.operation = HostOperation::kRegisterWritten;
  m.tag = tag;
  m.response = response;
  return m;
}

HostMessage HostMessage::register_data(uint32_t tag, uint32_t response, const Word& value) {
  HostMessage m = register_written(tag, response);
  m.operation = HostOperation::kRegisterData;
  m.data[0] = value;
  return m;
}

HostMessage HostMessage::memory_read(uint64_t address, uint32_t words, uint32_t tag, uint32_t user) {
  HostMessage m;
  m.operation = HostOperation::kMemoryRead;
  m.address = address;
  m.words = words;
  m.tag = tag;
  m.user = user;
  return m;
}

HostMessage HostMessage::memory_write(uint64_t address, uint32_t words, uint32_t tag, uint32_t user) {
  HostMessage m = memory_read(address, words, tag, user);
  m.operation = HostOperation::kMemoryWrite;
  return m;
}

HostMessage HostMessage::memory_data(uint32_t tag, uint32_t response, const Word* data, uint32_t data_words) {
  HostMessage m;
  m.operation = HostOperation::kMemoryData;
  m.tag = tag;
  m.response = response;
  m.data_words = data_words;
  std::copy_n(data, data_words, m.data.begin());
  return m;
}

HostMessage HostMessage::memory_bytes(uint32_t strobes, const Word* data, uint32_t data_words) {
  HostMessage m = memory_data(0, 0, data, data_words);
  m.operation = HostOperation::kMemoryBytes;
  m.strobes = strobes;
  return m;
}

HostMessage HostMessage::memory_written(uint32_t tag, uint32_t response) {
  HostMessage m = register_written(tag, response);
  m.operation = HostOperation::kMemoryWritten;
  return m;
}

HostMessage HostMessage::event(uint32_t interface) {
  HostMessage m;
  m.operation = HostOperation::kEvent;
  m.interface = interface;
  return m;
}

HostMessage HostMessage::interrupt() {
  HostMessage m;
  m.operation = HostOperation::kInterrupt;
  return m;
}

Record HostMessage::encode() const {
  Record record;
  record.kind = RecordKind::kHost;
  record.flags = static_cast<uint8_t>(operation);
  record.count = static_cast<uint8_t>(counts_of(operation).least);
  Word& head = record.words[0];
  switch (operation) {
    case HostOperation::kRegisterWrite:
    case HostOperation::kRegisterRead:
      head = {pair_of(static_cast<uint32_t>(region), low_of(address)), pair_of(tag, bytes)};
      if (operation == HostOperation::kRegisterWrite) record.words[1] = data[0];
      break;
    case HostOperation::kMemoryData:
      head = {tag, response};
      break;
    case HostOperation::kMemoryBytes:
      head = {strobes, 0};
      break;
    case HostOperation::kMemoryWritten:
    case HostOperation::kRegisterWritten:
      head = {tag, response};
      break;
    case HostOperation::kRegisterData:
      head = {tag, response};
      record.words[1] = data[0];
      break;
    case HostOperation::kMemoryRead:
    case HostOperation::kMemoryWrite:
      head = {address, pair_of(tag, words)};
      record.words[1] = {user, 0};
      break;
    case HostOperation::kEvent:
      head = {interface, 0};
      break;
    case HostOperation::kInterrupt:
      break;
  }
  if (operation == HostOperation::kMemoryData || operation == HostOperation::kMemoryBytes) {
    record.count = static_cast<uint8_t>(1 + data_words);
    std::copy_n(data.begin(), data_words, record.words.begin() + 1);
  }
  return record;
}

absl::StatusOr<HostMessage> HostMessage::decode(const Record& record) {
  HostMessage m;
  m.operation = static_cast<HostOperation>(record.flags);
  const Counts counts = counts_of(m.operation);
  if (counts.most == 0) return absl::InvalidArgumentError(fmt::format("unknown host operation {}", record.flags));
  if (record.count < counts.least || record.count > counts.most) {
    return absl::InvalidArgumentError(fmt::format("host operation {} with {} words, not {} to {}", record.flags,
                                                  record.count, counts.least, counts.most));
  }
  const Word& head = record.words[0];
  switch (m.operation) {
    case HostOperation::kRegisterWrite:
    case HostOperation::kRegisterRead: {
      const uint32_t region = high_of(head.lo);
      if (region > static_cast<uint32_t>(HostRegion::kController))
        return absl::InvalidArgumentError(fmt::format("unknown register region {}", region));
      m.region = static_cast<HostRegion>(region);
      m.address = low_of(head.lo);
      m.bytes = low_of(head.hi);
      m.tag = high_of(head.hi);
      if (m.operation == HostOperation::kRegisterWrite) m.data[0] = record.words[1];
      if (absl::Status status = check_access(m); !status.ok()) return status;
      break;
    }
    case HostOperation::kMemoryRead:
    case HostOperation::kMemoryWrite:
      m.address = head.lo;
      m.words = low_of(head.hi);
      m.tag = high_of(head.hi);
      m.user = low_of(record.words[1].lo);
      if (absl::Status status = check_transaction(m); !status.ok()) return status;
      break;
    case HostOperation::kMemoryBytes:
      m.strobes = low_of(head.lo);
      break;
    case HostOperation::kEvent:
      m.interface = low_of(head.lo);
      break;
    case HostOperation::kInterrupt:
      break;
    case HostOperation::kRegisterData:
      m.data[0] = record.words[1];
      [[fallthrough]];
    case HostOperation::kMemoryData:
    case HostOperation::kMemoryWritten:
    case HostOperation::kRegisterWritten:
      m.tag = low_of(head.lo);
      m.response = low_of(head.hi);
      break;
  }
  if (m.operation == HostOperation::kMemoryData || m.operation == HostOperation::kMemoryBytes) {
    m.data_words = static_cast<uint32_t>(record.count - 1);
    std::copy_n(record.words.begin() + 1, m.data_words, m.data.begin());
  }
  return m;
}

}  // namespace fabrictwin::link
