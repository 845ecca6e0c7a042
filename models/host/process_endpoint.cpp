// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/process_endpoint.h"

#include <utility>

namespace fabrictwin::host {

ProcessEndpoint::ProcessEndpoint(const sc_core::sc_module_name& name, std::unique_ptr<HostProcess> process)
    : Endpoint(name, process->node()), process_(std::move(process)) {
  process_->bind_owner(this);
}

}  // namespace fabrictwin::host
