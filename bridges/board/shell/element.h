// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The element of a board with a shell, as a partition of the agent: what a transactor is for a Verilated element.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "bridges/board/shell/clock_mode.h"
#include "bridges/board/shell/device.h"
#include "bridges/board/shell/identity.h"
#include "bridges/board/shell/port.h"
#include "bridges/board/shell/record.h"
#include "bridges/board/shell/rings.h"
#include "bridges/board/shell/setup.h"
#include "cosim/engine/partition.h"
#include "cosim/link/counters.h"

namespace fabrictwin::bridges::board::shell {

/// The element behind a shell in one run. advance() waits for the board. docs/models/shell.md has the exchange.
class Element : public engine::Partition {
 public:
  /// Configures the board and begins a run. `device` and what `config` points to outlive the element. Errors: those of
  /// read_identity() and Pulse, and InvalidArgument, which names the element, if the board cannot be that.
  static absl::StatusOr<std::unique_ptr<Element>> create(Device& device, const Config& config,
                                                         ClockMode mode = ClockMode::kGated);
  /// Ends the run.
  ~Element() override;

  absl::Status advance(Time until) override;
  void count_links(Time until) override;
  Time next_event() const override;
  /// Edges that the element has executed.
  uint64_t events() const override { return executed_.get(); }
  std::vector<std::string> waits() const override;
  /// Has the board answer a record that changes nothing. Errors are those of advance().
  absl::Status touch();
  /// Records in both rings so far, modulo 2^32.
  uint32_t records() const { return to_board_.produced() + from_board_.consumed(); }

 private:
  Element(Device& device, const Config& config, const Identity& identity, Setup setup, ClockMode mode);

  absl::Status begin();
  /// Where the ring from the board is.
  Device& from_board_memory() const;
  size_t from_board_offset() const;
  int64_t next_arrival() const;
  bool may_jump(int64_t edge) const;
  Slot jump_to(int64_t edge) const;
  absl::Status send_arrivals(int64_t end);
  absl::Status push(const Slot& slot);
  absl::Status wait_until(int64_t end);
  /// Takes what the board has sent; true if there was anything.
  absl::StatusOr<bool> collect();
  absl::Status take(const Slot& slot);
  void take_status(const Slot& slot);
  absl::Status check_pulse();
  absl::Status failure() const;
  /// `status` with the name of the element, and the time of the last status, before its text.
  absl::Status at_edge(const absl::Status& status) const;
  /// `status` with the name of the element before its text.
  absl::Status named(const absl::Status& status) const;

  Device& device_;
  Config config_;
  Identity identity_;
  Setup setup_;
  ClockMode mode_;
  RingTo to_board_;
  RingFrom from_board_;
  Pulse pulse_;
  std::vector<Port> ports_;     ///< All ports, by index.
  uint32_t told_consumed_ = 0;  ///< What the board knows of what was taken.
  // What the last status said.
  int64_t edge_ = 0;
  int64_t end_ = 0;  ///< The edge up to which the partition has advanced.
  bool idle_ = true;
  bool settled_ = false;
  uint32_t fruitless_ = 0;  ///< Looks at the ring that found nothing, since one that did.
  link::Counter executed_;
  std::chrono::steady_clock::time_point counted_;
};

}  // namespace fabrictwin::bridges::board::shell
