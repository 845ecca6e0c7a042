// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The router model behind the same channels as a router transactor.
#pragma once

#include <memory>

#include "cosim/engine/partition.h"
#include "models/router/exanet/router.h"
#include "rtl/transactor/router/config.h"

namespace fabrictwin::test {

class ModelRouter : public engine::Partition, private router::exanet::RouterLinks {
 public:
  explicit ModelRouter(const rtl::router::Config& config);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  uint64_t events() const override { return steps_; }
  uint64_t stall_cycles(int port) const { return router_->credit_stall_cycles(port); }
  uint64_t marked_packets() const { return router_->marked_packets(); }

 private:
  void take_records(int port, Time until);
  void transmit(int32_t router, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const link::Word& word) override;
  void return_credit(int32_t router, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) override;

  rtl::router::Config config_;
  std::unique_ptr<router::exanet::Router> router_;
  uint64_t steps_ = 0;
};

/// For NetworkOptions::make_router.
absl::StatusOr<std::unique_ptr<engine::Partition>> make_model_router(const rtl::router::Config& config);

}  // namespace fabrictwin::test
