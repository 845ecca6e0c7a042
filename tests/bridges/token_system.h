// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A small system for tests of bridges: tokens that wander over the links and remember when they passed where. It needs
// neither models nor RTL, and whatever is lost, delayed or reordered by a bridge shows in the timing digest.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/board/config.h"
#include "cosim/engine/partition.h"
#include "cosim/run/registry.h"
#include "cosim/run/reporter.h"

namespace fabrictwin {

/// One cut port of a token element.
struct TokenPort {
  link::ChannelSender* sender = nullptr;
  link::ChannelReceiver* receiver = nullptr;
  link::LinkCounters* counters = nullptr;
};

/// What a token element does beside passing tokens on. Times are zero for never.
struct TokenFaults {
  Time die_at;   ///< Kills its process.
  Time stop_at;  ///< Stops its process, which then hangs.
  Time fail_at;  ///< Reports an error.
};

/// Tokens that a token source sends: `count` at once at `first`, then again after each `gap`, `bursts` times.
struct TokenLoad {
  int count = 4;
  int bursts = 3;
  int hops = 60;
  Time first = Time::from_ns(5);
  Time gap = Time::from_us(3);
};

/// Passes each token on after a delay; a source also makes them, and counts them when they come back with no hops left.
class TokenPartition final : public engine::Partition, public run::Reporter {
 public:
  TokenPartition(std::string name, std::vector<TokenPort> ports, TokenFaults faults);
  /// Makes this the source. `digest` outlives it.
  void make_source(const TokenLoad& load, observe::EndpointDigest* digest);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  uint64_t events() const override { return events_.get(); }
  bool done() const override { return returned_ == expected_; }
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;

 private:
  struct Key {
    Time time;
    size_t port;
    int64_t order;
    auto operator<=>(const Key&) const = default;
  };

  void take_arrivals(Time until);
  void pass_on(Time now, size_t port, link::Word token);
  void send(Time now, size_t port, link::Word token);

  std::string name_;
  std::vector<TokenPort> ports_;
  TokenFaults faults_;
  std::vector<int64_t> last_slot_;
  std::map<Key, link::Word> waiting_;
  int64_t order_ = 0;
  link::Counter events_;
  observe::EndpointDigest* digest_ = nullptr;
  uint64_t returned_ = 0;
  uint64_t expected_ = 0;
  Time last_;
};

/// A ring of routers with a host each: built for any `torus { dims: N }`.
absl::StatusOr<system::SystemGraph> build_token_ring(const experiment::Experiment& experiment);

/// Parts for token systems. Faults of RTL elements in worker processes come from the environment:
/// FABRICTWIN_TEST_DIE_AT, FABRICTWIN_TEST_STOP_AT and FABRICTWIN_TEST_FAIL_AT (time with unit).
run::Registry token_registry(const TokenLoad& load);

/// The token element of a soft board.
absl::StatusOr<std::unique_ptr<engine::Partition>> make_token_board(const bridges::board::Config& config);

}  // namespace fabrictwin
