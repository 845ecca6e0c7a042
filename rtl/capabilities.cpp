// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/capabilities.h"

#include "rtl/transactor/node/config.h"
#include "rtl/transactor/router/model.h"

namespace fabrictwin::rtl {

experiment::HardwareCapabilities capabilities() {
  return {.dims = router::kRouterDims,
          .buffer_words = router::kRouterBufferWords,
          .table_destinations = router::kRouteTableDestinations,
          .shell_ports = router::kRouterPorts,
          .node_addresses = node::kNodeAddresses,
          .node_link_words = {node::kNodeNetworkCredits, node::kNodeDeepCredits}};
}

}  // namespace fabrictwin::rtl
