// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/messages.h"

#include <concepts>

#include "fmt/format.h"

namespace fabrictwin::bridges::mpi {
namespace {

constexpr size_t kNumberBytes = sizeof(uint64_t);
constexpr size_t kCodeBytes = sizeof(uint32_t);
constexpr int kBitsOfByte = 8;
constexpr unsigned kByte = 0xff;

/// Ranks may be on machines of different kinds, so numbers are little-endian everywhere.
template <std::unsigned_integral Number>
void append(std::string& bytes, Number number) {
  for (size_t i = 0; i < sizeof number; ++i)
    bytes += static_cast<char>(static_cast<unsigned char>((number >> (kBitsOfByte * i)) & kByte));
}

template <std::unsigned_integral Number>
Number number_at(const std::string& bytes, size_t at) {
  Number number = 0;
  for (size_t i = 0; i < sizeof number; ++i)
    number |= static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (kBitsOfByte * i);
  return number;
}

absl::Status too_short(const std::string& bytes) {
  return absl::DataLossError(fmt::format("protocol error: a message of {} bytes is too short", bytes.size()));
}

}  // namespace

std::string to_bytes(const CallMessage& message) {
  std::string bytes;
  append(bytes, message.number);
  return bytes + message.body;
}

std::string to_bytes(const AnswerMessage& message) {
  std::string bytes;
  append(bytes, message.number);
  append(bytes, static_cast<uint32_t>(message.code));
  return bytes + message.body;
}

absl::StatusOr<CallMessage> call_of(const std::string& bytes) {
  if (bytes.size() < kNumberBytes) return too_short(bytes);
  return CallMessage{number_at<uint64_t>(bytes, 0), bytes.substr(kNumberBytes)};
}

absl::StatusOr<AnswerMessage> answer_of(const std::string& bytes) {
  if (bytes.size() < kNumberBytes + kCodeBytes) return too_short(bytes);
  return AnswerMessage{number_at<uint64_t>(bytes, 0), static_cast<int32_t>(number_at<uint32_t>(bytes, kNumberBytes)),
                       bytes.substr(kNumberBytes + kCodeBytes)};
}

}  // namespace fabrictwin::bridges::mpi
