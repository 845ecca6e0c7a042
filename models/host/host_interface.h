// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's access to the network, independent of its implementation.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "cosim/observe/repeats.h"
#include "models/host/control_counters.h"
#include "models/host/endpoint.h"

namespace fabrictwin::host {

/// Stands between an endpoint and the links of a host: the host side of the network interface. See LinkExtension for
/// what crosses the sockets. Used from the SystemC kernel.
class HostInterface {
 public:
  virtual ~HostInterface() = default;

  /// The port that the endpoint sends through.
  virtual sc_core::sc_export<HostPort>& host_port() = 0;
  /// Binds the receiver of arrivals; with nullptr, arrivals are a failure.
  virtual void bind_endpoint(Endpoint* endpoint) = 0;
  /// The number of links, which is that of the host's ports in the graph.
  virtual int32_t ports() const { return 1; }
  /// The link of a port, which is below ports().
  virtual tlm::tlm_initiator_socket<>& link_out(int32_t port) = 0;
  virtual tlm::tlm_target_socket<>& link_in(int32_t port) = 0;

  virtual uint64_t packets_received() const = 0;
  virtual uint64_t payload_received() const = 0;
  /// What it sent besides data; nothing without congestion management.
  virtual ControlCounters control() const { return {}; }
  /// What its network interface has sent again, for those with a protocol of their own.
  virtual observe::Repeats repeats() const { return {}; }
  /// What it waits for, to explain a run that hangs; empty if nothing.
  virtual std::string waits_for() const { return {}; }
};

}  // namespace fabrictwin::host
