// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/model.h"

namespace fabrictwin::rtl::node {

void Model::reset(const Identity& identity) {
  clear_inputs();
  pins_.node_i.put(identity.node);
  pins_.tile_bits_i.put(identity.tile_bits);
  pins_.x_bits_i.put(identity.x_bits);
  pins_.y_bits_i.put(identity.y_bits);
  if (pins_.coordinates_i.data != nullptr) {
    pins_.coordinates_i.put(identity.coordinates);
    pins_.last_i.put(identity.last);
    pins_.port_enable_i.put(identity.port_enable);
  }
  // Register accesses are bursts of one word.
  pins_.s_wlast_i.put(1);
  // The first edge samples the configuration, the second resets what depends on it.
  for (int i = 0; i < 2; ++i) {
    settle();
    edge();
  }
  *pins_.rst_ni = 1;
}

}  // namespace fabrictwin::rtl::node
