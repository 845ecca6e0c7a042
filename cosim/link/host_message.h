// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a record of kind kHost says, with names instead of bits. cosim/link/host_record.h is the layout.
#pragma once

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "cosim/link/host_record.h"
#include "cosim/link/record.h"

namespace fabrictwin {

/// Words of memory in one record.
inline constexpr int kHostDataWords = kRecordWords - 1;
/// Words of the longest memory transaction.
inline constexpr int kHostBurstWords = 16;

/// One message of a host port. Only the members that the operation has are carried; the others are zero. Value type.
struct HostMessage {
  HostOperation operation = HostOperation::kEvent;
  /// Of everything but kMemoryBytes and kEvent. Memory transactions: 32 bits as well.
  uint32_t tag = 0;
  /// Register accesses.
  HostRegion region = HostRegion::kMessages;
  uint32_t bytes = 0;  ///< 4, 8 or 16.
  /// Byte address of a register in its region, or of memory (a multiple of 16).
  uint64_t address = 0;
  /// AXI response of kRegisterWritten and kRegisterData; 1 for an absent page in kMemoryData and kMemoryWritten.
  uint32_t response = 0;
  /// Of kMemoryRead and kMemoryWrite: words (1 to kHostBurstWords) and AXI user bits.
  uint32_t words = 0;
  uint32_t user = 0;
  /// Of kEvent.
  uint32_t interface = 0;
  /// The value of a register (data[0]), or `data_words` words of memory (1 or 2).
  std::array<Word, kHostDataWords> data{};
  uint32_t data_words = 0;
  /// Of kMemoryBytes: bit i says that byte i of `data` is written.
  uint32_t strobes = 0;

  static HostMessage register_write(HostRegion region, uint32_t address, uint32_t bytes, uint32_t tag,
                                    const Word& value);
  static HostMessage register_read(HostRegion region, uint32_t address, uint32_t bytes, uint32_t tag);
  static HostMessage register_written(uint32_t tag, uint32_t response);
  static HostMessage register_data(uint32_t tag, uint32_t response, const Word& value);
  static HostMessage memory_read(uint64_t address, uint32_t words, uint32_t tag, uint32_t user);
  static HostMessage memory_write(uint64_t address, uint32_t words, uint32_t tag, uint32_t user);
  /// One or two words that `data` points to; also for kMemoryBytes.
  static HostMessage memory_data(uint32_t tag, uint32_t response, const Word* data, uint32_t data_words);
  static HostMessage memory_bytes(uint32_t strobes, const Word* data, uint32_t data_words);
  static HostMessage memory_written(uint32_t tag, uint32_t response);
  static HostMessage event(uint32_t interface);

  /// A record with words, count, kind and flags; channel and stamp are its sender's.
  Record encode() const;
  /// InvalidArgument says what is wrong with a record of kind kHost: an unknown operation, a count that does not belong
  /// to it, an access or a transaction that cannot be.
  static absl::StatusOr<HostMessage> decode(const Record& record);

  bool operator==(const HostMessage&) const = default;
};

}  // namespace fabrictwin
