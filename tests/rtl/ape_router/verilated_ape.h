// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An APErouter of one shape.
#pragma once

#include <type_traits>

#include "tests/rtl/ape_router/ape_model.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

/// Sets bits of a pin of any width.
template <class Pin>
void put_bits(Pin& pin, int lsb, int width, uint64_t value) {
  if constexpr (std::is_integral_v<Pin>) {
    const uint64_t mask = (width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1) << lsb;
    pin = static_cast<Pin>((pin & ~mask) | (value << lsb & mask));
  } else {
    for (int i = 0; i < width; ++i) {
      uint32_t& word = pin[(lsb + i) / 32];
      const uint32_t bit = uint32_t{1} << (lsb + i) % 32;
      word = (value >> i & 1) != 0 ? word | bit : word & ~bit;
    }
  }
}

template <class Pin>
uint64_t get_bits(const Pin& pin, int lsb, int width) {
  if constexpr (std::is_integral_v<Pin>) {
    return uint64_t{pin} >> lsb & (width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1);
  } else {
    uint64_t value = 0;
    for (int i = 0; i < width; ++i) value |= uint64_t{pin[(lsb + i) / 32] >> (lsb + i) % 32 & 1} << i;
    return value;
  }
}

template <class Verilated>
class VerilatedApe : public ApeModel {
 public:
  explicit VerilatedApe(const ApeShape& shape) : shape_(shape) {}
  ~VerilatedApe() override { top_.final(); }

  const ApeShape& shape() const override { return shape_; }

  void reset(const ApeConfig& config) override {
    configure(config);
    for (int d = 0; d < 3; ++d) {
      put_bits(top_.coordinates_i, 8 * d, 8, static_cast<uint64_t>(config.here[d]));
      put_bits(top_.last_i, 8 * d, 8, static_cast<uint64_t>(config.dims[d] - 1));
    }
    for (int p = 0; p < shape_.ports(); ++p) {
      put_bits(top_.initial_words_i, 13 * p, 13, static_cast<uint64_t>(config.initial_words[p]));
      put_bits(top_.initial_packets_i, 8 * p, 8, static_cast<uint64_t>(config.initial_packets[p]));
    }
    top_.rst_ni = 0;
    for (int k = 0; k < 3; ++k) edge();
    top_.rst_ni = 1;
  }

  void configure(const ApeConfig& config) override {
    put_bits(top_.port_enable_i, 0, shape_.ports(), config.port_enable);
    for (int place = 0; place < 3; ++place)
      put_bits(top_.dimension_order_i, 2 * place, 2, static_cast<uint64_t>(config.order[place]));
    top_.vc_by_direction_i = config.vc_by_direction;
    top_.fixed_priority_i = config.fixed_priority;
    top_.mark_threshold_i = static_cast<uint16_t>(config.mark_threshold);
    top_.mark_rate_i = static_cast<uint16_t>(config.mark_rate);
    top_.mark_least_i = static_cast<uint8_t>(config.mark_least);
    top_.mark_hosts_i = config.mark_hosts;
    for (int p = 0; p < shape_.ports(); ++p)
      put_bits(top_.priority_i, 4 * p, 4, static_cast<uint64_t>(config.priority[p]));
  }

  void rx(int port, const ApeWord& word) override {
    put_bits(top_.rx_valid_i, port, 1, 1);
    put_bits(top_.rx_vc_i, port, 1, static_cast<uint64_t>(word.vc));
    put_bits(top_.rx_sop_i, port, 1, word.sop ? 1 : 0);
    put_bits(top_.rx_eop_i, port, 1, word.eop ? 1 : 0);
    const int pieces = shape_.word_bits / 32;
    for (int i = 0; i < pieces; ++i)
      top_.rx_data_i[pieces * port + i] = static_cast<uint32_t>(word.data[i / 2] >> (i % 2 * 32));
  }

  void credit(int port, const ApeCredit& credit) override {
    put_bits(top_.credit_valid_i, port, 1, 1);
    put_bits(top_.credit_vc_i, port, 1, static_cast<uint64_t>(credit.vc));
    put_bits(top_.credit_words_i, 8 * port, 8, static_cast<uint64_t>(credit.words));
    put_bits(top_.credit_packets_i, 4 * port, 4, static_cast<uint64_t>(credit.packets));
  }

  void ready(int port) override { put_bits(top_.tx_ready_i, port, 1, 1); }

  void edge() override {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
    top_.rx_valid_i = 0;
    top_.credit_valid_i = 0;
    top_.tx_ready_i = 0;
    top_.eval();
  }

  bool tx_valid(int port) const override { return get_bits(top_.tx_valid_o, port, 1) != 0; }
  ApeWord tx(int port) const override {
    ApeWord word;
    const int pieces = shape_.word_bits / 32;
    for (int i = 0; i < pieces; ++i) word.data[i / 2] |= uint64_t{top_.tx_data_o[pieces * port + i]} << (i % 2 * 32);
    word.vc = static_cast<int>(get_bits(top_.tx_vc_o, port, 1));
    word.sop = get_bits(top_.tx_sop_o, port, 1) != 0;
    word.eop = get_bits(top_.tx_eop_o, port, 1) != 0;
    return word;
  }
  bool credit_valid(int port) const override { return get_bits(top_.credit_valid_o, port, 1) != 0; }
  ApeCredit credit(int port) const override {
    return {static_cast<int>(get_bits(top_.credit_vc_o, port, 1)),
            static_cast<int>(get_bits(top_.credit_words_o, 8 * port, 8)),
            static_cast<int>(get_bits(top_.credit_packets_o, 4 * port, 4))};
  }
  bool idle() const override { return top_.idle_o != 0; }
  uint32_t stalled() const override { return static_cast<uint32_t>(top_.credit_stall_o); }
  uint32_t errors() const override { return static_cast<uint32_t>(top_.error_o); }
  ApeCounters counters(int port) const override {
    const auto count = [port](const auto& pin) { return static_cast<int>(get_bits(pin, 16 * port, 16)); };
    return {count(top_.dropped_route_o), count(top_.dropped_disabled_o), count(top_.malformed_o),
            count(top_.sent_o),          count(top_.discarded_o),        count(top_.marked_o)};
  }

 private:
  ApeShape shape_;
  RandomStateContext context_;
  Verilated top_{&context_};
};

}  // namespace fabrictwin::test
