// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The way from the RDMA unit to the memory of its host.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "cosim/link/packet.h"
#include "models/ni_context.h"

namespace fabrictwin {

/// Bursts of up to 256 bytes: a word in a cycle each way, the latency of the host port, and at most `timing.bursts`
/// reads and as many writes under way; others wait. The memory itself answers at once, or is `context.memory`, of which
/// reads and writes are a stream each. Not thread-safe.
class NiMemory {
 public:
  using Words = std::array<Word, kMaxPayloadWords>;

  /// Streams of the host's memory.
  static constexpr int32_t kStreams = 2;

  explicit NiMemory(NiContext& context) : context_(context) {}

  /// Reads `words` words from `address` on, a multiple of 16. `done` gets no words if the page is not there: a fault.
  void read(uint64_t address, int32_t words, std::function<void(const Words*)> done);
  /// Writes those bytes whose strobe is set; `address` is a multiple of 16. `done` hears whether it did: false is a
  /// fault. `again`: they have been written before, which takes the same time, but the client hears of bytes once.
  void write(uint64_t address, int32_t words, const Words& data, const std::array<uint64_t, 4>& strobes, bool again,
             std::function<void(bool)> done);
  /// Writes a notification.
  void notify(const NiNotification& notification, std::function<void(bool)> done);

  /// Takes what `context.memory` has answered.
  void take_answers();

 private:
  struct Burst {
    uint64_t address = 0;
    int32_t words = 0;
    Words data{};
    std::array<uint64_t, 4> strobes{};
    bool again = false;
    std::function<void(const Words*)> read_done;
    std::function<void(bool)> write_done;
  };
  static constexpr int32_t kReads = 0, kWrites = 1;

  void start_reads();
  /// The first word is at the data wires at `time` at the earliest.
  void finish_read(Burst burst, Time time);
  void start_writes();
  bool there(uint64_t address) { return context_.pages == nullptr || context_.pages->touch(address, context_.now()); }
  /// Memory has taken the bytes.
  void finish_write(Burst burst);
  /// Asks the memory for a burst, now.
  void ask(int32_t stream, Burst burst);

  NiContext& context_;
  std::deque<Burst> reads_, writes_;
  std::array<std::deque<Burst>, kStreams> asked_;  ///< By stream: answers come in order.
  int32_t reading_ = 0, writing_ = 0;
  int64_t read_free_ = 0, write_free_ = 0;  ///< Edges from which the data wires are free.
};

}  // namespace fabrictwin
