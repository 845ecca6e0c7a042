// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The pins of apelink_link_top, whatever its parameters.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "tests/rtl/apelink/wire_reference.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

struct RouterWord {
  int vc = 0;
  bool sop = false;
  bool eop = false;
  bool bad = false;
  Word data{};
};

struct RouterCredit {
  int vc;
  int count;
  int health;
};

struct LinkCounters {
  uint32_t words_sent, packets_sent, packets_received, corrected, uncorrectable, crc_errors, dropped, resyncs, stalls,
      credit_words;
};

/// A link at its pins. Within a cycle: inputs, `settle`, looks at the wire and flips, `edge`; outputs are of registers.
class LinkPins {
 public:
  virtual ~LinkPins() = default;
  virtual void reset() = 0;
  virtual void tx(int side, const RouterWord& word) = 0;
  virtual void credit(int side, int vc, int count) = 0;
  virtual void health(int side, int bits) = 0;
  virtual void tred(int side, int vc, int words) = 0;
  virtual void stall(int side, bool into, bool out_of) = 0;
  virtual void error_rate(uint32_t rate) = 0;
  virtual void settle() = 0;
  virtual bool tx_ready(int side) const = 0;
  virtual std::optional<Word> wire(int side) const = 0;
  virtual void flip(int side, int bit) = 0;
  virtual void edge() = 0;
  virtual std::optional<RouterWord> rx(int side) const = 0;
  virtual std::optional<RouterCredit> credit_out(int side) const = 0;
  virtual int used(int side, int vc) const = 0;
  virtual bool error(int side) const = 0;
  virtual int high_water(int side) const = 0;
  virtual uint32_t random_errors(int side) const = 0;
  virtual LinkCounters counters(int side) const = 0;
};

template <typename Model>
class ModelLink : public LinkPins {
 public:
  ModelLink() : model_(std::make_unique<Model>(&context_)) {
    zero_inputs(*model_);
    reset();
  }
  ~ModelLink() override { model_->final(); }

  void reset() override {
    model_->rst_ni = 0;
    for (int s = 0; s < 2; ++s) {
      for (int v = 0; v < 2; ++v) tred(s, v, 0xFFFF);
    }
    for (int i = 0; i < 3; ++i) edge();
    model_->rst_ni = 1;
  }

  void tx(int side, const RouterWord& word) override {
    set(model_->tx_valid_i, side, 1);
    set(model_->tx_vc_i, side, word.vc);
    set(model_->tx_sop_i, side, word.sop);
    set(model_->tx_eop_i, side, word.eop);
    for (int u = 0; u < 4; ++u) model_->tx_data_i[4 * side + u] = word.data[u];
  }
  void credit(int side, int vc, int count) override {
    set(model_->credit_valid_i, side, 1);
    set(model_->credit_vc_i, side, vc);
    set(model_->credit_count_i, side, count, 16);
  }
  void health(int side, int bits) override { set(model_->credit_health_i, side, bits, 3); }
  void tred(int side, int vc, int words) override { set(model_->tred_i, 2 * side + vc, words, 16); }
  void stall(int side, bool into, bool out_of) override {
    set(model_->stall_in_i, side, into);
    set(model_->stall_out_i, side, out_of);
  }
  void error_rate(uint32_t rate) override { model_->error_rate_i = rate; }
  void settle() override { model_->eval(); }
  bool tx_ready(int side) const override { return get(model_->tx_ready_o, side) != 0; }
  std::optional<Word> wire(int side) const override {
    if (get(model_->wire_valid_o, side) == 0) return std::nullopt;
    return word(model_->wire_data_o, side);
  }
  void flip(int side, int bit) override { model_->flip_i[4 * side + bit / 32] ^= 1U << (bit % 32); }
  void edge() override {
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
    // Inputs hold for one cycle only.
    model_->tx_valid_i = 0;
    model_->credit_valid_i = 0;
    for (int i = 0; i < 8; ++i) model_->flip_i[i] = 0;
  }
  std::optional<RouterWord> rx(int side) const override {
    if (get(model_->rx_valid_o, side) == 0) return std::nullopt;
    return RouterWord{static_cast<int>(get(model_->rx_vc_o, side)), get(model_->rx_sop_o, side) != 0,
                      get(model_->rx_eop_o, side) != 0, get(model_->rx_bad_o, side) != 0,
                      word(model_->rx_data_o, side)};
  }
  std::optional<RouterCredit> credit_out(int side) const override {
    if (get(model_->credit_valid_o, side) == 0) return std::nullopt;
    return RouterCredit{static_cast<int>(get(model_->credit_vc_o, side)),
                        static_cast<int>(get(model_->credit_count_o, side, 16)),
                        static_cast<int>(get(model_->credit_health_o, side, 3))};
  }
  int used(int side, int vc) const override { return static_cast<int>(get(model_->used_o, 2 * side + vc, 16)); }
  bool error(int side) const override { return get(model_->error_o, side) != 0; }
  int high_water(int side) const override { return static_cast<int>(get(model_->high_water_o, side, 9)); }
  uint32_t random_errors(int side) const override { return part(model_->random_errors_o, side); }
  LinkCounters counters(int s) const override {
    return {count(model_->words_sent_o, s),
            count(model_->packets_sent_o, s),
            count(model_->packets_received_o, s),
            count(model_->corrected_headers_o, s),
            count(model_->uncorrectable_headers_o, s),
            count(model_->crc_errors_o, s),
            count(model_->dropped_packets_o, s),
            count(model_->resyncs_o, s),
            count(model_->credit_stalls_o, s),
            count(model_->credit_words_o, s)};
  }

 protected:
  Model& model() { return *model_; }
  const Model& model() const { return *model_; }

 private:
  template <typename Port>
  static void set(Port& port, int slice, uint64_t value, int width = 1) {
    const uint64_t mask = ((uint64_t{1} << width) - 1) << (slice * width);
    port = static_cast<Port>((port & ~mask) | (value << (slice * width)));
  }
  template <typename Port>
  static uint64_t get(Port port, int slice, int width = 1) {
    return (uint64_t{port} >> (slice * width)) & ((uint64_t{1} << width) - 1);
  }
  static uint32_t count(uint32_t port, int side) { return port >> (16 * side) & 0xFFFF; }
  static uint32_t part(uint64_t port, int side) { return static_cast<uint32_t>(port >> (32 * side)); }
  template <typename Wide>
  static Word word(const Wide& port, int side) {
    return {port[4 * side], port[4 * side + 1], port[4 * side + 2], port[4 * side + 3]};
  }

  RandomStateContext context_;
  std::unique_ptr<Model> model_;
};

}  // namespace fabrictwin::test
