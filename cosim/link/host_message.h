// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The content of a record of kind kHost, with names instead of bits. cosim/link/host_record.h defines the layout.
#pragma once

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "cosim/link/host_record.h"
#include "cosim/link/record.h"

namespace fabrictwin::link {

/// Words of memory in one record.
inline constexpr int kHostDataWords = kRecordWords - 1;
/// Words of the longest memory transaction.
inline constexpr int kHostBurstWords = 16;

/// One message of a host port. Only the members that the operation uses are carried; the others are zero. Value type.
struct HostMessage {
  HostOperation operation = HostOperation::kEvent;
  /// The tag of every operation but kMemoryBytes, kEvent and kInterrupt. It has 32 bits for memory transactions, too.
  uint32_t tag = 0;
  /// The region of a register access.
  HostRegion region = HostRegion::kMessages;
  uint32_t bytes = 0;  ///< Size of a register access: 4, 8 or 16.
  /// Byte address of a register in its region, or of memory (a multiple of 16).
  uint64_t address = 0;
  /// AXI response of kRegisterWritten and kRegisterData; 1 for an absent page in kMemoryData and kMemoryWritten.
  uint32_t response = 0;
  /// For kMemoryRead and kMemoryWrite: the number of words (1 to kHostBurstWords) and the AXI user bits.
  uint32_t words = 0;
  uint32_t user = 0;
  /// For kEvent: the interface whose mailbox has a new entry.
  uint32_t interface = 0;
  /// The value of a register (data[0]), or `data_words` words of memory (1 or 2).
  std::array<Word, kHostDataWords> data{};
  uint32_t data_words = 0;
  /// For kMemoryBytes: bit i says that byte i of `data` is written.
  uint32_t strobes = 0;

  static HostMessage register_write(HostRegion region, uint32_t address, uint32_t bytes, uint32_t tag,
                                    const Word& value);
  static HostMessage register_read(HostRegion region, uint32_t address, uint32_t bytes, uint32_t tag);
  static HostMessage register_written(uint32_t tag, uint32_t response);
  static HostMessage register_data(uint32_t tag, uint32_t response, const Word& value);
  static HostMessage memory_read(uint64_t address, uint32_t words, uint32_t tag, uint32_t user);
  static HostMessage memory_write(uint64_t address, uint32_t words, uint32_t tag, uint32_t user);
  /// `data` points to `data_words` words, 1 or 2; memory_bytes() takes them in the same way.
  static HostMessage memory_data(uint32_t tag, uint32_t response, const Word* data, uint32_t data_words);
  static HostMessage memory_bytes(uint32_t strobes, const Word* data, uint32_t data_words);
  static HostMessage memory_written(uint32_t tag, uint32_t response);
  static HostMessage event(uint32_t interface);
  static HostMessage interrupt();

  /// Encodes words, count, kind and flags of a record; its channel and stamp are set by the sender.
  Record encode() const;
  /// Decodes a record of kind kHost. InvalidArgument says what is wrong with it: an unknown operation, a count that
  /// does not match the operation, an impossible access or transaction.
  static absl::StatusOr<HostMessage> decode(const Record& record);

  bool operator==(const HostMessage&) const = default;
};

}  // namespace fabrictwin::link
