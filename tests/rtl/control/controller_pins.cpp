// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/control/controller_pins.h"

#include <type_traits>

#include "VController1x2__inputs.h"
#include "VController3x2__inputs.h"
#include "VController8x6__inputs.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin {
namespace {

// A pin of up to 64 bits is a number, a wider one an array of 32-bit words.
template <class Pin>
void set_bit(Pin& pin, int bit, bool value) {
  if constexpr (std::is_integral_v<Pin>) {
    const Pin one = static_cast<Pin>(Pin{1} << bit);
    pin = static_cast<Pin>(value ? pin | one : pin & ~one);
  } else {
    const uint32_t one = 1u << (bit % 32);
    pin[bit / 32] = value ? pin[bit / 32] | one : pin[bit / 32] & ~one;
  }
}

template <class Pin>
void set_bits(Pin& pin, int index, int width, uint32_t value) {
  for (int i = 0; i < width; ++i) set_bit(pin, index * width + i, (value >> i & 1) != 0);
}

template <class Pin>
uint32_t bits_of(const Pin& pin, int index, int width) {
  uint32_t value = 0;
  for (int i = 0; i < width; ++i) {
    const int bit = index * width + i;
    if constexpr (std::is_integral_v<Pin>) {
      value |= static_cast<uint32_t>(pin >> bit & 1) << i;
    } else {
      value |= (uint32_t{pin[bit / 32]} >> (bit % 32) & 1) << i;
    }
  }
  return value;
}

// Widths of apelink_pkg and ape_router_pkg.
constexpr int kQueueWidth = 13;
constexpr int kPacketsWidth = 8;
constexpr int kUsedWidth = 11;
constexpr int kWaitingWidth = 12;

template <class Model>
class VerilatedController final : public ControllerPins {
 public:
  explicit VerilatedController(const ControllerShape& shape) : shape_(shape) { zero_inputs(model_); }

  ControllerShape shape() const override { return shape_; }

  void edge(bool reset, const AxiMasterPins& axi, const NetworkStatus& status) override {
    model_.rst_ni = reset ? 0 : 1;
    model_.awvalid_i = axi.awvalid;
    model_.awaddr_i = axi.awaddr;
    model_.wvalid_i = axi.wvalid;
    model_.wdata_i = axi.wdata;
    model_.wstrb_i = axi.wstrb;
    model_.bready_i = axi.bready;
    model_.arvalid_i = axi.arvalid;
    model_.araddr_i = axi.araddr;
    model_.rready_i = axi.rready;
    model_.router_idle_i = status.idle;
    for (int p = 0; p < shape_.ports(); ++p) set_port(p, status.ports[p]);
    for (int l = 0; l < shape_.links; ++l) set_link(l, status.links[l]);
    model_.clk_i = 0;
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
  }

  AxiSlavePins axi() const override {
    return {model_.awready_o != 0, model_.wready_o != 0, model_.bvalid_o != 0, model_.bresp_o,    model_.arready_o != 0,
            model_.rvalid_o != 0,  model_.rdata_o,       model_.rresp_o,       model_.idle_o != 0};
  }

  NetworkSettings settings() const override {
    NetworkSettings out;
    out.in_reset = model_.network_rst_no == 0;
    out.coordinates = model_.coordinates_o;
    out.last = model_.last_o;
    out.dimension_order = model_.dimension_order_o;
    out.vc_by_direction = model_.vc_by_direction_o != 0;
    out.fixed_priority = model_.fixed_priority_o != 0;
    out.health = model_.health_o;
    out.supervise = model_.supervise_o != 0;
    out.tred = model_.tred_o;
    out.tile_words = model_.tile_words_o;
    out.tile_packets = model_.tile_packets_o;
    out.mark_threshold = model_.mark_threshold_o;
    out.mark_rate = model_.mark_rate_o;
    out.mark_least = model_.mark_least_o;
    out.mark_hosts = model_.mark_hosts_o != 0;
    for (int p = 0; p < shape_.ports(); ++p) {
      out.enable[p] = bits_of(model_.port_enable_o, p, 1) != 0;
      out.priority[p] = bits_of(model_.priority_o, p, 4);
    }
    return out;
  }

 private:
  void set_port(int p, const NetworkStatus::Port& port) {
    set_bits(model_.credit_stall_i, p, 1, port.credit_stall ? 1 : 0);
    set_bits(model_.router_error_i, p, 1, port.error ? 1 : 0);
    set_bits(model_.neighbour_health_i, p, 3, port.neighbour_health);
    set_bits(model_.dropped_route_i, p, shape_.counter_width, port.route_drops);
    set_bits(model_.dropped_disabled_i, p, shape_.counter_width, port.disabled_drops);
    set_bits(model_.malformed_i, p, shape_.counter_width, port.malformed);
    set_bits(model_.sent_i, p, shape_.counter_width, port.sent);
    set_bits(model_.discarded_i, p, shape_.counter_width, port.discarded);
    set_bits(model_.marked_i, p, shape_.counter_width, port.marked);
    for (int v = 0; v < 2; ++v) {
      set_bits(model_.queued_i, 2 * p + v, kQueueWidth, port.words[v]);
      set_bits(model_.packets_i, 2 * p + v, kPacketsWidth, port.packets[v]);
    }
  }
  void set_link(int l, const NetworkStatus::Link& link) {
    set_bits(model_.link_error_i, l, 1, link.error ? 1 : 0);
    for (int v = 0; v < 2; ++v) {
      set_bits(model_.link_used_i, 2 * l + v, kUsedWidth, link.used[v]);
      set_bits(model_.link_waiting_i, 2 * l + v, kWaitingWidth, link.waiting[v]);
    }
    set_bits(model_.link_corrected_i, l, shape_.link_counter_width, link.corrected);
    set_bits(model_.link_uncorrectable_i, l, shape_.link_counter_width, link.uncorrectable);
    set_bits(model_.link_crc_errors_i, l, shape_.link_counter_width, link.crc_errors);
    set_bits(model_.link_dropped_i, l, shape_.link_counter_width, link.dropped);
    set_bits(model_.link_resyncs_i, l, shape_.link_counter_width, link.resyncs);
    set_bits(model_.link_up_i, l, 1, link.up ? 1 : 0);
    set_bits(model_.link_downs_i, l, shape_.link_counter_width, link.downs);
    set_bits(model_.link_aborted_i, l, shape_.link_counter_width, link.aborted);
  }

  ControllerShape shape_;
  test::RandomStateContext context_;
  Model model_{&context_};
};

}  // namespace

std::unique_ptr<ControllerPins> make_controller(ControllerVariant variant) {
  switch (variant) {
    case ControllerVariant::k3x2:
      return std::make_unique<VerilatedController<VController3x2>>(ControllerShape{3, 2, 16});
    case ControllerVariant::k1x2:
      return std::make_unique<VerilatedController<VController1x2>>(ControllerShape{1, 2, 8});
    case ControllerVariant::k8x6:
      return std::make_unique<VerilatedController<VController8x6>>(ControllerShape{8, 6, 32});
  }
  return nullptr;
}

}  // namespace fabrictwin
