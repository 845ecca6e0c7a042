// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What an agent may do on the bus of a board: the rules of docs/models/shell.md and docs/models/shell-registers.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fabrictwin::tests::boards {

/// The window that is watched.
struct WatchedWindow {
  uint64_t bytes = 0;
  uint64_t ring_offset = 0;  ///< The ring to the board begins here; the one from it follows.
  uint32_t slots = 0;        ///< Slots of each ring, a power of two.
  uint32_t ports = 0;
};

/// Follows the accesses of an agent and remembers those that are not allowed:
/// - accesses to registers have 4 bytes and to rings 8, and are aligned and inside;
/// - only registers that there are, are read, and only those that are RW written; while a run is asked for only `run`
///   and `from_board_consumed`, which is not above what was taken;
/// - rings are not touched from a change of `run` on until the board has said it in `status_run`, and both are empty
///   when a run begins;
/// - in a run, slots of the ring to the board are only written, one after another, no more than there is space for, the
///   stamp last and with the bit of its lap; those of the ring from the board are only read, one after another, and no
///   more than the stamp before that has said that the slot is written.
class BusMonitor {
 public:
  explicit BusMonitor(const WatchedWindow& window);

  /// An access of the agent at `offset`; `value` is what it has read, or writes.
  void read(uint64_t offset, uint32_t bytes, uint64_t value);
  void write(uint64_t offset, uint32_t bytes, uint64_t value);

  /// How often something was not allowed, and what, at the first times.
  uint64_t violations() const { return violations_; }
  const std::vector<std::string>& texts() const { return texts_; }
  /// "reads 4 B: 17, 8 B: 23; writes 4 B: 5".
  std::string summary() const;

 private:
  enum class Ring : uint8_t { kToBoard, kFromBoard };
  struct Place {
    Ring ring = Ring::kToBoard;
    uint32_t slot = 0;
    uint32_t word = 0;  ///< Word of 8 bytes; 6 is the control, 7 the stamp.
  };

  bool fits(bool write, uint64_t offset, uint32_t bytes);
  bool in_rings(uint64_t offset) const {
    return offset >= window_.ring_offset && offset < window_.ring_offset + 2 * ring_bytes();
  }
  uint64_t ring_bytes() const { return uint64_t{window_.slots} * 64; }
  Place place(uint64_t offset) const;
  void read_register(uint64_t offset, uint64_t value);
  void write_register(uint64_t offset, uint64_t value);
  void change_run(uint32_t run);
  void read_slot(const Place& place, uint64_t value);
  void write_slot(const Place& place, uint64_t value);
  void write_stamp(const Place& place, uint64_t value);
  bool is_this_lap(uint64_t stamp, uint32_t count) const;
  void violate(const std::string& what);

  const WatchedWindow window_;
  std::map<uint64_t, bool> registers_;                      ///< By offset: whether it may be written.
  std::array<std::map<uint32_t, uint64_t>, 2> accesses_{};  ///< Reads and writes, by bytes.
  uint32_t run_ = 0;
  bool agreed_ = false;      ///< The board has said the run that is asked for.
  std::vector<bool> empty_;  ///< By slot of both rings: its stamp was zeroed.
  // What follows is of the present run.
  uint32_t produced_ = 0;  ///< Records, modulo 2^32, here and below.
  uint32_t consumed_ = 0;
  uint32_t taken_ = 0;
  bool control_written_ = false;
  bool ready_ = false;      ///< The stamp of the slot `taken_` has said that it is written.
  bool is_status_ = false;  ///< Its control has said that it is a status.
  uint64_t violations_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace fabrictwin::tests::boards
