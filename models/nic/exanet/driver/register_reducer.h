// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Allreduce accelerator of RTL through its registers: docs/models/allreduce.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/nic/exanet/allreduce/port.h"
#include "models/nic/exanet/driver/register_port.h"

namespace fabrictwin::nic::exanet::driver {

/// Writes vectors word by word, and reads status and result after the event. Refused accesses end the run, with what
/// the accelerator says against them. Not thread-safe.
class RegisterReducer : public allreduce::Port {
 public:
  explicit RegisterReducer(RegisterPort& port) : port_(port) {}
  void bind_client(allreduce::Client* client) { client_ = client; }

  void configure(const allreduce::Group& group) override;
  void start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) override;
  /// The logic tells that an operation has ended.
  void event();

  /// The number that events of the accelerator have among those of the interfaces of the mailbox.
  static constexpr int32_t kEvent = kNiInterfaces;

 private:
  void write(uint32_t address, uint64_t value);
  void take_status(uint64_t status);
  void finish();

  RegisterPort& port_;
  allreduce::Client* client_ = nullptr;
  size_t bytes_ = 0;
  size_t read_ = 0;
  bool under_way_ = false;
  std::array<std::byte, kMaxReduceBytes> result_{};
};

}  // namespace fabrictwin::nic::exanet::driver
