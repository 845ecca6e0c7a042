// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host whose program is part of the SystemC block itself.
#pragma once

#include <cstdint>
#include <systemc>

#include "models/host/host_interface.h"

namespace fabrictwin::host {

/// Base class, after sc_module, of blocks that are both processor and network interface. They have no endpoint of a
/// workload: a workload that sends through one is a SystemC error. They only provide the two sockets of the link, as
/// LinkExtension says.
class StandaloneHost : public HostInterface, public HostPort {
 public:
  StandaloneHost() { none_.bind(*this); }

  sc_core::sc_export<HostPort>& host_port() override { return none_; }
  void bind_endpoint(Endpoint*) override {}
  uint64_t packets_received() const override { return 0; }
  uint64_t payload_received() const override { return 0; }

 private:
  void send(const nic::OutgoingMessage&) override {
    SC_REPORT_ERROR("fabrictwin", "a host that is its own program cannot run that of a workload");
  }

  sc_core::sc_export<HostPort> none_{"host"};
};

}  // namespace fabrictwin::host
