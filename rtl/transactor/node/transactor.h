// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated logic of a node as a partition: converts records to transactions at its pins, and back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/engine/partition.h"
#include "rtl/transactor/node/board_link.h"
#include "rtl/transactor/node/config.h"
#include "rtl/transactor/node/host_port.h"
#include "rtl/transactor/node/model.h"
#include "rtl/transactor/node/network_link.h"

namespace fabrictwin::rtl::node {

/// One FPGA of rtl/node; docs/models/exanet-node.md is the contract. Clock edge k is router_clock.edge(k) and has the
/// time k at `time_i`; edges at which the logic is idle and nothing arrives are skipped. The result does not depend on
/// how a run is divided into calls of advance().
class Transactor : public engine::Partition {
 public:
  /// Checks the configuration and resets the logic. InvalidArgument names the element and what is wrong.
  static absl::StatusOr<std::unique_ptr<Transactor>> create(const Config& config);
  /// For tests, uses logic that the caller has made.
  static absl::StatusOr<std::unique_ptr<Transactor>> create(const Config& config, std::unique_ptr<Model> model);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  /// Clock edges evaluated.
  uint64_t events() const override { return edges_.get(); }
  std::vector<std::string> waits() const override;
  void measure(metric::Sink& sink) const override;

  /// Called after each evaluated edge with its number. For tests; set it before the first advance.
  using Observer = std::function<void(int64_t cycle, const Model& model)>;
  void set_observer(Observer observer) { observer_ = std::move(observer); }

 private:
  Transactor(const Config& config, std::unique_ptr<Model> model);

  void settle_memories();
  absl::Status take_records(Time until);
  int64_t next_arrival() const;
  bool busy() const;
  absl::Status step();
  absl::Status drive();
  absl::Status sample();
  void count_stalls();

  Config config_;
  std::unique_ptr<Model> model_;
  const Pins& pins_;
  std::optional<HostPort> host_;
  std::vector<BoardLink> board_links_;
  std::vector<NetworkLink> network_links_;
  int64_t cycle_ = 0;  ///< The next edge.
  bool idle_ = false;
  bool drove_line_ = false;  ///< A network link was driven in the last cycle.
  link::Counter edges_;
  link::Counter repeated_messages_;
  link::Counter repeated_blocks_;
  Observer observer_;
};

/// The partition of one node, for make_rtl_partition().
absl::StatusOr<std::unique_ptr<engine::Partition>> make_node_transactor(const Config& config);

}  // namespace fabrictwin::rtl::node
