// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the driver that gives datagrams to the card.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "cosim/base/time.h"
#include "models/nanet/memory.h"
#include "models/nanet/results.h"
#include "models/nanet/spec.h"

namespace fabrictwin::nanet {

/// Has the datagrams of streams that are sent in memory at their times, and writes the registers for one after the
/// other, those that have changed. Where the card has no space it asks until there is some. Used by one thread.
class SendDriver {
 public:
  using Done = std::function<void(uint32_t value)>;
  /// Accesses to registers of the card, in order.
  struct Registers {
    std::function<void(uint32_t offset, uint32_t value, Done done)> write;
    std::function<void(uint32_t offset, Done done)> read;
  };
  /// All arguments but the last outlive it. `memories` are those of CPU and GPU.
  SendDriver(const DatagramsSpec& spec, uint64_t seed, std::array<Memory, 2>& memories, Results& results,
             Registers registers);

  /// Begins with a datagram that is due.
  void act(Time now);
  /// When it next acts by itself; never() while it is busy with a datagram, or if there are no more.
  Time next() const;

 private:
  struct Outgoing {
    size_t number = 0;  ///< Which of all streams it is.
    int64_t given = 0;
  };
  const StreamSpec& stream_of(const Outgoing& outgoing) const { return spec_.streams[outgoing.number]; }
  Time due(const Outgoing& outgoing) const;
  const Outgoing* first() const;
  void begin(Outgoing& outgoing, Time now);
  void set(uint32_t offset, uint32_t value);
  void give(uint32_t send);

  const DatagramsSpec& spec_;
  uint64_t seed_;
  std::array<Memory, 2>& memories_;
  Results& results_;
  Registers registers_;
  std::vector<Outgoing> outgoing_;
  std::map<uint32_t, uint32_t> written_;  ///< Registers that keep their values.
  uint32_t free_ = 0;                     ///< Datagrams for which the card has space, as far as is known.
  bool busy_ = false;
};

}  // namespace fabrictwin::nanet
