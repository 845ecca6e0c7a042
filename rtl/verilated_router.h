// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// RouterModel over a class that Verilator has made. Include it only where such a class is at hand.
#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include "rtl/router_model.h"
#include "rtl/single_thread_context.h"
#include "rtl/verilated_clock.h"

namespace fabrictwin {

/// `Model` is the class of exanet_router under some prefix, with `kPorts` ports.
template <class Model, int kPorts = kRouterPorts>
class VerilatedRouter : public BasicRouterModel<kPorts> {
 public:
  /// `name` is the top scope's name in waveforms.
  explicit VerilatedRouter(const char* name = "TOP") {
    model_ = std::make_unique<Model>(&context_, name);
    Model& m = *model_;
    this->pins_ = BasicRouterPins<kPorts>{&m.rst_ni,
                                          &m.coordinates_i,
                                          &m.last_i,
                                          &m.table_enable_i,
                                          &m.table_we_i,
                                          &m.table_input_i,
                                          &m.table_address_i,
                                          &m.table_data_i,
                                          &m.port_enable_i,
                                          words(m.initial_credits_i),
                                          &m.health_i,
                                          &m.rx_valid_i,
                                          &m.rx_vc_i,
                                          &m.rx_sop_i,
                                          &m.rx_eop_i,
                                          words(m.rx_data_i),
                                          &m.credit_valid_o,
                                          &m.credit_vc_o,
                                          words(m.credit_count_o),
                                          words(m.credit_health_o),
                                          &m.tx_valid_o,
                                          &m.tx_vc_o,
                                          &m.tx_sop_o,
                                          &m.tx_eop_o,
                                          words(m.tx_data_o),
                                          &m.tx_ready_i,
                                          &m.credit_valid_i,
                                          &m.credit_vc_i,
                                          words(m.credit_count_i),
                                          words(m.credit_health_i),
                                          &m.idle_o,
                                          &m.credit_stall_o,
                                          &m.error_o,
                                          words(m.neighbour_health_o)};
  }
  ~VerilatedRouter() override { model_->final(); }

  void edge() override { rising_edge(*model_); }
  void edge_in_two() override { rising_edge_in_two(*model_); }
  void edge_traced(Time, Time) override { edge_in_two(); }

  std::span<const std::byte> state() const override {
    // Pins and state lie between the base class, which holds the name, and the pointer to the symbol table.
    const auto& root = *model_->rootp;
    const auto* begin = reinterpret_cast<const std::byte*>(&root.clk_i);
    const auto* end = reinterpret_cast<const std::byte*>(&root.vlSymsp);
    return {begin, end};
  }

 protected:
  Model& model() { return *model_; }
  VerilatedContext& context() { return context_; }

 private:
  /// A number, or the first of its 32-bit words.
  template <class Member>
  static auto words(Member& member) {
    if constexpr (std::is_integral_v<Member>) {
      return &member;
    } else {
      return member.data();
    }
  }

  SingleThreadContext context_;
  std::unique_ptr<Model> model_;
};

}  // namespace fabrictwin
