// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory channel of a host, shared by its cores and its network interface: docs/models/host-memory.md.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/fifo.h"
#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/run/experiment.h"

namespace fabrictwin {

/// One channel as processor sharing among streams. A stream is whoever has requests of its own (a core, the reads of a
/// network interface): it is served one request after the other, and all streams that have one get the same rate,
///   x(n) = min(cap, max(B / (n + k), (B - k d) / n)),
/// with n streams at work, bandwidth B, k cores of a constant demand d each (max-min fair), and cap = outstanding *
/// burst / latency, what one requester gets from an idle channel if it has that many bursts under way. A request is
/// answered `latency` after its last byte was served. Whole femtoseconds and exact fractions: the result is a function
/// of the requests alone, however often it is looked at. Not thread-safe.
class HostMemory {
 public:
  struct Config {
    Bandwidth bandwidth;        ///< Of the channel. Positive, at most 100 Tb/s.
    Time latency;               ///< From a request at the idle memory to the answer, without the bytes. At most 1 ms.
    int32_t outstanding = 8;    ///< Bursts that a stream may have under way. Positive.
    int64_t burst_bytes = 256;  ///< Positive. ExaNeSt: 8 bursts of 256 bytes saturate the memory.
    int32_t load_cores = 0;     ///< Cores that always want `load_rate`.
    Bandwidth load_rate;

    /// What each of `streams` (positive) streams at work gets, as a fraction: bits per second.
    struct Rate {
      int64_t numerator, denominator;
    };
    Rate share(int32_t streams) const;

    static Config from(const HostMemorySpec& spec);
  };
  struct Done {
    Time time;
    int32_t stream = 0;
    uint64_t cookie = 0;
  };

  /// `streams` of them, numbered from 0.
  HostMemory(const Config& config, int32_t streams);

  const Config& config() const { return config_; }

  /// Queues the reading or writing of `bytes` (positive) behind the other requests of the stream. Times of calls never
  /// decrease.
  void request(Time now, int32_t stream, uint64_t bytes, uint64_t cookie);
  /// Not later than the next answer, and never() only if there will be none. An answer may turn out to be later than
  /// this, since others may come in between.
  Time next_event() const;
  /// Takes the next answer that is due at `now`; false if there is none. In the order of time, then of streams.
  bool take_done(Time now, Done& done);

  uint64_t bytes_served() const { return bytes_served_; }

 private:
  /// Bits of service that each stream at work has had, in 2^-16.
  using Service = __int128;
  struct Request {
    uint64_t bytes = 0;
    uint64_t cookie = 0;
  };
  struct Stream {
    Fifo<Request> requests;
    Service finish = 0;  ///< Of the first request.
  };

  static Service service_of(uint64_t bytes) { return static_cast<Service>(bytes) << 19; }
  Service service_at(Time time) const;
  Time time_of(Service service) const;
  /// The stream at work that ends a request first; -1 if none is at work.
  int32_t first_to_finish() const;
  /// Ends what has been served by `now`.
  void settle(Time now);
  /// From now on `streams` are at work.
  void set_active(Time now, int32_t streams);

  Config config_;
  std::vector<Stream> streams_;
  Fifo<Done> done_;
  int32_t active_ = 0;
  Time anchor_;  ///< Since when so many streams are at work.
  Service anchor_service_ = 0;
  Config::Rate rate_{0, 1};
  uint64_t bytes_served_ = 0;
};

}  // namespace fabrictwin
