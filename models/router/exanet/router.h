// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The ExaNet torus router as a state machine that matches the RTL clock edge by clock edge.
// docs/models/exanet-router.md is the contract.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/packet_mark.h"
#include "cosim/link/record.h"
#include "models/routing/routing.h"

namespace fabrictwin::router::exanet {

/// Where a router's words and credits go.
class RouterLinks {
 public:
  virtual ~RouterLinks() = default;
  /// The link of `port` accepts a word in slot `slot` of its word clock.
  virtual void transmit(int32_t router, int32_t port, int64_t slot, uint8_t vc, uint8_t flags,
                        const link::Word& word) = 0;
  /// `count` words of input buffer of (port, vc) are free; the credit leaves at clock edge `cycle`.
  virtual void return_credit(int32_t router, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) = 0;
};

/// One router. It is stepped only at cycles at which something can change; between them its state is constant. Not
/// thread-safe.
class Router {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr int32_t kMaxPorts = 64;

  struct PortConfig {
    bool connected = false;
    Clock word_clock{Frequency{1}};
    int32_t credits = 0;  ///< The neighbour's input buffer, in words of each VC.
    /// An APElink controller (docs/models/apelink.md) stands between router and link, with a buffer for each VC as
    /// large as the credits: it takes a word per cycle and sends whole packets, VCs in turn, each with the quarter
    /// words of its framing. Without it, VCs take turns word by word.
    bool apelink = false;
    bool to_host = false;  ///< See PacketMarking::hosts.
  };
  struct Config {
    std::string name;
    int32_t index = 0;  ///< Passed back to RouterLinks.
    std::shared_ptr<const routing::Routing> routing;
    Clock clock{Frequency{1}};
    int32_t buffer_words = 64;
    int32_t packet_gap = 2;  ///< See NodeTiming; the RTL of the torus router has 2.
    /// Cycles that the routing block holds each word of a packet that comes or goes by a port with an APElink. It is a
    /// pipeline, so it costs no throughput: docs/models/exanet-router.md. The RTL has none.
    int32_t routing_block = 0;
    link::PacketMarking marking;    ///< When outputs mark packets: docs/models/exanet-congestion.md.
    std::vector<PortConfig> ports;  ///< At most kMaxPorts.
  };

  /// Sized for the ports that are there, so that routers of a torus do not pay for many.
  static std::unique_ptr<Router> create(Config config, RouterLinks& links);
  virtual ~Router() = default;
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  const std::string& name() const { return config_.name; }

  /// A word or credit arrives at `port`; arrivals of one port come in order. Returns the cycle at which it is sampled.
  virtual int64_t receive_word(int32_t port, Time arrival, uint8_t vc, uint8_t flags, const link::Word& word) = 0;
  virtual int64_t receive_credit(int32_t port, Time arrival, uint8_t vc, uint8_t count) = 0;

  /// Simulates clock edge `cycle`; cycles never decrease. The router's output goes to RouterLinks.
  virtual void step(int64_t cycle) = 0;

  /// The next cycle at which step() can change anything; kNever if the router only waits for further arrivals.
  int64_t next_cycle() const { return next_cycle_; }

  /// Cycles in which a packet for `port` waited only for credits, up to the last step.
  virtual uint64_t credit_stall_cycles(int32_t port) const = 0;

  /// Packets that were marked, up to the last step.
  virtual uint64_t marked_packets() const = 0;

  /// Words in all input buffers, or in those of a port, as of the last step.
  virtual int64_t buffered_words() const = 0;
  virtual int64_t buffered_words(int32_t port) const = 0;

  /// Empty until a word breaks the packet format ("port x+, VC 0: packet begins without a header"); the router does no
  /// more work then.
  const std::string& failure() const { return failure_; }

 protected:
  Router(Config config, RouterLinks& links) : config_(std::move(config)), links_(links) {}

  Config config_;
  RouterLinks& links_;
  int64_t next_cycle_ = kNever;
  std::string failure_;
};

}  // namespace fabrictwin::router::exanet
