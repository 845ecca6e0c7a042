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
#include "cosim/experiment/experiment.h"

namespace fabrictwin::mpi {

/// Phases of computation that share one memory channel. A phase that moves `bytes` and takes `alone` without the others
/// demands d = bytes / alone. Its core waits for each request to complete before it issues the next one, so phases
/// queue for the channel even if it could meet all demands: a closed queueing network with one server of exponential
/// service, the channel, and a phase's own time between its requests; solved exactly. HostMemory, the channel of a
/// network interface, serves requests of a burst in turn and equally; phases here are long and have different demands.
/// Speeds are rounded to about 2^-46 of themselves, remaining work at a change of the speeds to 2^-16 fs, and an end up
/// to the next femtosecond; the result is a function of the phases alone. Not thread-safe.
class ComputeChannel {
 public:
  struct Config {
    Bandwidth bandwidth;     ///< Rate of the channel; positive, at most 100 Tb/s.
    Bandwidth core_limit;    ///< What one core gets from an idle channel; zero means what it demands.
    int32_t load_cores = 0;  ///< Cores that always demand `load_rate`.
    Bandwidth load_rate;
  };

  /// The channel that the computing ranks of a host share: `host.memory`, or else the channel of its profile; nothing
  /// if there is neither. With `nic: RDMA`, only that of the profile.
  static std::optional<Config> config_of(const experiment::HostSpec& host);

  /// For the ranks in slots 0 to `slots` - 1, each of which has its own core.
  ComputeChannel(const Config& config, int32_t slots) : config_(config), phases_(static_cast<size_t>(slots)) {}

  /// Starts a phase of the rank in `slot`, which has none. `alone` and `bytes` are positive, and bytes / alone is at
  /// most 100 Tb/s. Times of calls never decrease.
  void start(Time now, int32_t slot, Time alone, uint64_t bytes);
  /// When the next phase ends if no other starts; never() if there is none, or if that is beyond simulated time.
  Time next_end() const;
  /// Ends a phase that is over at `now` and sets `slot` to its rank's; false if there is none. Lower slots come first.
  bool take_ended(Time now, int32_t& slot);
  bool idle() const { return active_.empty(); }

 private:
  /// Femtoseconds of computation without the others, in units of 2^-16.
  using Work = __int128;
  struct Phase {
    int64_t demand = 0;  ///< Bits per second.
    Work left = 0;       ///< Remaining work at `anchor_`.
    /// Its speed as a fraction, at most 1.
    int64_t numerator = 1;
    int64_t denominator = 1;
  };

  Phase& phase(int32_t slot) { return phases_[static_cast<size_t>(slot)]; }
  const Phase& phase(int32_t slot) const { return phases_[static_cast<size_t>(slot)]; }
  Time end_of(const Phase& phase) const;
  /// What a phase would take from an idle channel, in bits per second.
  int64_t rate_alone(int32_t slot) const;
  /// Subtracts the work done until `now`.
  void advance(Time now);
  void share();

  Config config_;
  std::vector<Phase> phases_;    ///< By slot.
  std::vector<int32_t> active_;  ///< Slots that compute, ascending.
  std::vector<double> busy_;     ///< Shares of the channel that others would take alone; kept to reuse its memory.
  std::vector<double> terms_;    ///< k! P(k), by k, for share(); kept to reuse its memory.
  Time anchor_;
};

}  // namespace fabrictwin::mpi
