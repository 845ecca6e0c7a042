// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/torus_top.h"

#include "VTorus64.h"
#include "VTorus64___024root.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/bench/router_torus.h"
#include "verilated.h"

namespace fabrictwin::bench {
namespace {

class VerilatedTorus : public TorusTop {
 public:
  VerilatedTorus() : top_(std::make_unique<VTorus64>(&context_)) {
    for (int r = 0; r < kRouters; ++r) {
      const rtl::router::Identity identity = torus_identity(r);
      const rtl::router::Pins p = pins(r);
      for (int d = 0; d < rtl::router::kRouterDims; ++d) {
        *p.coordinates_i |= uint32_t{identity.coordinates[d]} << (8 * d);
        *p.last_i |= static_cast<uint32_t>(identity.dims[d] - 1) << (8 * d);
      }
      *p.port_enable_i = static_cast<uint8_t>(identity.port_enable);
      for (int port = 0; port < rtl::router::kRouterPorts; ++port)
        *p.initial_credits_i |= uint64_t{identity.initial_credits[port]} << (8 * port);
    }
    top_->rst_ni = 0;
    edge_in_two();
    edge_in_two();
    top_->rst_ni = 1;
  }
  ~VerilatedTorus() override { top_->final(); }

  rtl::router::Pins pins(int r) override {
    VTorus64& t = *top_;
    return rtl::router::Pins{.rst_ni = &t.rst_ni,
                             .coordinates_i = &t.coordinates_i[r],
                             .last_i = &t.last_i[r],
                             .port_enable_i = &t.port_enable_i[r],
                             .initial_credits_i = &t.initial_credits_i[r],
                             .health_i = &t.health_i[r],
                             .rx_valid_i = &t.rx_valid_i[r],
                             .rx_vc_i = &t.rx_vc_i[r],
                             .rx_sop_i = &t.rx_sop_i[r],
                             .rx_eop_i = &t.rx_eop_i[r],
                             .rx_data_i = t.rx_data_i[r].data(),
                             .credit_valid_o = &t.credit_valid_o[r],
                             .credit_vc_o = &t.credit_vc_o[r],
                             .credit_count_o = &t.credit_count_o[r],
                             .credit_health_o = &t.credit_health_o[r],
                             .tx_valid_o = &t.tx_valid_o[r],
                             .tx_vc_o = &t.tx_vc_o[r],
                             .tx_sop_o = &t.tx_sop_o[r],
                             .tx_eop_o = &t.tx_eop_o[r],
                             .tx_data_o = t.tx_data_o[r].data(),
                             .tx_ready_i = &t.tx_ready_i[r],
                             .credit_valid_i = &t.credit_valid_i[r],
                             .credit_vc_i = &t.credit_vc_i[r],
                             .credit_count_i = &t.credit_count_i[r],
                             .credit_health_i = &t.credit_health_i[r],
                             .idle_o = &t.idle_o[r],
                             .credit_stall_o = &t.credit_stall_o[r],
                             .error_o = &t.error_o[r],
                             .neighbour_health_o = &t.neighbour_health_o[r]};
  }

  void edge() override { rtl::rising_edge(*top_); }
  void edge_in_two() override { rtl::rising_edge_in_two(*top_); }

 private:
  VerilatedContext context_;
  std::unique_ptr<VTorus64> top_;
};

}  // namespace

std::unique_ptr<TorusTop> make_torus_top() { return std::make_unique<VerilatedTorus>(); }

}  // namespace fabrictwin::bench
