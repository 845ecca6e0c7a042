// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine's view of a simulated part: that it advances, and when it next acts by itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "cosim/engine/foreground.h"
#include "cosim/link/counters.h"
#include "cosim/metric/sink.h"

namespace fabrictwin::link {
class ChannelReceiver;
class ChannelSender;
}  // namespace fabrictwin::link

namespace fabrictwin::engine {

/// A part of the system that is simulated as one sequential process. The executor calls each partition from one thread
/// at a time; two calls may come from different threads.
class Partition {
 public:
  virtual ~Partition() = default;

  /// Simulates up to, not including, `until`, which never decreases. Every inbound record before `until` is already in
  /// its receiver. An error ends the run; it names the element and the simulated time. An exception ends the run too,
  /// with the name of the partition.
  virtual absl::Status advance(Time until) = 0;

  /// Up to where advance(until) has come. It is less than `until` only where foreground work of this partition has
  /// ended on the way, in runs whose partitions end together.
  virtual Time reached(Time until) const { return until; }

  /// Its foreground work, after an advance(), in runs whose partitions end together.
  virtual Foreground foreground() const { return {.state = Foreground::State::kOver}; }

  /// Brings its link counters up to date with what it has sent before `until`, up to which it has advanced.
  virtual void count_links(Time until) { (void)until; }

  /// The earliest time at which this partition acts without new input; Time::never() if it only waits.
  /// Records that wait in its receivers are the executor's concern, not counted here.
  virtual Time next_event() const = 0;

  /// The number of events (router steps, clock edges) simulated so far. Safe to call from any thread.
  virtual uint64_t events() const = 0;

  /// True once the partition has finished its workload. Partitions without a workload are always done. Safe to call
  /// from any thread.
  virtual bool done() const { return true; }

  /// The fraction of its workload that is done, 0 to 1; -1 if it has none. Safe to call from any thread.
  virtual double workload_done() const { return -1; }

  /// One line for each thing that this partition waits for ("rank 3 waits in recv from 2, tag 99"), to explain why a
  /// run hangs.
  virtual std::vector<std::string> waits() const { return {}; }

  /// Closes the files that it writes during the run (a waveform). Called once, after the last advance(). An error says
  /// which file is incomplete.
  virtual absl::Status close_files() { return absl::OkStatus(); }

  /// Adds what has been measured so far, as metrics that are declared where this is defined. Only what is cheap to
  /// collect is added. Called when somebody looks at the run, and at the end: for partitions of models never while the
  /// partition advances, for others at any time and from any thread (so they add what is in a link::Counter).
  virtual void measure(metric::Sink& sink) const { (void)sink; }
};

}  // namespace fabrictwin::engine
