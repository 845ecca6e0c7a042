// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/router/model.h"

#include <bit>
#include <cstring>

#include "rtl/transactor/pin_slices.h"

namespace fabrictwin::rtl::router {
namespace {

constexpr int input_id_width(int ports) { return std::bit_width(static_cast<unsigned>(ports - 1)) + 1; }

}  // namespace

template <int kPorts>
void BasicModel<kPorts>::reset(const Identity& identity) {
  uint32_t coordinates = 0;
  uint32_t last = 0;
  for (int d = 0; d < kRouterDims; ++d) {
    coordinates |= uint32_t{identity.coordinates[d]} << (8 * d);
    last |= static_cast<uint32_t>(identity.dims[d] - 1) << (8 * d);
  }
  for (int p = 0; p < kPorts; ++p) set_pin_byte(pins_.initial_credits_i, p, identity.initial_credits[p]);
  *pins_.coordinates_i = coordinates;
  *pins_.last_i = last;
  *pins_.table_enable_i = identity.routes.empty() ? 0 : 1;
  *pins_.table_we_i = 0;
  *pins_.port_enable_i =
      static_cast<typename BasicPins<kPorts>::Bits>(identity.port_enable & (~uint64_t{0} >> (64 - kPorts)));
  *pins_.mark_threshold_i = static_cast<uint16_t>(identity.marking.threshold_words);
  *pins_.mark_rate_i = static_cast<uint16_t>(identity.marking.marking_rate);
  *pins_.mark_least_i = static_cast<uint8_t>(identity.marking.least_words);
  *pins_.mark_hosts_i = static_cast<typename BasicPins<kPorts>::Bits>(
      identity.marking.hosts ? identity.host_ports & (~uint64_t{0} >> (64 - kPorts)) : 0);
  *pins_.health_i = 0;
  *pins_.rx_valid_i = 0;
  *pins_.rx_vc_i = 0;
  *pins_.rx_sop_i = 0;
  *pins_.rx_eop_i = 0;
  std::memset(pins_.rx_data_i, 0, kPorts * 16);
  *pins_.tx_ready_i = 0;
  *pins_.credit_valid_i = 0;
  *pins_.credit_vc_i = 0;
  for (int p = 0; p < kPorts; ++p) {
    set_pin_byte(pins_.credit_count_i, p, 0);
    set_pin_health(pins_.credit_health_i, p, 0);
  }
  *pins_.rst_ni = 0;
  // The first edge samples the configuration, the second resets what depends on it.
  edge_in_two();
  edge_in_two();
  write_routes(identity);
  *pins_.rst_ni = 1;
}

template <int kPorts>
void BasicModel<kPorts>::write_routes(const Identity& identity) {
  // The fields of an entry of exanet_router: valid, port, VC.
  constexpr auto kValidRoute = static_cast<uint8_t>(1 << input_id_width(kPorts));
  const auto destinations = static_cast<size_t>(identity.route_destinations);
  for (size_t i = 0; i < identity.routes.size(); ++i) {
    const system::RouteTable::Entry entry = identity.routes[i];
    *pins_.table_we_i = 1;
    *pins_.table_input_i = static_cast<uint8_t>(i / destinations);
    *pins_.table_address_i = static_cast<uint16_t>(i % destinations);
    *pins_.table_data_i = entry == system::RouteTable::kNoRoute ? 0 : static_cast<uint8_t>(kValidRoute | entry);
    edge();
  }
  *pins_.table_we_i = 0;
}

template class BasicModel<kRouterPorts>;
template class BasicModel<kWideRouterPorts>;
template class BasicModel<kLargeRouterPorts>;

}  // namespace fabrictwin::rtl::router
