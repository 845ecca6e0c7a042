// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/pin_router.h"

#include "VExanetRouterChecked.h"
#include "VExanetRouterChecked___024root.h"
#include "cosim/base/random.h"
#include "rtl/verilated_router.h"

namespace fabrictwin::test {

std::unique_ptr<RouterModel> make_checked_router_model() {
  return std::make_unique<VerilatedRouter<VExanetRouterChecked>>();
}

RouterIdentity full_identity(std::array<uint8_t, 3> coordinates, std::array<uint16_t, 3> dims) {
  RouterIdentity identity;
  identity.coordinates = coordinates;
  identity.dims = dims;
  identity.port_enable = 0x7f;
  identity.initial_credits.fill(64);
  return identity;
}

std::vector<LinkWord> make_packet(const PacketHeader& header, int vc, uint64_t fill) {
  std::vector<LinkWord> words;
  words.push_back({header.encode(), vc, true, false});
  for (int i = 0; i < header.payload_words(); ++i)
    words.push_back({{mix64(fill + 2 * i), mix64(fill + 2 * i + 1)}, vc, false, false});
  words.push_back({{~fill, fill}, vc, false, true});
  return words;
}

PinRouter::PinRouter(const RouterIdentity& identity) : model_(make_checked_router_model()), pins_(model_->pins()) {
  model_->reset(identity);
}

void PinRouter::rx(int port, const LinkWord& word) {
  const auto put = [port](uint8_t* pins, bool value) {
    *pins = static_cast<uint8_t>((*pins & ~(1 << port)) | (value ? 1 << port : 0));
  };
  put(pins_.rx_valid_i, true);
  put(pins_.rx_vc_i, word.vc == 1);
  put(pins_.rx_sop_i, word.sop);
  put(pins_.rx_eop_i, word.eop);
  uint32_t* data = pins_.rx_data_i + 4 * port;
  data[0] = static_cast<uint32_t>(word.word.lo);
  data[1] = static_cast<uint32_t>(word.word.lo >> 32);
  data[2] = static_cast<uint32_t>(word.word.hi);
  data[3] = static_cast<uint32_t>(word.word.hi >> 32);
}

void PinRouter::credit(int port, const LinkCredit& credit) {
  *pins_.credit_valid_i |= static_cast<uint8_t>(1 << port);
  *pins_.credit_vc_i = static_cast<uint8_t>((*pins_.credit_vc_i & ~(1 << port)) | (credit.vc << port));
  *pins_.credit_count_i =
      (*pins_.credit_count_i & ~(uint64_t{0xff} << (8 * port))) | static_cast<uint64_t>(credit.count) << (8 * port);
  *pins_.credit_health_i = (*pins_.credit_health_i & ~(7u << (3 * port))) | static_cast<uint32_t>(credit.health)
                                                                                << (3 * port);
}

void PinRouter::ready(int port) { *pins_.tx_ready_i |= static_cast<uint8_t>(1 << port); }

void PinRouter::edge() {
  model_->edge();
  *pins_.rx_valid_i = 0;
  *pins_.credit_valid_i = 0;
  *pins_.tx_ready_i = 0;
}

LinkWord PinRouter::tx(int port) const {
  const uint32_t* w = pins_.tx_data_o + 4 * port;
  return {{w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32},
          *pins_.tx_vc_o >> port & 1,
          (*pins_.tx_sop_o >> port & 1) != 0,
          (*pins_.tx_eop_o >> port & 1) != 0};
}

LinkCredit PinRouter::credit(int port) const {
  return {*pins_.credit_vc_o >> port & 1, static_cast<int>(*pins_.credit_count_o >> (8 * port) & 0xff),
          static_cast<int>(*pins_.credit_health_o >> (3 * port) & 7)};
}

}  // namespace fabrictwin::test
