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
#include "cosim/experiment/experiment.h"

namespace fabrictwin::memory {

/// One channel as processor sharing among streams. A stream is a source of requests (a core, the reads of a network
/// interface): its requests are served one after the other, and all streams that have one get the same rate,
///   x(n) = min(cap, max(B / (n + k), (B - k d) / n)),
/// with n active streams, bandwidth B, k cores of a constant demand d each (max-min fair), and cap = outstanding *
/// burst / latency, what one requester gets from an idle channel with that many bursts in progress. A request completes
/// `latency` after its last byte was served. Times are whole femtoseconds and exact fractions: the result is a function
/// of the requests alone, however often the state is read. Not thread-safe.
class HostMemory {
 public:
  struct Config {
    Bandwidth bandwidth;      ///< Rate of the channel; positive, at most 100 Tb/s.
    Time latency;             ///< From a request at the idle memory to its completion, without the bytes; at most 1 ms.
    int32_t outstanding = 8;  ///< Bursts that a stream may have in progress; positive.
    int64_t burst_bytes = 256;  ///< Positive. ExaNeSt: 8 bursts of 256 bytes saturate the memory.
    int32_t load_cores = 0;     ///< Cores that always demand `load_rate`.
    Bandwidth load_rate;

    /// The rate of each of `streams` (positive) active streams, as a fraction in bits per second.
    struct Rate {
      int64_t numerator, denominator;
    };
    Rate share(int32_t streams) const;

    static Config from(const experiment::HostMemorySpec& spec);
  };
  struct Done {
    Time time;
    int32_t stream = 0;
    uint64_t cookie = 0;
  };

  /// Streams are numbered from 0 to `streams` - 1.
  HostMemory(const Config& config, int32_t streams);

  const Config& config() const { return config_; }

  /// Queues a read or write of `bytes` (positive) behind the other requests of the stream. Times of calls never
  /// decrease.
  void request(Time now, int32_t stream, uint64_t bytes, uint64_t cookie);
  /// A time not later than the next completion; never() only if there will be none. A completion may turn out to be
  /// later than this, since other requests may arrive first.
  Time next_event() const;
  /// Takes the next completion that is due at `now`; false if there is none. Ordered by time, then by stream.
  bool take_done(Time now, Done& done);

  uint64_t bytes_served() const { return bytes_served_; }

 private:
  /// Bits of service that each active stream has had, in units of 2^-16.
  using Service = __int128;
  struct Request {
    uint64_t bytes = 0;
    uint64_t cookie = 0;
  };
  struct Stream {
    Fifo<Request> requests;
    Service finish = 0;  ///< Service at which the first request is complete.
  };

  static Service service_of(uint64_t bytes) { return static_cast<Service>(bytes) << 19; }
  Service service_at(Time time) const;
  Time time_of(Service service) const;
  /// The active stream that completes a request first; -1 if none is active.
  int32_t first_to_finish() const;
  /// Completes what has been served by `now`.
  void settle(Time now);
  /// Sets the number of active streams from `now` on.
  void set_active(Time now, int32_t streams);

  Config config_;
  std::vector<Stream> streams_;
  Fifo<Done> done_;
  int32_t active_ = 0;
  Time anchor_;  ///< When the number of active streams last changed.
  Service anchor_service_ = 0;
  Config::Rate rate_{0, 1};
  uint64_t bytes_served_ = 0;
};

}  // namespace fabrictwin::memory
