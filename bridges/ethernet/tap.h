// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A TAP device of Linux: frames of the programs of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::bridges::ethernet {

/// The far end of a TAP device, which exists as long as this unless it was made persistent. Used by one thread.
class Tap {
 public:
  /// Attaches to the device `name`, which is made if there is none. InvalidArgument for a name that no device can have,
  /// Unavailable with the reason if the system refuses, which it does without CAP_NET_ADMIN.
  static absl::StatusOr<Tap> open(const std::string& name);
  Tap(Tap&& other) noexcept;
  Tap& operator=(Tap&&) = delete;
  ~Tap();

  /// A frame that a program has sent, if there is one within `wait_ms`. Unavailable if the device is no longer there.
  absl::StatusOr<std::optional<std::vector<uint8_t>>> read(int wait_ms);
  /// Waits until one of several has a frame, at most so long.
  static void wait(const std::vector<Tap>& taps, int wait_ms);
  /// Gives a frame to the programs. One that the system does not take, as the device is down, is dropped and counted.
  void write(const std::vector<uint8_t>& frame);
  int64_t dropped() const { return dropped_; }

 private:
  Tap(int file, std::string name) : file_(file), name_(std::move(name)) {}
  int file_;
  std::string name_;
  int64_t dropped_ = 0;
};

}  // namespace fabrictwin::bridges::ethernet
