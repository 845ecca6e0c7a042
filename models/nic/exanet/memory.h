// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The path from the RDMA unit to the memory of its host.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "cosim/link/packet.h"
#include "models/nic/exanet/context.h"

namespace fabrictwin::nic::exanet {

/// Bursts of up to 256 bytes: a word per cycle in each direction, the latency of the host port, and at most
/// `timing.bursts` reads and as many writes in progress; others wait. The memory itself responds at once, or is
/// `context.memory`, with one stream each for reads and writes. Not thread-safe.
class Memory {
 public:
  using Words = std::array<link::Word, link::kMaxPayloadWords>;

  /// Streams of the host's memory.
  static constexpr int32_t kStreams = 2;

  explicit Memory(Context& context) : context_(context) {}

  /// Reads `words` words from `address` on, a multiple of 16. `done` gets null if the page is not present: a fault.
  void read(uint64_t address, int32_t words, std::function<void(const Words*)> done);
  /// Writes the bytes whose strobe is set; `address` is a multiple of 16. `done` gets whether it succeeded: false is a
  /// fault. With `again`, the bytes have been written before: this takes the same time, but the client is told of bytes
  /// once.
  void write(uint64_t address, int32_t words, const Words& data, const std::array<uint64_t, 4>& strobes, bool again,
             std::function<void(bool)> done);
  /// Writes `words` to pages that are always present, and of which the client is not told. `written` is called when
  /// they are in memory, and `done` when the response is here. No other bursts wait for it but for the data wires.
  void write_pinned(int32_t words, std::function<void()> written, std::function<void()> done);
  /// Writes a notification.
  void notify(const Notification& notification, std::function<void(bool)> done);

  /// Handles the responses of `context.memory`.
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
    std::function<void()> written;  ///< Set if it is of write_pinned().
  };
  static constexpr int32_t kReads = 0, kWrites = 1;

  void start_reads();
  /// The first word is on the data wires no earlier than `time`.
  void finish_read(Burst burst, Time time);
  void start_writes();
  void send_write(Burst burst);
  bool there(uint64_t address) { return context_.pages == nullptr || context_.pages->touch(address, context_.now()); }
  /// Memory has taken the bytes.
  void finish_write(Burst burst);
  /// Requests a burst from the memory at the current time.
  void ask(int32_t stream, Burst burst);

  Context& context_;
  std::deque<Burst> reads_, writes_;
  std::array<std::deque<Burst>, kStreams> asked_;  ///< By stream, in order of their responses.
  int32_t reading_ = 0, writing_ = 0;
  int64_t read_free_ = 0, write_free_ = 0;  ///< Edges from which the data wires are free.
};

}  // namespace fabrictwin::nic::exanet
