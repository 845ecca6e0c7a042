// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/pin_router.h"

#include "VExanetRouterChecked.h"
#include "VExanetRouterChecked___024root.h"
#include "VExanetWideRouterChecked.h"
#include "VExanetWideRouterChecked___024root.h"
#include "cosim/base/random.h"
#include "rtl/transactor/pin_slices.h"
#include "rtl/transactor/router/verilated_router.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

template <>
std::unique_ptr<rtl::router::Model> make_checked_router_model<rtl::router::kRouterPorts>() {
  using rtl::router::VerilatedRouter;
  return std::make_unique<VerilatedRouter<VExanetRouterChecked, rtl::router::kRouterPorts, RandomStateContext>>();
}

template <>
std::unique_ptr<rtl::router::WideModel> make_checked_router_model<rtl::router::kWideRouterPorts>() {
  using rtl::router::VerilatedRouter;
  return std::make_unique<
      VerilatedRouter<VExanetWideRouterChecked, rtl::router::kWideRouterPorts, RandomStateContext>>();
}

rtl::router::Identity full_identity(std::array<uint8_t, 3> coordinates, std::array<uint16_t, 3> dims) {
  rtl::router::Identity identity;
  identity.coordinates = coordinates;
  identity.dims = dims;
  identity.port_enable = 0xffff;
  identity.initial_credits.fill(64);
  return identity;
}

std::vector<LinkWord> make_packet(const link::PacketHeader& header, int vc, uint64_t fill) {
  std::vector<LinkWord> words;
  words.push_back({header.encode(), vc, true, false});
  for (int i = 0; i < header.payload_words(); ++i)
    words.push_back({{mix64(fill + 2 * i), mix64(fill + 2 * i + 1)}, vc, false, false});
  words.push_back({{~fill, fill}, vc, false, true});
  return words;
}

template <int ports>
BasicPinRouter<ports>::BasicPinRouter(const rtl::router::Identity& identity)
    : model_(make_checked_router_model<ports>()), pins_(model_->pins()) {
  model_->reset(identity);
}

template <int ports>
void BasicPinRouter<ports>::rx(int port, const LinkWord& word) {
  const auto put = [port](Bits* pins, bool value) {
    *pins = static_cast<Bits>((*pins & ~(1 << port)) | (value ? 1 << port : 0));
  };
  put(pins_.rx_valid_i, true);
  put(pins_.rx_vc_i, word.vc == 1);
  put(pins_.rx_sop_i, word.sop);
  put(pins_.rx_eop_i, word.eop);
  rtl::set_pin_word(pins_.rx_data_i, port, word.word);
}

template <int ports>
void BasicPinRouter<ports>::credit(int port, const LinkCredit& credit) {
  *pins_.credit_valid_i |= static_cast<Bits>(1 << port);
  *pins_.credit_vc_i = static_cast<Bits>((*pins_.credit_vc_i & ~(1 << port)) | (credit.vc << port));
  rtl::set_pin_byte(pins_.credit_count_i, port, static_cast<uint8_t>(credit.count));
  rtl::set_pin_health(pins_.credit_health_i, port, static_cast<uint8_t>(credit.health));
}

template <int ports>
void BasicPinRouter<ports>::ready(int port) {
  *pins_.tx_ready_i |= static_cast<Bits>(1 << port);
}

template <int ports>
void BasicPinRouter<ports>::edge() {
  model_->edge();
  *pins_.rx_valid_i = 0;
  *pins_.credit_valid_i = 0;
  *pins_.tx_ready_i = 0;
}

template <int ports>
LinkWord BasicPinRouter<ports>::tx(int port) const {
  return {rtl::pin_word(pins_.tx_data_o, port), *pins_.tx_vc_o >> port & 1, (*pins_.tx_sop_o >> port & 1) != 0,
          (*pins_.tx_eop_o >> port & 1) != 0};
}

template <int ports>
LinkCredit BasicPinRouter<ports>::credit(int port) const {
  return {*pins_.credit_vc_o >> port & 1, rtl::pin_byte(pins_.credit_count_o, port),
          rtl::pin_health(pins_.credit_health_o, port)};
}

template class BasicPinRouter<rtl::router::kRouterPorts>;
template class BasicPinRouter<rtl::router::kWideRouterPorts>;

}  // namespace fabrictwin::test
