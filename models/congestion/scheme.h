// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The seam of congestion management: what a scheme does in switches and in hosts. docs/congestion.md shows how to add
// one.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cosim/base/time.h"
#include "models/congestion/signs.h"

namespace fabrictwin::congestion {

/// The sender's state of one flow. It decides by what acknowledgements and notices tell it, and by its own timers.
/// Times are femtoseconds, rates bits of a link in a second (headers included). Not thread-safe.
class FlowControl {
 public:
  static constexpr int64_t kNever = Time::never().fs();
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

  /// What a flow knows of its path when it begins.
  struct Path {
    int64_t line_rate = 0;   ///< Bits per second of the sender's link.
    int64_t round_trip = 0;  ///< How long a largest packet and its acknowledgement take in an empty network.
    int32_t max_packet = 0;  ///< Bytes of a largest packet on a link.
    /// The largest such round trip in the network, for schemes that want it.
    int64_t network_round_trip = 0;
    int32_t switches = 0;  ///< That a packet passes.
    int32_t payload = 0;   ///< Bytes of data in a largest packet.
  };

  virtual ~FlowControl() = default;

  /// The rate at which packets may leave: the next one may go when the one before it has had its time at this rate.
  double rate() const { return rate_; }
  /// A packet that waits for the port of its host delays those behind it; the time of such delays that is made up for.
  int64_t catches_up() const { return catches_up_; }
  /// The most bytes of data that may be sent and not acknowledged; at least one packet is always allowed.
  int64_t window() const { return window_; }
  /// When timer() is to be called; kNever if it is not. May change in each call.
  int64_t next_timer() const { return next_timer_; }

  /// A packet with `bytes` of data, `wire_bytes` on the link, begins to leave.
  virtual void sent(int64_t /*now*/, int64_t /*bytes*/, int64_t /*wire_bytes*/) {}
  /// An acknowledgement has arrived.
  virtual void acknowledged(const Feedback& /*feedback*/) {}
  /// A notice of congestion has arrived.
  virtual void notified(int64_t /*now*/) {}
  /// next_timer() has come; it is to be later afterwards.
  virtual void timer(int64_t /*now*/) { next_timer_ = kNever; }

  // Only for schemes with telemetry.
  /// Whether the next packet has a record of its path.
  bool records() const { return records_; }
  /// A packet with a record begins to leave: says what it takes along.
  virtual void begin(PathRecord& /*record*/) {}
  /// Nothing is left to be sent or acknowledged. Whether a notice with a record, begun by begin(), is to tell that to
  /// the outputs of the path.
  virtual bool leaves() { return false; }

 protected:
  explicit FlowControl(const Path& path) : path_(path), rate_(static_cast<double>(path.line_rate)) {}

  const Path path_;
  double rate_;
  int64_t window_ = kUnlimited;
  int64_t next_timer_ = kNever;
  int64_t catches_up_ = 0;
  bool records_ = true;
};

/// Adds a hop to a record.
inline void add_hop(const PortState& port, PathRecord& path) {
  path.hops.push_back({port.now, port.sent_bytes, port.queue_bytes, port.bits_per_second, port.output});
}

/// The switch side of a scheme, for all switches of a shard. Decisions depend on one port and the packet only, and
/// random ones on (seed, switch, port, number of the packet), so that results do not depend on how the network is
/// divided.
class SwitchSide {
 public:
  virtual ~SwitchSide() = default;
  /// Whether the data packet that leaves is to be marked.
  virtual bool marks(const PortState& /*port*/) const { return false; }
  /// An acknowledgement leaves, or a notice without a record; only if Scheme::manages_hosts().
  virtual void control(const PortState& /*port*/) {}
  /// A packet with a record leaves: writes into the record.
  virtual void record(const PortState& port, PathRecord& path) { add_hop(port, path); }
};

/// What a receiver remembers of one flow.
struct ReceiverState {
  int64_t last_notice = -1;  ///< When it last sent a notice; -1 if never.
};

/// A scheme with its parameters. Immutable and thread-safe.
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// What it is called in experiments: "dcqcn".
  virtual std::string_view name() const = 0;
  /// Makes the sender's state of a flow.
  virtual std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const = 0;
  /// Makes the switch side, or null if there is none. Thresholds are those of ports with `base_rate`.
  virtual std::unique_ptr<SwitchSide> make_switch(uint64_t /*seed*/, int64_t /*base_rate*/) const { return nullptr; }
  /// Whether the receiver of a packet sends a notice now.
  virtual bool notifies(ReceiverState& /*receiver*/, bool /*marked*/, int64_t /*now*/) const { return false; }
  /// Whether flows want to know the largest round trip in the network.
  virtual bool wants_network_round_trip() const { return false; }
  /// Whether packets record their path; without a switch side, each switch adds a hop.
  virtual bool telemetry() const { return false; }
  /// Whether the switch side is told of the outputs of hosts, and of control packets, too.
  virtual bool manages_hosts() const { return false; }
  /// Whether all packets of a flow must take the same path.
  virtual bool needs_one_path() const { return false; }
  /// The rate below which no flow falls, in bits per second; 0 if there is none.
  virtual int64_t least_rate() const { return 0; }
  /// What the windows of a flow stay within, if it has more than one packet: least_window, and what no window exceeds.
  struct WindowBounds {
    double least = 0;
    double most = 0;
    std::string least_text;
    std::string most_text;  ///< "52299 B at most, what the link of a host sends in a millisecond".
  };
  /// Those of a flow with such a path; nothing if there are no such bounds.
  virtual std::optional<WindowBounds> window_bounds(const FlowControl::Path& /*path*/) const { return std::nullopt; }
  /// What a packet with a record, and its acknowledgement, carries for the scheme besides its header, in bytes.
  virtual int32_t extra_bytes() const { return 0; }
};

}  // namespace fabrictwin::congestion
