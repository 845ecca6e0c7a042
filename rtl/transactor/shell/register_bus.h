// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A master for the AXI4-Lite slave of a Verilated shell.
#pragma once

#include <cstdint>

namespace fabrictwin::rtl::shell {

/// One access at a time. `Model` is a Verilated class with the pins of an AXI4-Lite slave under the names of block
/// designs.
template <class Model>
class RegisterBus {
 public:
  /// `model` outlives this.
  explicit RegisterBus(Model& model) : model_(model) {
    model.s_axi_awvalid = model.s_axi_wvalid = model.s_axi_arvalid = 0;
    model.s_axi_bready = model.s_axi_rready = 1;
  }

  bool idle() const { return state_ == State::kIdle; }
  /// Begins an access; only while idle.
  void write(uint32_t offset, uint32_t value) {
    model_.s_axi_awvalid = model_.s_axi_wvalid = 1;
    model_.s_axi_awaddr = static_cast<uint16_t>(offset);
    model_.s_axi_wdata = value;
    model_.s_axi_wstrb = 0xf;
    state_ = State::kWriting;
  }
  void read(uint32_t offset) {
    model_.s_axi_arvalid = 1;
    model_.s_axi_araddr = static_cast<uint16_t>(offset);
    state_ = State::kReading;
  }

  /// Looks at what is transferred at the coming edge. Call it before the edge, and drive() after it.
  void sample() {
    aw_ = model_.s_axi_awvalid && model_.s_axi_awready;
    w_ = model_.s_axi_wvalid && model_.s_axi_wready;
    ar_ = model_.s_axi_arvalid && model_.s_axi_arready;
    ended_ = state_ == State::kWriting ? model_.s_axi_bvalid : state_ == State::kReading && model_.s_axi_rvalid;
    if (!ended_) return;
    error_ = (state_ == State::kWriting ? model_.s_axi_bresp : model_.s_axi_rresp) != 0;
    value_ = model_.s_axi_rdata;
  }
  /// True if an access has ended.
  bool drive() {
    if (aw_) model_.s_axi_awvalid = 0;
    if (w_) model_.s_axi_wvalid = 0;
    if (ar_) model_.s_axi_arvalid = 0;
    if (ended_) state_ = State::kIdle;
    return ended_;
  }
  /// What the access that has ended last has read, and whether it was refused.
  uint32_t value() const { return value_; }
  bool error() const { return error_; }

 private:
  enum class State : uint8_t { kIdle, kWriting, kReading };

  Model& model_;
  State state_ = State::kIdle;
  bool aw_ = false;
  bool w_ = false;
  bool ar_ = false;
  bool ended_ = false;
  bool error_ = false;
  uint32_t value_ = 0;
};

}  // namespace fabrictwin::rtl::shell
