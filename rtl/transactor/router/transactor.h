// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated router as a partition: converts records to link words and credits, and back.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "cosim/link/word_serializer.h"
#include "rtl/transactor/link_arrivals.h"
#include "rtl/transactor/router/config.h"
#include "rtl/transactor/router/model.h"

namespace fabrictwin::rtl::router {

/// One router of rtl/exanet with this many ports and the timing of docs/models/exanet-router.md. Clock edge k is
/// router_clock.edge(k), each in one evaluation; edges at which the router is idle and nothing arrives are skipped.
template <int kPorts>
class BasicTransactor : public engine::Partition {
 public:
  using Model = BasicModel<kPorts>;

  /// Checks the configuration and resets the router. InvalidArgument names the router and what is wrong;
  /// PermissionDenied if the waveform cannot be written.
  static absl::StatusOr<std::unique_ptr<BasicTransactor>> create(const Config& config);
  /// For tests, uses a router that the caller has made.
  static absl::StatusOr<std::unique_ptr<BasicTransactor>> create(const Config& config, std::unique_ptr<Model> model);

  absl::Status advance(Time until) override;
  absl::Status close_files() override { return model_->finish_wave(); }
  Time next_event() const override;
  /// Clock edges evaluated.
  uint64_t events() const override { return edges_.get(); }
  std::vector<std::string> waits() const override;

  /// Called after each evaluated edge with its number. For tests; set it before the first advance.
  using Observer = std::function<void(int64_t cycle, const Model& model)>;
  void set_observer(Observer observer) { observer_ = std::move(observer); }

 private:
  struct Port {
    Port(const PortConfig& port, Clock router_clock)
        : config(port), serializer(router_clock, port.word_clock), arrivals(router_clock) {}
    PortConfig config;
    link::WordSerializer serializer;
    LinkArrivals arrivals;
  };

  BasicTransactor(const Config& config, std::unique_ptr<Model> model);

  int64_t next_arrival() const;
  absl::Status step();
  void drive_arrivals();
  void accept_words();
  void count_stalls();
  void clock_edge();
  void return_credits();
  absl::Status failure() const;

  Config config_;
  std::unique_ptr<Model> model_;
  BasicPins<kPorts> pins_;
  std::vector<Port> ports_;  ///< All ports, by index.
  std::vector<int> enabled_ports_;
  int64_t cycle_ = 0;  ///< The next edge.
  bool idle_ = true;
  link::Counter edges_;
  Observer observer_;
};
using Transactor = BasicTransactor<kRouterPorts>;
using WideTransactor = BasicTransactor<kWideRouterPorts>;
using LargeTransactor = BasicTransactor<kLargeRouterPorts>;

/// A transactor around the smallest router that has the ports and routes of `config`. Errors are those of
/// BasicTransactor::create().
absl::StatusOr<std::unique_ptr<engine::Partition>> make_router_transactor(const Config& config);

}  // namespace fabrictwin::rtl::router
