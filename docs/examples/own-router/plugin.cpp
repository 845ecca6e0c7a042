// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The router in RTL as a shared library: pins for what FabricTwin gives and takes at each edge.
#include <memory>
#include <stdexcept>

#include "VOwnRouter.h"
#include "rtl/external/router.h"

namespace {

using fabrictwin::rtl::external::Input;
using fabrictwin::rtl::external::Output;
using fabrictwin::rtl::external::Router;
using fabrictwin::rtl::external::Setup;

constexpr size_t kPorts = 5;
constexpr int32_t kVcs = 4;
constexpr int32_t kBufferWords = 32;

uint32_t bit(bool value, size_t at) { return static_cast<uint32_t>(value) << at; }

class OwnRouter final : public Router {
 public:
  explicit OwnRouter(const Setup& setup) : pins_(&context_) {
    if (setup.dims.size() != 2 || setup.ports.size() != kPorts) throw std::invalid_argument("it is for two dimensions");
    if (setup.vcs != kVcs || setup.word_bits != 64 || setup.credit_words != 1)
      throw std::invalid_argument("it has 4 VCs of 64-bit words, each with a credit");
    if (setup.buffer_words != kBufferWords) throw std::invalid_argument("its buffers hold 32 words");
    pins_.x_i = static_cast<uint8_t>(setup.coordinates[0]);
    pins_.y_i = static_cast<uint8_t>(setup.coordinates[1]);
    pins_.size_x_i = static_cast<uint8_t>(setup.dims[0]);
    pins_.size_y_i = static_cast<uint8_t>(setup.dims[1]);
    uint64_t credits = 0;
    for (size_t p = 0; p < kPorts; ++p) credits |= static_cast<uint64_t>(setup.ports[p].credits) << (8 * p);
    pins_.initial_credits_i = credits;
    pins_.rst_ni = 0;
    clock();
    pins_.rst_ni = 1;
  }
  ~OwnRouter() override { pins_.final(); }

  void edge(std::span<const Input> in, std::span<Output> out) override {
    uint32_t rx_valid = 0, rx_first = 0, rx_last = 0, rx_vc = 0, ready = 0, credit_valid = 0, credit_vc = 0;
    uint64_t credit_count = 0;
    for (size_t p = 0; p < kPorts; ++p) {
      rx_valid |= bit(in[p].valid, p);
      rx_first |= bit(in[p].first, p);
      rx_last |= bit(in[p].last, p);
      rx_vc |= static_cast<uint32_t>(in[p].vc) << (2 * p);
      pins_.rx_data_i[2 * p] = static_cast<uint32_t>(in[p].word.lo);
      pins_.rx_data_i[2 * p + 1] = static_cast<uint32_t>(in[p].word.lo >> 32);
      ready |= bit(in[p].ready, p);
      credit_valid |= bit(in[p].credit_valid, p);
      credit_vc |= static_cast<uint32_t>(in[p].credit_vc) << (2 * p);
      credit_count |= static_cast<uint64_t>(in[p].credit_count) << (8 * p);
    }
    pins_.rx_valid_i = static_cast<uint8_t>(rx_valid);
    pins_.rx_first_i = static_cast<uint8_t>(rx_first);
    pins_.rx_last_i = static_cast<uint8_t>(rx_last);
    pins_.rx_vc_i = static_cast<uint16_t>(rx_vc);
    pins_.tx_ready_i = static_cast<uint8_t>(ready);
    pins_.credit_valid_i = static_cast<uint8_t>(credit_valid);
    pins_.credit_vc_i = static_cast<uint16_t>(credit_vc);
    pins_.credit_count_i = credit_count;
    clock();
    for (size_t p = 0; p < kPorts; ++p) {
      out[p].valid = (pins_.tx_valid_o >> p & 1) != 0;
      out[p].first = (pins_.tx_first_o >> p & 1) != 0;
      out[p].last = (pins_.tx_last_o >> p & 1) != 0;
      out[p].vc = static_cast<uint8_t>(pins_.tx_vc_o >> (2 * p) & 3);
      out[p].word.lo = pins_.tx_data_o[2 * p] | static_cast<uint64_t>(pins_.tx_data_o[2 * p + 1]) << 32;
      out[p].credit_valid = (pins_.credit_valid_o >> p & 1) != 0;
      out[p].credit_vc = static_cast<uint8_t>(pins_.credit_vc_o >> (2 * p) & 3);
      out[p].credit_count = 1;
      out[p].stalled = (pins_.stalled_o >> p & 1) != 0;
    }
  }
  bool idle() const override { return pins_.idle_o != 0; }

 private:
  void clock() {
    pins_.clk_i = 0;
    pins_.eval();
    pins_.clk_i = 1;
    pins_.eval();
  }

  VerilatedContext context_;
  VOwnRouter pins_;
};

}  // namespace

extern "C" {
const int32_t fabrictwin_external_router_version = fabrictwin::rtl::external::kInterfaceVersion;
Router* fabrictwin_make_external_router(const Setup& setup) { return std::make_unique<OwnRouter>(setup).release(); }
}
