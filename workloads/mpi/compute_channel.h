// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory channel that the computing ranks of a host share: docs/models/host-memory.md#computing-ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/run/experiment.h"

namespace fabrictwin {

/// Stretches of computation that draw on one channel at a time. A phase that moves `bytes` and takes `alone` without
/// the others demands d = bytes / alone. Its core waits for what it has asked for before it asks for more, so phases
/// queue for the channel even if it could meet all demands: a closed queueing network with one server of exponential
/// service, the channel, and a phase's own time between its requests; solved exactly. HostMemory, the channel of a
/// network interface, serves requests of a burst in turn and gives all of them the same; phases here last long and
/// demand each its own. Speeds are rounded to about 2^-46 of themselves, what is left at a change of the speeds to
/// 2^-16 fs, an end up to the next femtosecond; the result is a function of the phases alone. Not thread-safe.
class ComputeChannel {
 public:
  struct Config {
    Bandwidth bandwidth;     ///< Of the channel. Positive, at most 100 Tb/s.
    Bandwidth core_limit;    ///< What one core gets from an idle channel; zero: what it demands.
    int32_t load_cores = 0;  ///< Cores that always demand `load_rate`.
    Bandwidth load_rate;
  };

  /// What the computing ranks of a host share: `host.memory`, or else the channel of its profile; nothing if there is
  /// neither. With `nic: RDMA` that of the profile only.
  static std::optional<Config> config_of(const HostSpec& host);

  /// For the ranks in slots 0 to `slots` - 1, each of which has a core.
  ComputeChannel(const Config& config, int32_t slots) : config_(config), phases_(static_cast<size_t>(slots)) {}

  /// The rank in `slot`, which has no phase, begins one. `alone` and `bytes` are positive, and `bytes` in `alone` at
  /// most 100 Tb/s. Times of calls never decrease.
  void start(Time now, int32_t slot, Time alone, uint64_t bytes);
  /// When the next phase ends if no other begins; never() if there is none, or if that is beyond simulated time.
  Time next_end() const;
  /// Ends a phase that is over at `now` and says whose it was; false if there is none. Lower slots come first.
  bool take_ended(Time now, int32_t& slot);
  bool idle() const { return active_.empty(); }

 private:
  /// Femtoseconds of computation alone, in 2^-16.
  using Work = __int128;
  struct Phase {
    int64_t demand = 0;  ///< Bits per second.
    Work left = 0;       ///< At `anchor_`.
    /// Its speed as a fraction, at most 1.
    int64_t numerator = 1;
    int64_t denominator = 1;
  };

  Phase& phase(int32_t slot) { return phases_[static_cast<size_t>(slot)]; }
  const Phase& phase(int32_t slot) const { return phases_[static_cast<size_t>(slot)]; }
  Time end_of(const Phase& phase) const;
  /// What a phase would draw from an idle channel, in bits per second.
  int64_t drawn_alone(int32_t slot) const;
  /// Takes off what was computed until `now`.
  void advance(Time now);
  void share();

  Config config_;
  std::vector<Phase> phases_;    ///< By slot.
  std::vector<int32_t> active_;  ///< Slots that compute, ascending.
  std::vector<double> busy_;     ///< Shares of the channel that others take alone; kept for its memory.
  std::vector<double> terms_;    ///< k! P(k), by k, of share(); kept for its memory.
  Time anchor_;
};

}  // namespace fabrictwin
