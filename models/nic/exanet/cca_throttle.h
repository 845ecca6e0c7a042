// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RDMA unit does about congestion: docs/models/exanet-congestion.md.
#pragma once

#include <array>
#include <cstdint>

#include "cosim/link/record.h"
#include "models/nic/exanet/port.h"

namespace fabrictwin::nic::exanet {

/// The registers of rtl/rdma/rdma_throttle.sv. Value type.
struct CcaSettings {
  static constexpr int32_t kEntries = 128;

  bool enabled = false;
  int32_t increase = 1;                    ///< By how much a notice raises an index, 0 to 127.
  int32_t limit = 127;                     ///< The highest index, at least `least`.
  int32_t least = 0;                       ///< The lowest index.
  int32_t timer = 150;                     ///< Units of 1.024 us after which indices fall by one, 1 to 65535.
  int32_t shift = 0;                       ///< The table is in units of 1 / 2^shift; 0 to 3.
  std::array<uint16_t, kEntries> table{};  ///< Gaps in lengths of the cell before, 14 bits, by index.

  static constexpr int32_t kEntriesOfWrite = 8;
  /// The register as the logic takes it, and eight entries of the table from `first` on.
  link::Word register_value() const;
  link::Word entries(int32_t first) const;
  /// Writes to registers that set all of it: the entries up to `limit`, and the register.
  int32_t writes() const { return enabled ? limit / kEntriesOfWrite + 2 : 0; }

  bool operator==(const CcaSettings&) const = default;
};

/// Equals rtl/rdma/rdma_throttle.sv cycle by cycle. Calls come in the order of cycles; in one cycle, what is asked
/// comes before notice(). Cycles are those of the network interface. Not thread-safe.
class CcaThrottle {
 public:
  static constexpr int64_t kUnitCycles = 160;  ///< 1.024 us.
  static constexpr int64_t kChoice = 2;        ///< From choosing a cell to sending it.

  explicit CcaThrottle(const CcaSettings& settings) : settings_(settings) {}

  const CcaSettings& settings() const { return settings_; }
  /// Whether two nodes share an index.
  static bool same(Node a, Node b) { return entry_of(a) == entry_of(b); }
  /// A notice from `node` arrives.
  void notice(Node node, int64_t cycle);
  /// The index of `node` as a cell sees it that is sent in this cycle.
  int32_t index(Node node, int64_t cycle);
  /// A cell with `payload_words` (1 to 16) for `node` is sent. The first cycle in which its slot may be chosen again;
  /// zero if it need not wait.
  int64_t sent(Node node, int payload_words, int64_t cycle);
  /// No index is above the least.
  bool settled(int64_t cycle);

 private:
  struct Entry {
    int32_t index = 0;
    uint64_t expiries = 0;  ///< Expiries of the timer when that was right.
  };

  int64_t period() const { return kUnitCycles * (settings_.timer == 0 ? 65536 : settings_.timer); }
  void advance(int64_t cycle);
  int32_t current(const Entry& entry) const;
  static size_t entry_of(Node node) { return node % CcaSettings::kEntries; }

  CcaSettings settings_;
  std::array<Entry, CcaSettings::kEntries> entries_{};
  int32_t highest_ = 0;  ///< Of all indices, or less than the least.
  uint64_t expiries_ = 0;
  int64_t next_expiry_ = 0;  ///< Valid while an index is above the least.
};

}  // namespace fabrictwin::nic::exanet
