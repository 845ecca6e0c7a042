// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated router with its assertions switched on, driven pin by pin.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/link/packet.h"
#include "cosim/link/record.h"
#include "rtl/transactor/router/model.h"

namespace fabrictwin::test {

/// A word on a link with its side signals.
struct LinkWord {
  link::Word word;
  int vc = 0;
  bool sop = false;
  bool eop = false;
  bool operator==(const LinkWord&) const = default;
};

struct LinkCredit {
  int vc = 0;
  int count = 0;
  int health = 0;
  bool operator==(const LinkCredit&) const = default;
};

/// The routers of the tests, the wide one with route tables: a failed assertion in the RTL ends the program.
template <int kPorts>
std::unique_ptr<rtl::router::BasicModel<kPorts>> make_checked_router_model();

/// An identity with all ports that there are connected and 64 credits each.
rtl::router::Identity full_identity(std::array<uint8_t, 3> coordinates, std::array<uint16_t, 3> dims);

/// The words of a packet: header, payload made from `fill`, footer.
std::vector<LinkWord> make_packet(const link::PacketHeader& header, int vc, uint64_t fill);

/// Cycle by cycle: set what happens at the next edge (rx, credit, ready), then edge(). What is not set is not valid.
template <int ports>
class BasicPinRouter {
 public:
  static constexpr int kPorts = ports;

  explicit BasicPinRouter(const rtl::router::Identity& identity);

  void rx(int port, const LinkWord& word);
  void credit(int port, const LinkCredit& credit);
  void ready(int port);
  void ready_all() { *pins_.tx_ready_i = static_cast<Bits>((1 << kPorts) - 1); }
  /// The clock edge; then all inputs are low again.
  void edge();

  bool tx_valid(int port) const { return (*pins_.tx_valid_o >> port & 1) != 0; }
  LinkWord tx(int port) const;
  bool credit_valid(int port) const { return (*pins_.credit_valid_o >> port & 1) != 0; }
  LinkCredit credit(int port) const;
  bool idle() const { return *pins_.idle_o != 0; }
  bool stalled(int port) const { return (*pins_.credit_stall_o >> port & 1) != 0; }
  int errors() const { return *pins_.error_o; }
  rtl::router::BasicModel<kPorts>& model() { return *model_; }

 private:
  using Bits = typename rtl::router::BasicPins<kPorts>::Bits;

  std::unique_ptr<rtl::router::BasicModel<kPorts>> model_;
  rtl::router::BasicPins<kPorts> pins_;
};
using PinRouter = BasicPinRouter<rtl::router::kRouterPorts>;
using WidePinRouter = BasicPinRouter<rtl::router::kWideRouterPorts>;

}  // namespace fabrictwin::test
