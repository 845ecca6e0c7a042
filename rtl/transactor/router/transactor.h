// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated router as a partition: records become link words and credits, and back.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/link/record.h"
#include "cosim/link/word_serializer.h"
#include "rtl/arrival_queue.h"
#include "rtl/router_config.h"
#include "rtl/router_model.h"

namespace fabrictwin {

/// One router of rtl/exanet with this many ports, at the times that docs/models/exanet-router.md gives. Clock edge k is
/// router_clock.edge(k), each in one evaluation; edges at which the router is idle and nothing arrives are skipped.
template <int kPorts>
class BasicRouterTransactor : public Partition {
 public:
  using Model = BasicRouterModel<kPorts>;

  /// Checks the configuration and resets the router. InvalidArgument names the router and what is wrong;
  /// PermissionDenied if the waveform cannot be written.
  static absl::StatusOr<std::unique_ptr<BasicRouterTransactor>> create(const RouterConfig& config);
  /// The same around a router that the caller has made, for tests.
  static absl::StatusOr<std::unique_ptr<BasicRouterTransactor>> create(const RouterConfig& config,
                                                                       std::unique_ptr<Model> model);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  /// Clock edges evaluated.
  uint64_t events() const override { return edges_.get(); }
  std::vector<std::string> waits() const override;

  /// Called after each evaluated edge with its number. For tests; set it before the first advance.
  using Observer = std::function<void(int64_t cycle, const Model& model)>;
  void set_observer(Observer observer) { observer_ = std::move(observer); }

 private:
  struct ArrivedWord {
    int64_t cycle;
    Word word;
    uint8_t vc;
    uint8_t flags;
  };
  struct ArrivedCredit {
    int64_t cycle;
    uint8_t vc;
    uint8_t count;
    uint8_t health;
  };
  struct Port {
    Port(const RouterPortConfig& port, Clock router_clock)
        : config(port),
          serializer(router_clock, port.word_clock),
          word_sampler(router_clock),
          credit_sampler(router_clock) {}
    RouterPortConfig config;
    WordSerializer serializer;
    ArrivalSampler word_sampler;
    ArrivalSampler credit_sampler;
    ArrivalQueue<ArrivedWord> words;
    ArrivalQueue<ArrivedCredit> credits;
  };

  BasicRouterTransactor(const RouterConfig& config, std::unique_ptr<Model> model);

  absl::Status take_records(Port& port, Time until);
  int64_t next_arrival() const;
  absl::Status step();
  void drive_arrivals();
  void accept_words();
  void count_stalls();
  void clock_edge();
  void return_credits();
  absl::Status failure() const;

  RouterConfig config_;
  std::unique_ptr<Model> model_;
  BasicRouterPins<kPorts> pins_;
  std::vector<Port> ports_;  ///< All, by index.
  std::vector<int> enabled_ports_;
  int64_t cycle_ = 0;  ///< The next edge.
  bool idle_ = true;
  Counter edges_;
  Observer observer_;
};
using RouterTransactor = BasicRouterTransactor<kRouterPorts>;
using WideRouterTransactor = BasicRouterTransactor<kWideRouterPorts>;
using LargeRouterTransactor = BasicRouterTransactor<kLargeRouterPorts>;

/// A transactor around the smallest router that has the ports and routes of `config`. Errors as of
/// BasicRouterTransactor::create().
absl::StatusOr<std::unique_ptr<Partition>> make_router_transactor(const RouterConfig& config);

}  // namespace fabrictwin
