// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is measured of traffic, whatever generates it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/latency_histogram.h"
#include "cosim/experiment/experiment.h"
#include "cosim/link/counters.h"
#include "cosim/link/packet_format.h"
#include "cosim/metric/sink.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/traffic/class_counts.h"
#include "workloads/traffic/destination_pattern.h"
#include "workloads/traffic/spec.h"
#include "workloads/traffic/time_base.h"

namespace fabrictwin::traffic {

/// The measurement of traffic, for a fixed time or in samples: see Traffic in traffic.proto. A generator tells it of
/// each packet, and of the state of the network at next_check(), before anything that happens then. Times are ticks of
/// the time base. Sums are of integers, so that the order of calls at one time does not matter.
class Measurement {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// The state of the network at a check.
  struct State {
    /// By host: words received so far. If empty, all words of the packets that have arrived.
    std::span<const uint64_t> words;
    uint64_t in_flight = 0;  ///< Flits or packets that are on their way,
    double age = 0;          ///< and the sum of their ticks since the creation of their packets.
  };

  /// A load of `spec` is in words per slot, and `packets` says how many words its packets have. `patterns`, by class,
  /// outlive the measurement.
  Measurement(const TrafficSpec& spec, const experiment::StatisticsSpec& statistics,
              std::span<const DestinationPattern> patterns, int32_t hosts, const TimeBase& base,
              const link::PacketFormat& packets = {});

  const TimeBase& base() const { return base_; }
  /// Words of a packet of a class.
  int32_t packet_words(size_t of_class = 0) const { return packet_words_[of_class]; }

  /// When check() is due next; never where nothing is left to be checked.
  int64_t next_check() const { return next_check_; }
  /// Ends a sample, or another part of the measurement.
  void check(const State& state);

  /// A packet that was created at `created` leaves its host. Returns whether it is measured. Packets that waited at
  /// their hosts through the warm-up and leave now are, too: their waiting is part of the latency.
  /// `stays`: it goes to a host of this measurement, and not of another partition's.
  bool packet_left(int64_t created, size_t of_class = 0, bool stays = true) {
    ++sent_;
    if (!classes_.empty()) classes_[of_class].sent();
    const bool measured = phase_ == Phase::kMeasurement || (phase_ == Phase::kDrain && created < drain_);
    if (measured && stays) ++outstanding_;
    return measured;
  }
  /// Whether packet_left() returned true, for a packet that left when it was created.
  bool measures(int64_t created) const { return created >= begin_ && created < drain_; }
  /// The last word of a packet has arrived. Returns whether its latency counts. `stayed` as in packet_left().
  bool packet_arrived(int32_t host, int64_t created, int64_t now, bool measured, size_t of_class = 0,
                      bool stayed = true) {
    ++received_;
    // In a fixed time, hosts may tell of what they have received in any order.
    const int32_t words = now < end_ ? packet_words_[of_class] : 0;
    words_by_[host] += static_cast<uint64_t>(words);
    if (!classes_.empty()) classes_[of_class].received(host, words);
    if ((over_ && spec_.sampled) || !(measured || phase_ == Phase::kWarmup)) return false;
    latencies_.add(now - created);
    if (!classes_.empty()) classes_[of_class].add_latency(now - created);
    if (measured && stayed) end_packet(created, now - created);
    return true;
  }
  /// Adds the path of a packet for which packet_arrived() has returned true: its time in the network, and the routers
  /// that it passed.
  void add_path(int64_t network_latency, int32_t routers) {
    network_latency_ += static_cast<uint64_t>(network_latency);
    routers_ += static_cast<uint64_t>(routers);
    ++paths_;
  }
  /// A host created or received a packet at `now`: how far a fixed time is over.
  void reach(int64_t now) {
    if (static_cast<uint64_t>(now) > reached_.get()) reached_.set(static_cast<uint64_t>(now));
  }

  /// The latest time of reach(), or of the check at the end of a fixed time.
  int64_t reached() const { return static_cast<int64_t>(reached_.get()); }

  /// The time before which packets that are measured are created; kNever before it is known.
  int64_t drain() const { return drain_; }
  /// No packet that would be measured will leave its host any more.
  void fall_silent();
  /// Whether there is nothing left to measure.
  bool over() const { return over_; }

  /// What has been measured of a fixed time, for another measurement, which takes it; `over` as in TrafficPart.
  /// DataLoss if it has other hosts or classes, or cannot be of traffic.
  void report_part(bool over, v1::TrafficPart& part) const;
  absl::Status add(const v1::TrafficPart& part);

  /// The payload of all packets that have arrived.
  uint64_t bytes_received() const;
  /// The payload that has arrived of each class; traffic without classes is one class.
  std::vector<uint64_t> class_bytes() const;

  void report(v1::Report& report) const;
  void measure(metric::Sink& sink) const;
  /// The share of the measurement that is done. Callable from any thread.
  double done() const;

 private:
  enum class Phase : uint8_t { kWarmup, kMeasurement, kDrain };

  /// Measured packets that were created in one sample.
  struct Batch {
    uint64_t packets = 0;
    uint64_t latency = 0;  ///< Sum of latencies.
  };
  /// What hosts have received in some time.
  struct Counted {
    std::vector<uint64_t> words;  ///< By host.
    int64_t slots = 0;
    int64_t cycles = 0;
  };

  uint64_t words_of(const State& state, size_t host) const;
  void end_packet(int64_t created, int64_t latency);
  void end_sample(const State& state);
  void begin_drain();
  void clear(const State& state);
  void count(const State& state);
  bool too_slow(const State& state) const;
  std::optional<double> latency_confidence() const;
  bool confident() const;
  bool narrow() const;
  /// Whether what has arrived until now counts, which in a fixed time is nothing that comes after its end: unless a
  /// network has said which words of packets had come by then.
  bool live() const { return !spec_.sampled && (phase_ != Phase::kDrain || !words_known_); }
  Counted counted() const;
  bool receives(int32_t host) const;
  double offered() const;
  /// In how many slots the loads of classes were measured; 0 as long as they were not.
  int64_t class_slots() const;
  void add_classes(v1::Report& report) const;
  void warn_of_classes(v1::Report& report) const;
  void add_measured(v1::TrafficReport& traffic) const;
  void add_loads(v1::TrafficReport& traffic) const;
  void add_latencies(v1::TrafficReport& traffic) const;
  std::string missed_warning(const v1::TrafficReport& traffic) const;
  std::string fields_to_raise() const;

  TrafficSpec spec_;
  experiment::StatisticsSpec statistics_;
  std::span<const DestinationPattern> patterns_;  ///< By class.
  TimeBase base_;
  std::vector<int32_t> packet_words_;  ///< By class.
  bool closed_ = false;                ///< The process of all classes is a closed loop.

  Phase phase_ = Phase::kWarmup;
  int64_t begin_ = kNever;   ///< When the measurement began, after the warm-up.
  int64_t drain_ = kNever;   ///< When it ended.
  int64_t end_ = kNever;     ///< The end of the fixed time.
  int64_t check_cycle_ = 0;  ///< The cycle of next_check_.
  int64_t next_check_ = 0;
  uint64_t outstanding_ = 0;  ///< Measured packets on their way.
  bool silent_ = false;
  bool saturated_ = false;
  bool missed_ = false;  ///< The measurement ended without the requested confidence.
  bool over_ = false;
  int32_t parts_ = 0;         ///< That have been added,
  bool parts_over_ = false;   ///< and whether all of them are over.
  bool words_known_ = false;  ///< The last check said what hosts had received.
  bool clear_next_ = false;
  int32_t samples_ = 0;  ///< Completed samples.
  int32_t steady_ = 0;   ///< Consecutive samples that changed little.

  uint64_t sent_ = 0;
  uint64_t received_ = 0;
  std::vector<uint64_t> words_by_;    ///< By host: words of the packets that it has received.
  std::vector<ClassCounts> classes_;  ///< Empty if the traffic has no classes.
  LatencyHistogram latencies_;        ///< Since counting began, in ticks.
  uint64_t paths_ = 0;                ///< Packets that the following are of.
  uint64_t network_latency_ = 0;
  uint64_t routers_ = 0;
  uint64_t flit_hops_ = 0;  ///< The parts that have been added have so many.
  std::vector<Batch> batches_;
  std::vector<double> accepted_batches_;  ///< Words per host and slot in each sample of the measurement.
  uint64_t accepted_before_ = 0;          ///< Words before the current sample.
  int64_t sample_begin_ = 0;
  double last_latency_ = 0;
  double last_accepted_ = 0;
  int64_t cleared_ = 0;                 ///< When counting began,
  int64_t cleared_cycle_ = 0;           ///< the same as a cycle,
  std::vector<uint64_t> words_before_;  ///< and, by host, the words before.
  Counted counted_;                     ///< Since then, as of the last check.
  link::Counter progress_;              ///< Completed samples, for progress displays.
  link::Counter reached_;               ///< The latest time that was reached.
};

}  // namespace fabrictwin::traffic
