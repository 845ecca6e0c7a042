// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a board still lives, by a number in its window that grows.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::board {

/// How long the heartbeat of a board may stand. A run is to end within two seconds after its board has died: the rest
/// of that time is for looking, and for telling the caller.
inline constexpr std::chrono::milliseconds kHeartbeatPatience{1500};

/// Watches the heartbeat of one board. Used by one thread.
class Heartbeat {
 public:
  explicit Heartbeat(std::chrono::milliseconds patience) : patience_(patience) {}

  std::chrono::milliseconds patience() const { return patience_; }

  /// `beats` is what the window says now. Unavailable, with the name of the board, if it has said so for `patience`.
  absl::Status check(uint64_t beats, const std::string& board) {
    const SteadyClock::time_point now = SteadyClock::now();
    if (beats_ != beats) {
      beats_ = beats;
      beaten_ = now;
      return absl::OkStatus();
    }
    if (now - beaten_ < patience_) return absl::OkStatus();
    return absl::UnavailableError(
        fmt::format("the board at {} does not answer: its heartbeat has stood for {} ms", board, patience_.count()));
  }

 private:
  using SteadyClock = std::chrono::steady_clock;

  const std::chrono::milliseconds patience_;
  std::optional<uint64_t> beats_;  ///< Nothing before the first look.
  SteadyClock::time_point beaten_;
};

}  // namespace fabrictwin::bridges::board
