// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a shared library with a user's own router behind its shell implements, so that `fabrictwin board --shell
// --library` plays its card: docs/boards.md. It needs no library of FabricTwin, only headers and Verilator.
#pragma once

#include <cstdint>
#include <memory>

namespace fabrictwin::rtl::external {

/// Changes when a library must be compiled anew.
inline constexpr int32_t kShellInterfaceVersion = 1;

/// The pins of external_router_shell, under the names that they have there.
struct ShellPins {
  uint8_t rst_ni = 0;
  // What the shell is given.
  uint8_t s_axi_awvalid = 0, s_axi_wvalid = 0, s_axi_wstrb = 0, s_axi_bready = 0, s_axi_arvalid = 0, s_axi_rready = 0;
  uint16_t s_axi_awaddr = 0, s_axi_araddr = 0;
  uint32_t s_axi_wdata = 0;
  uint8_t m_axi_awready = 0, m_axi_wready = 0, m_axi_bvalid = 0, m_axi_bid = 0, m_axi_bresp = 0;
  uint8_t m_axi_arready = 0, m_axi_rvalid = 0, m_axi_rid = 0, m_axi_rresp = 0, m_axi_rlast = 0;
  uint32_t m_axi_rdata[4] = {};
  // What it says.
  uint8_t s_axi_awready = 0, s_axi_wready = 0, s_axi_bvalid = 0, s_axi_bresp = 0;
  uint8_t s_axi_arready = 0, s_axi_rvalid = 0, s_axi_rresp = 0;
  uint32_t s_axi_rdata = 0;
  uint8_t m_axi_awvalid = 0, m_axi_wvalid = 0, m_axi_wlast = 0, m_axi_bready = 0;
  uint8_t m_axi_arvalid = 0, m_axi_arlen = 0, m_axi_rready = 0;
  uint16_t m_axi_wstrb = 0;
  uint64_t m_axi_awaddr = 0, m_axi_araddr = 0;
  uint32_t m_axi_wdata[4] = {};
};

/// A shell with its router. Used by one thread.
class Shell {
 public:
  virtual ~Shell() = default;
  /// One rising edge of its clock with the given pins, and after it what it says.
  virtual void clock(ShellPins& pins) = 0;
};

/// A shell that is the Verilated class `Model`, made of external_router_shell with the offsets of rings that
/// docs/boards.md says.
template <class Model>
class VerilatedShell final : public Shell {
 public:
  ~VerilatedShell() override { model_.final(); }

  void clock(ShellPins& pins) override {
    model_.clk_i = 0;
    give(pins);
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
    take(pins);
  }

 private:
  void give(const ShellPins& pins) {
    model_.rst_ni = pins.rst_ni;
    model_.s_axi_awvalid = pins.s_axi_awvalid;
    model_.s_axi_awaddr = pins.s_axi_awaddr;
    model_.s_axi_wvalid = pins.s_axi_wvalid;
    model_.s_axi_wdata = pins.s_axi_wdata;
    model_.s_axi_wstrb = pins.s_axi_wstrb;
    model_.s_axi_bready = pins.s_axi_bready;
    model_.s_axi_arvalid = pins.s_axi_arvalid;
    model_.s_axi_araddr = pins.s_axi_araddr;
    model_.s_axi_rready = pins.s_axi_rready;
    model_.m_axi_awready = pins.m_axi_awready;
    model_.m_axi_wready = pins.m_axi_wready;
    model_.m_axi_bvalid = pins.m_axi_bvalid;
    model_.m_axi_bid = pins.m_axi_bid;
    model_.m_axi_bresp = pins.m_axi_bresp;
    model_.m_axi_arready = pins.m_axi_arready;
    model_.m_axi_rvalid = pins.m_axi_rvalid;
    model_.m_axi_rid = pins.m_axi_rid;
    model_.m_axi_rresp = pins.m_axi_rresp;
    model_.m_axi_rlast = pins.m_axi_rlast;
    for (int i = 0; i < 4; ++i) model_.m_axi_rdata[i] = pins.m_axi_rdata[i];
  }
  void take(ShellPins& pins) {
    pins.s_axi_awready = model_.s_axi_awready;
    pins.s_axi_wready = model_.s_axi_wready;
    pins.s_axi_bvalid = model_.s_axi_bvalid;
    pins.s_axi_bresp = model_.s_axi_bresp;
    pins.s_axi_arready = model_.s_axi_arready;
    pins.s_axi_rvalid = model_.s_axi_rvalid;
    pins.s_axi_rdata = model_.s_axi_rdata;
    pins.s_axi_rresp = model_.s_axi_rresp;
    pins.m_axi_awvalid = model_.m_axi_awvalid;
    pins.m_axi_awaddr = model_.m_axi_awaddr;
    pins.m_axi_wvalid = model_.m_axi_wvalid;
    for (int i = 0; i < 4; ++i) pins.m_axi_wdata[i] = model_.m_axi_wdata[i];
    pins.m_axi_wstrb = model_.m_axi_wstrb;
    pins.m_axi_wlast = model_.m_axi_wlast;
    pins.m_axi_bready = model_.m_axi_bready;
    pins.m_axi_arvalid = model_.m_axi_arvalid;
    pins.m_axi_araddr = model_.m_axi_araddr;
    pins.m_axi_arlen = model_.m_axi_arlen;
    pins.m_axi_rready = model_.m_axi_rready;
  }

  Model model_;
};

}  // namespace fabrictwin::rtl::external

/// What the library defines.
extern "C" {
/// Is fabrictwin::rtl::external::kShellInterfaceVersion.
// NOLINTNEXTLINE(readability-identifier-naming): it is a name of C, which says whose it is as functions do.
[[gnu::visibility("default")]] extern const int32_t fabrictwin_external_shell_version;
/// Makes a shell, which the caller deletes. Exceptions end the board with a message. $fatal and $stop of Verilated code
/// call abort(): compile it with -DVL_USER_FATAL and -DVL_USER_STOP, and functions of your own that throw.
[[gnu::visibility("default")]] fabrictwin::rtl::external::Shell* fabrictwin_make_external_shell();
}
